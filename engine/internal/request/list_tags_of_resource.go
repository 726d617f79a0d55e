package request

import "sortkey.dev/engine/internal/dynamo"

// ListTagsOfResource is a checked ListTagsOfResourceInput.
type ListTagsOfResource struct {
	Table TableARN
	ARN   string // as sent
}

// CheckListTagsOfResource checks the input of ListTagsOfResource. A table never
// has more tags than fit one response, so there is no token to check.
func CheckListTagsOfResource(in *dynamo.ListTagsOfResourceInput) (*ListTagsOfResource, error) {
	table, err := taggedTable(in.ResourceArn, false, "")
	if err != nil {
		return nil, err
	}
	return &ListTagsOfResource{Table: table, ARN: *in.ResourceArn}, nil
}
