package request

import "strings"

const (
	maxNameLength = 255
	maxARNLength  = 1024
)

// isName reports whether name has only the characters of table and index names.
func isName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

// A TableARN holds the parts of arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME that
// identify a table.
type TableARN struct{ Partition, Region, Account, Name string }

// ParseTableARN parses the ARN of a table. The ARN of an index or a stream is not the ARN
// of a table.
func ParseTableARN(arn string) (t TableARN, ok bool) {
	parts := strings.SplitN(arn, ":", arnParts)
	if len(arn) > maxARNLength || arnFault(parts, arn) != "" {
		return TableARN{}, false
	}
	name, ok := strings.CutPrefix(parts[arnParts-1], "table/")
	return TableARN{Partition: parts[1], Region: parts[3], Account: parts[4], Name: name}, ok && isName(name) && len(name) <= maxNameLength
}

// arnParts is the number of parts of an ARN: arn, partition, service, region,
// account and resource.
const arnParts = 6

// arnFault says what is wrong with the parts of a table's ARN, except for the name of the
// table.
func arnFault(parts []string, arn string) string {
	fault := ""
	switch {
	case len(parts) < arnParts || parts[0] != "arn":
		fault = "ARN"
	case !strings.HasPrefix(parts[1], "aws"): // aws, aws-cn, aws-us-gov
		fault = "AWS partition"
	case parts[2] != "dynamodb":
		fault = "AWS service"
	case parts[3] == "":
		fault = "AWS region"
	case parts[4] == "":
		fault = "AWS account"
	case !strings.HasPrefix(parts[5], "table/") || strings.Count(parts[5], "/") > 1:
		fault = "resource type"
	default:
		return ""
	}
	return "Invalid " + fault + " in '" + arn + "'"
}

// isTableName reports whether a TableName is well formed.
func isTableName(tableName string) bool {
	if isName(tableName) {
		return minTableName <= len(tableName) && len(tableName) <= maxNameLength
	}
	_, ok := ParseTableARN(tableName)
	return ok
}

// tableName checks the TableName of an operation on items.
func (v *violations) tableName(tableName *string) { v.tableNameAt("tableName", tableName) }

// tableNameAt is tableName for a nested member.
func (v *violations) tableNameAt(path string, tableName *string) {
	switch {
	case tableName == nil:
		v.missing(path)
	case *tableName == "":
		v.broken("", path, lengthAtLeast(1))
	case !isTableName(*tableName) && !v.arn(*tableName):
		v.name(minTableName, *tableName, path)
	}
}

// arn records what is wrong with a TableName that looks like an ARN, and
// reports whether something is.
func (v *violations) arn(tableName string) bool {
	if !strings.HasPrefix(tableName, "arn:") {
		return false
	}
	fault := arnFault(strings.SplitN(tableName, ":", arnParts), tableName)
	if fault != "" {
		*v = append(*v, fault)
	}
	return fault != ""
}

// emptyTableName returns the newer validator's error for an empty TableName.
func emptyTableName() error { return newerViolation("TableName", lengthAtLeast(1)) }

// requireTable checks the TableName of an operation on an existing table
// and returns it as it was sent.
func requireTable(tableName *string) (string, error) {
	if tableName == nil {
		return "", errNoTableName()
	}
	var v violations
	v.existingTable(*tableName)
	if err := v.err(); err != nil {
		return "", err
	}
	return *tableName, nil
}

// existingTable checks a TableName that was sent to an operation on an existing
// table.
func (v *violations) existingTable(tableName string) {
	if _, ok := ParseTableARN(tableName); !ok && !v.arn(tableName) {
		v.shortName(minTableName, tableName, "tableName")
	}
}

// minTableName is the minimum length of the name of a table.
const minTableName = 3

func errNoTableName() error {
	return invalid("The parameter 'TableName' is required but was not present in the request")
}
