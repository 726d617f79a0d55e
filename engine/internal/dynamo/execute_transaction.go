package dynamo

// ExecuteTransactionInput is the input of ExecuteTransaction. TransactStatements is nil
// when it was not sent.
type ExecuteTransactionInput struct {
	TransactStatements     []BatchStatement
	ClientRequestToken     *string
	ReturnConsumedCapacity string
}

// ExecuteTransactionOutput is the output of ExecuteTransaction: one item for each read,
// nil where none was found, and no responses to writes.
type ExecuteTransactionOutput struct {
	Responses        []Item
	ConsumedCapacity []ConsumedCapacity
	Memory           // of the items
}
