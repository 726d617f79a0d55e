package dynamo

// UpdateItemInput is the input of UpdateItem.
type UpdateItemInput struct {
	WriteParameters
	Key              RawItem
	UpdateExpression *string
	AttributeUpdates []RawAttributeUpdate
}

// UpdateItemOutput is the output of UpdateItem.
type UpdateItemOutput = WriteOutput
