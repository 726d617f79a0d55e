package dynamo

// ListExportsInput is the input of ListExports.
type ListExportsInput struct {
	MaxResults *int32
	NextToken  *string
	TableArn   *string
}

// ListExportsOutput is the output of ListExports.
type ListExportsOutput struct {
	ExportSummaries []ExportSummary
	NextToken       *string
}

// ExportSummary summarizes an export. There are none yet.
type ExportSummary struct{}
