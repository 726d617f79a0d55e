package dynamo

// WriteParameters holds the parameters that PutItem, DeleteItem and UpdateItem share.
type WriteParameters struct {
	TableName           *string
	ConditionExpression *string
	Expected            []RawExpectation
	ConditionalOperator string
	Expressions
	ReturnConsumedCapacity              string
	ReturnItemCollectionMetrics         string
	ReturnValues                        string
	ReturnValuesOnConditionCheckFailure string
}

// WriteOutput is the output of PutItem, DeleteItem and UpdateItem.
type WriteOutput struct {
	Attributes            Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}
