package dynamo

// BatchWriteItemInput is the input of BatchWriteItem. RequestItems is nil when
// it was not sent; its tables are in the order they were sent.
type BatchWriteItemInput struct {
	RequestItems                []TableWrites
	ReturnConsumedCapacity      string
	ReturnItemCollectionMetrics string
}

// TableWrites holds the writes to one table.
type TableWrites struct {
	TableName string
	Requests  []WriteRequest
}

// A WriteRequest puts Put or deletes the item with the key Delete; exactly one is set.
type WriteRequest struct {
	Put    *RawItem
	Delete *RawItem
}

// BatchWriteItemOutput is the output of BatchWriteItem.
type BatchWriteItemOutput struct {
	UnprocessedItems      []TableWrites
	ConsumedCapacity      []ConsumedCapacity
	ItemCollectionMetrics []TableCollectionMetrics
}

// TableCollectionMetrics holds the metrics of the item collections written in one table.
type TableCollectionMetrics struct {
	TableName string
	Metrics   []ItemCollectionMetrics
}
