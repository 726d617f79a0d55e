package dynamo

// DescribeGlobalTableSettingsInput is the input of DescribeGlobalTableSettings.
type DescribeGlobalTableSettingsInput struct {
	GlobalTableName *string
}

// DescribeGlobalTableSettingsOutput is the output of DescribeGlobalTableSettings. There are no
// global tables, so nothing returns it.
type DescribeGlobalTableSettingsOutput struct{}
