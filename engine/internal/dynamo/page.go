package dynamo

// PageParameters are the parameters that Query and Scan share.
type PageParameters struct {
	TableName            *string
	IndexName            *string
	FilterExpression     *string
	ProjectionExpression *string
	Expressions
	ConsistentRead         *bool
	ExclusiveStartKey      RawItem
	Limit                  *int32
	ReturnConsumedCapacity string
	Select                 string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// PageOutput is the output of Query and Scan. Items is nil when only a count
// was asked.
type PageOutput struct {
	Items            []Item
	Count            int
	ScannedCount     int
	LastEvaluatedKey Item
	ConsumedCapacity *ConsumedCapacity
	Memory           // of the items
}
