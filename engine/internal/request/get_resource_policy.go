package request

import "sortkey.dev/engine/internal/dynamo"

// CheckGetResourcePolicy checks the input of GetResourcePolicy.
func CheckGetResourcePolicy(in *dynamo.GetResourcePolicyInput) (Resource, error) {
	var v violations
	v.resource(in.ResourceArn, nil)
	if err := v.err(); err != nil {
		return Resource{}, err
	}
	return resourceOf(*in.ResourceArn)
}
