package dynamo

// RawParameters holds the parameters of a statement as a door decoded them, with the first
// fault found in them. Values is nil if it was not sent.
type RawParameters struct {
	Values []Value
	Fault  error
}

// ExecuteStatementInput is the input of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement                           *string
	Parameters                          RawParameters
	ConsistentRead                      *bool
	Limit                               *int32
	NextToken                           *string
	ReturnConsumedCapacity              string
	ReturnValuesOnConditionCheckFailure string
}

// ExecuteStatementOutput is the output of ExecuteStatement. Items is never nil.
type ExecuteStatementOutput struct {
	Items            []Item
	NextToken        *string
	LastEvaluatedKey Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the items
}
