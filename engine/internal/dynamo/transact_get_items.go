package dynamo

// TransactGetItemsInput is the input of TransactGetItems. TransactItems is nil
// when it was not sent.
type TransactGetItemsInput struct {
	TransactItems          []TransactGetItem
	ReturnConsumedCapacity string
}

// A TransactGetItem is one read of a transaction.
type TransactGetItem struct {
	Get *TransactGet // nil when it was not sent
}

// A TransactGet names the item to read.
type TransactGet struct {
	TableName            *string
	Key                  RawItem
	ProjectionExpression *string
	Names                map[string]string // ExpressionAttributeNames
}

// TransactGetItemsOutput is the output of TransactGetItems: one item for each
// read, nil where none was found.
type TransactGetItemsOutput struct {
	Responses        []Item
	ConsumedCapacity []ConsumedCapacity
	Memory           // of the items
}
