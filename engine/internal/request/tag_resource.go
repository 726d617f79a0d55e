package request

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/engine/internal/dynamo"
)

// TagResource is a checked TagResourceInput.
type TagResource struct {
	Table TableARN
	ARN   string // as sent
	Tags  map[string]string
}

// CheckTagResource checks the input of TagResource.
func CheckTagResource(in *dynamo.TagResourceInput) (*TagResource, error) {
	table, err := taggedTable(in.ResourceArn, in.Tags == nil, "tags")
	if err != nil {
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, invalid("Atleast one Tag needs to be provided as Input.")
	}
	tags, err := tagsOf(in.Tags)
	if err != nil {
		return nil, err
	}
	return &TagResource{Table: table, ARN: *in.ResourceArn, Tags: tags}, nil
}

// taggedTable returns the table that a ResourceArn names. A missing required member is
// reported after an empty ARN and before an invalid one.
func taggedTable(resourceARN *string, missing bool, path string) (TableARN, error) {
	arn := textOf(resourceARN)
	if arn == "" {
		return TableARN{}, invalid("Invalid TableArn")
	}
	if missing {
		var v violations
		v.missing(path)
		return TableARN{}, v.err()
	}
	table, ok := ParseTableARN(arn)
	parts := strings.SplitN(arn, ":", arnParts)
	switch {
	case ok && len(table.Name) >= minTableName:
		return table, nil
	case parts[0] != "arn":
		return TableARN{}, invalid(invalidParameter + "ARNs must start with 'arn:': " + arn)
	case len(parts) == arnParts && (parts[2] != "dynamodb" || !strings.HasPrefix(parts[5], "table/")):
		return TableARN{}, invalid(invalidParameter + "Provided Arn is not a DynamoDB resource arn: " + arn)
	case len(parts) == arnParts && strings.Contains(parts[5], "/index/"):
		return TableARN{}, invalid(invalidParameter + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	default:
		return TableARN{}, invalid("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
	}
}

// The longest tag, in characters.
const (
	maxTagKey   = 128
	maxTagValue = 256
)

// checkTag checks a single tag.
func checkTag(t dynamo.Tag) error {
	switch {
	case t.Key == nil:
		return invalid("The Tag Key provided is invalid, Key: null")
	case *t.Key == "" || !isTagText(*t.Key, maxTagKey):
		return invalid("The Tag Key provided is invalid, Key: " + *t.Key)
	case strings.HasPrefix(*t.Key, "aws:"):
		return invalid("Tag Key cannot be prefixed with aws:, Key: " + *t.Key)
	case t.Value == nil:
		return invalid("The Tag Value provided is invalid, Value: null")
	case !isTagText(*t.Value, maxTagValue):
		return invalid("The Tag Value provided is invalid, Value: " + *t.Value)
	default:
		return nil
	}
}

// isTagText reports whether text can be the key or the value of a tag of at most
// most characters.
func isTagText(text string, most int) bool {
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" +-=._:/@", r) {
			return false
		}
	}
	return utf8.RuneCountInString(text) <= most
}

// tagsOf collects tags by their keys. The total number of a table's tags is checked
// where its other tags are known.
func tagsOf(tags []dynamo.Tag) (map[string]string, error) {
	byKey := make(map[string]string, len(tags))
	for _, t := range tags {
		if err := checkTag(t); err != nil {
			return nil, err
		}
		if _, repeated := byKey[*t.Key]; repeated {
			return nil, invalid("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + *t.Key)
		}
		byKey[*t.Key] = *t.Value
	}
	if len(byKey) > dynamo.MaxTags {
		return nil, invalid("Number of Tags exceed the current limit for the provided ResourceArn")
	}
	return byKey, nil
}

// defineTags checks the tags of a new table.
func defineTags(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) (err error) {
	if len(in.Tags) > 0 {
		d.Tags, err = tagsOf(in.Tags)
	}
	return err
}
