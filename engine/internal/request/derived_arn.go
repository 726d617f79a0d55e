package request

import "strings"

// minDerivedARN is the length of the shortest ARN of a backup, an export or an import.
const minDerivedARN = 37

// requireARN checks the ARN of a backup, an export or an import:
// arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME/KIND/ID.
func requireARN(arn *string, path, kind string) (string, error) {
	var v violations
	if arn == nil {
		v.missing(path)
		return "", v.err()
	}
	v.length(minDerivedARN, maxARNLength, *arn, path)
	if err := v.err(); err != nil {
		return "", err
	}
	table, id, found := strings.Cut(*arn, "/"+kind+"/")
	if _, ok := ParseTableARN(table); !ok || !found || id == "" {
		return "", invalid("Invalid " + strings.ToUpper(kind[:1]) + kind[1:] + " ARN")
	}
	return *arn, nil
}
