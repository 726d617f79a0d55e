package dynamo

// ListImportsInput is the input of ListImports.
type ListImportsInput struct {
	NextToken *string
	PageSize  *int32
	TableArn  *string
}

// ListImportsOutput is the output of ListImports.
type ListImportsOutput struct {
	ImportSummaryList []ImportSummary
	NextToken         *string
}

// ImportSummary summarizes an import. There are none yet.
type ImportSummary struct{}
