package dynamo

// QueryInput is the input of Query.
type QueryInput struct {
	TableName              *string
	IndexName              *string
	KeyConditionExpression *string
	FilterExpression       *string
	ProjectionExpression   *string
	Expressions
	ConsistentRead         *bool
	ExclusiveStartKey      RawItem
	Limit                  *int32
	ReturnConsumedCapacity string
	ScanIndexForward       *bool
	Select                 string
	// Legacy names the parameters of the API before expressions that were sent.
	Legacy []string
}

// QueryOutput is the output of Query. Items is nil when only a count was asked.
type QueryOutput struct {
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
func (o *QueryOutput) Release() {
	if o.Recycle != nil {
		o.Recycle()
	}
}
