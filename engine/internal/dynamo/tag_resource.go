package dynamo

// TagResourceInput is the input of TagResource.
type TagResourceInput struct {
	ResourceArn *string
	Tags        []Tag
}

// TagResourceOutput is the output of TagResource.
type TagResourceOutput struct{}
