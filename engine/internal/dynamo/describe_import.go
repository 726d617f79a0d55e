package dynamo

// DescribeImportInput is the input of DescribeImport.
type DescribeImportInput struct {
	ImportArn *string
}

// DescribeImportOutput is the output of DescribeImport. There are no imports, so nothing returns it.
type DescribeImportOutput struct{}
