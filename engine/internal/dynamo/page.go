package dynamo

// PageParameters holds the parameters that Query and Scan share.
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

	// Visit, if a door sets it, is called with each item while the page is
	// read, and Items stays empty. An item is valid only during the call. A page
	// that fails may have visited items before.
	Visit func(Item)
}

// Page returns the parameters that QueryInput and ScanInput share.
func (p *PageParameters) Page() *PageParameters { return p }

// PageOutput is the output of Query and Scan. Items is nil when only a count
// was requested.
type PageOutput struct {
	Items            []Item
	Count            int
	ScannedCount     int
	ScannedSize      int // in bytes
	LastEvaluatedKey Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the items
}
