package dynamo

// DeleteItemInput is the input of DeleteItem.
type DeleteItemInput struct {
	TableName           *string
	Key                 RawItem
	ConditionExpression *string
	Expressions
	ReturnConsumedCapacity              string
	ReturnItemCollectionMetrics         string
	ReturnValues                        string
	ReturnValuesOnConditionCheckFailure string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// DeleteItemOutput is the output of DeleteItem.
type DeleteItemOutput struct {
	Attributes            Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}
