package dynamo

// DescribeExportInput is the input of DescribeExport.
type DescribeExportInput struct {
	ExportArn *string
}

// DescribeExportOutput is the output of DescribeExport. There are no exports, so nothing returns it.
type DescribeExportOutput struct{}
