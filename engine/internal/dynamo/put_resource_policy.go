package dynamo

// PutResourcePolicyInput is the input of PutResourcePolicy.
type PutResourcePolicyInput struct {
	ConfirmRemoveSelfResourceAccess bool
	ExpectedRevisionId              *string
	Policy                          *string
	ResourceArn                     *string
}

// PutResourcePolicyOutput is the output of PutResourcePolicy.
type PutResourcePolicyOutput struct {
	RevisionId *string
}
