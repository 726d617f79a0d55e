package dynamo

// BatchGetItemInput is the input of BatchGetItem. RequestItems is nil when it
// was not sent; its tables are in the order they were sent.
type BatchGetItemInput struct {
	RequestItems           []KeysAndAttributes
	ReturnConsumedCapacity string
}

// KeysAndAttributes lists the keys to read from one table, and which attributes.
type KeysAndAttributes struct {
	TableName            string
	Keys                 []RawItem
	AttributesToGet      []string
	ConsistentRead       *bool
	ProjectionExpression *string
	Names                map[string]string // ExpressionAttributeNames
}

// BatchGetItemOutput is the output of BatchGetItem.
type BatchGetItemOutput struct {
	Responses        []TableItems // tables in the order of the request
	UnprocessedKeys  []KeysAndAttributes
	ConsumedCapacity []ConsumedCapacity
	Memory           // of the items
}

// TableItems holds the items found in one table.
type TableItems struct {
	TableName string
	Items     []Item
}
