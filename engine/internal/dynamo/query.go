package dynamo

// QueryInput is the input of Query.
type QueryInput struct {
	PageParameters
	KeyConditionExpression *string
	ScanIndexForward       *bool
}

// QueryOutput is the output of Query.
type QueryOutput = PageOutput
