package request

import "sortkey.dev/engine/internal/dynamo"

// DeleteResourcePolicy is a checked DeleteResourcePolicyInput.
type DeleteResourcePolicy struct {
	Resource Resource
	Expected string // the required current revision; empty: any or none
}

// CheckDeleteResourcePolicy checks the input of DeleteResourcePolicy.
func CheckDeleteResourcePolicy(in *dynamo.DeleteResourcePolicyInput) (*DeleteResourcePolicy, error) {
	var v violations
	v.resource(in.ResourceArn, in.ExpectedRevisionId)
	if err := v.err(); err != nil {
		return nil, err
	}
	resource, err := resourceOf(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	return &DeleteResourcePolicy{Resource: resource, Expected: textOf(in.ExpectedRevisionId)}, nil
}
