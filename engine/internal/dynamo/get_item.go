package dynamo

// GetItemInput is the input of GetItem.
type GetItemInput struct {
	TableName              *string
	Key                    RawItem
	AttributesToGet        []string
	ConsistentRead         *bool
	ProjectionExpression   *string
	Names                  map[string]string // ExpressionAttributeNames
	ReturnConsumedCapacity string
}

// GetItemOutput is the output of GetItem. Item is nil if it was not found.
type GetItemOutput struct {
	Item             Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the item
}
