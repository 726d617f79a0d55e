package dynamo

// UntagResourceInput is the input of UntagResource.
type UntagResourceInput struct {
	ResourceArn *string
	TagKeys     []string
}

// UntagResourceOutput is the output of UntagResource.
type UntagResourceOutput struct{}
