package dynamo

// ListTagsOfResourceInput is the input of ListTagsOfResource.
type ListTagsOfResourceInput struct {
	NextToken   *string
	ResourceArn *string
}

// ListTagsOfResourceOutput is the output of ListTagsOfResource.
type ListTagsOfResourceOutput struct {
	NextToken *string
	Tags      []Tag
}
