package dynamo

// GetResourcePolicyInput is the input of GetResourcePolicy.
type GetResourcePolicyInput struct {
	ResourceArn *string
}

// GetResourcePolicyOutput is the output of GetResourcePolicy.
type GetResourcePolicyOutput struct {
	Policy     *string
	RevisionId *string
}
