package dynamo

// WriteParameters are the parameters that PutItem, DeleteItem and UpdateItem share.
type WriteParameters struct {
	TableName           *string
	ConditionExpression *string
	Expressions
	ReturnConsumedCapacity              string
	ReturnItemCollectionMetrics         string
	ReturnValues                        string
	ReturnValuesOnConditionCheckFailure string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// WriteOutput is the output of PutItem, DeleteItem and UpdateItem.
type WriteOutput struct {
	Attributes            Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}
