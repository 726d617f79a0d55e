package dynamo

// UpdateItemInput is the input of UpdateItem.
type UpdateItemInput struct {
	TableName           *string
	Key                 RawItem
	UpdateExpression    *string
	ConditionExpression *string
	Expressions
	ReturnConsumedCapacity              string
	ReturnItemCollectionMetrics         string
	ReturnValues                        string
	ReturnValuesOnConditionCheckFailure string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// UpdateItemOutput is the output of UpdateItem.
type UpdateItemOutput struct {
	Attributes            Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}
