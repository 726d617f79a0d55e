package dynamo

// PutItemInput is the input of PutItem.
type PutItemInput struct {
	TableName           *string
	Item                RawItem
	ConditionExpression *string
	Expressions
	ReturnConsumedCapacity              string
	ReturnItemCollectionMetrics         string
	ReturnValues                        string
	ReturnValuesOnConditionCheckFailure string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// PutItemOutput is the output of PutItem.
type PutItemOutput struct {
	Attributes            Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}
