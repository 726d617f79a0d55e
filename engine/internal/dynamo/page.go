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
	// Recycle, where it is set, takes back the memory of Items; see Release.
	Recycle func()
}

// Release gives the memory of the items back for the next page. A door calls it
// when it has written its answer and uses nothing of the output any more.
func (o *PageOutput) Release() {
	if o.Recycle != nil {
		o.Recycle()
	}
}
