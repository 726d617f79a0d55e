package dynamo

// PageParameters are the parameters that Query and Scan share.
type PageParameters struct {
	TableName            *string
	IndexName            *string
	FilterExpression     *string
	ProjectionExpression *string
	AttributesToGet      []string
	ConditionalOperator  string
	Expressions
	ConsistentRead         *bool
	ExclusiveStartKey      RawItem
	Limit                  *int32
	ReturnConsumedCapacity string
	Select                 string

	// Visit, where a door sets it, gets the items one by one while the page is
	// read, and Items stays empty. An item is valid only during the call. A page
	// that fails may have visited items before.
	Visit func(Item)
}

// Page is what QueryInput and ScanInput have in common.
func (p *PageParameters) Page() *PageParameters { return p }

// PageOutput is the output of Query and Scan. Items is nil when only a count
// was asked.
type PageOutput struct {
	Items            []Item
	Count            int
	ScannedCount     int
	ScannedSize      int // in bytes
	LastEvaluatedKey Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the items
}
