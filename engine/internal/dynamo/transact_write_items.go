package dynamo

// TransactWriteItemsInput is the input of TransactWriteItems. TransactItems is
// nil when it was not sent.
type TransactWriteItemsInput struct {
	TransactItems               []TransactWriteItem
	ClientRequestToken          *string
	ReturnConsumedCapacity      string
	ReturnItemCollectionMetrics string
}

// A TransactWriteItem is one action of a transaction; exactly one member should be set.
type TransactWriteItem struct {
	ConditionCheck *TransactAction
	Delete         *TransactAction
	Put            *TransactAction
	Update         *TransactAction
}

// A TransactAction is the action on one item. The member of TransactWriteItem that
// holds it says what it does.
type TransactAction struct {
	TableName           *string
	Subject             RawItem // the item of a put, else the key
	ConditionExpression *string
	UpdateExpression    *string // of an update
	Expressions
	ReturnValuesOnConditionCheckFailure string
}

// TransactWriteItemsOutput is the output of TransactWriteItems.
type TransactWriteItemsOutput struct {
	ConsumedCapacity      []ConsumedCapacity
	ItemCollectionMetrics []TableCollectionMetrics
}
