package dynamo

// QueryInput is the input of Query.
type QueryInput struct {
	PageParameters
	KeyConditionExpression *string
	KeyConditions          []RawCondition
	QueryFilter            []RawCondition
	ScanIndexForward       *bool
}

// QueryOutput is the output of Query.
type QueryOutput = PageOutput
