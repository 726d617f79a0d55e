package dynamo

// DescribeTableInput is the input of DescribeTable.
type DescribeTableInput struct {
	TableName *string
}

// DescribeTableOutput is the output of DescribeTable.
type DescribeTableOutput struct {
	Table *TableDescription
}
