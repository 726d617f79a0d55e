package request

import "sortkey.dev/engine/internal/dynamo"

// PutResourcePolicy is a checked PutResourcePolicyInput.
type PutResourcePolicy struct {
	Resource Resource
	Document string // as responses return it
	Expected string // the required current revision; empty: any or none
}

// NoPolicy is the expected revision of a resource that must not have a policy.
const NoPolicy = "NO_POLICY"

// CheckPutResourcePolicy checks the input of PutResourcePolicy.
func CheckPutResourcePolicy(in *dynamo.PutResourcePolicyInput) (*PutResourcePolicy, error) {
	var v violations
	v.resource(in.ResourceArn, in.ExpectedRevisionId)
	if in.Policy == nil {
		v.missing("policy")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	resource, err := resourceOf(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	document, err := policyOf(*in.Policy)
	if err != nil {
		return nil, err
	}
	return &PutResourcePolicy{Resource: resource, Document: document, Expected: textOf(in.ExpectedRevisionId)}, nil
}
