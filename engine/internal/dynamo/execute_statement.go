package dynamo

// RawParameters are the parameters of a statement as a door read them, with the first
// fault found in them. Nil Values were not sent.
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
