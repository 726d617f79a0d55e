package dynamo

// DeleteResourcePolicyInput is the input of DeleteResourcePolicy.
type DeleteResourcePolicyInput struct {
	ExpectedRevisionId *string
	ResourceArn        *string
}

// DeleteResourcePolicyOutput is the output of DeleteResourcePolicy. A resource that had no policy
// has no revision.
type DeleteResourcePolicyOutput struct {
	RevisionId *string
}
