package dynamo

// ListTablesInput is the input of ListTables.
type ListTablesInput struct {
	ExclusiveStartTableName *string
	Limit                   *int32
}

// ListTablesOutput is the output of ListTables.
type ListTablesOutput struct {
	LastEvaluatedTableName *string
	TableNames             []string
}
