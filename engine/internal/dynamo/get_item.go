package dynamo

// GetItemInput is the input of GetItem.
type GetItemInput struct {
	TableName              *string
	Key                    RawItem
	ConsistentRead         *bool
	ProjectionExpression   *string
	Names                  map[string]string // ExpressionAttributeNames
	ReturnConsumedCapacity string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// GetItemOutput is the output of GetItem. A nil Item was not found.
type GetItemOutput struct {
	Item             Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the item
}
