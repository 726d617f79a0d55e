package dynamo

// DescribeGlobalTableInput is the input of DescribeGlobalTable.
type DescribeGlobalTableInput struct {
	GlobalTableName *string
}

// DescribeGlobalTableOutput is the output of DescribeGlobalTable. There are no global tables, so
// nothing returns it.
type DescribeGlobalTableOutput struct{}
