package dynamo

// ScanInput is the input of Scan.
type ScanInput struct {
	TableName            *string
	IndexName            *string
	FilterExpression     *string
	ProjectionExpression *string
	Expressions
	ConsistentRead         *bool
	ExclusiveStartKey      RawItem
	Limit                  *int32
	ReturnConsumedCapacity string
	Segment                *int32
	Select                 string
	TotalSegments          *int32
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// ScanOutput is the output of Scan; it is a page like Query's.
type ScanOutput = QueryOutput
