package dynamo

// BatchExecuteStatementInput is the input of BatchExecuteStatement. Statements is nil
// when it was not sent.
type BatchExecuteStatementInput struct {
	Statements             []BatchStatement
	ReturnConsumedCapacity string
}

// A BatchStatement is one statement of a batch or a transaction. Transactions have no
// ConsistentRead.
type BatchStatement struct {
	Statement                           *string
	Parameters                          RawParameters
	ConsistentRead                      *bool
	ReturnValuesOnConditionCheckFailure string
}

// BatchExecuteStatementOutput is the output of BatchExecuteStatement: one response for
// each statement.
type BatchExecuteStatementOutput struct {
	Responses        []BatchStatementResponse
	ConsumedCapacity []ConsumedCapacity
	Memory           // of the items
}

// A BatchStatementResponse is the response to one statement: an error, or an item if the
// statement returns one.
type BatchStatementResponse struct {
	Error     *BatchStatementError
	TableName string // empty: the statement failed before its table was looked up
	Item      Item
}

// A BatchStatementError says why a statement of a batch failed.
type BatchStatementError struct {
	Code    string
	Message string
}
