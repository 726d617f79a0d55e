package request

import "sortkey.dev/engine/internal/dynamo"

// UntagResource is a checked UntagResourceInput.
type UntagResource struct {
	Table TableARN
	ARN   string // as sent
	Keys  []string
}

// CheckUntagResource checks the input of UntagResource.
func CheckUntagResource(in *dynamo.UntagResourceInput) (*UntagResource, error) {
	table, err := taggedTable(in.ResourceArn, in.TagKeys == nil, "tagKeys")
	if err != nil {
		return nil, err
	}
	if len(in.TagKeys) == 0 {
		return nil, invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	return &UntagResource{Table: table, ARN: *in.ResourceArn, Keys: in.TagKeys}, nil
}
