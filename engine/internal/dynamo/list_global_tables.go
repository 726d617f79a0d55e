package dynamo

// ListGlobalTablesInput is the input of ListGlobalTables.
type ListGlobalTablesInput struct {
	ExclusiveStartGlobalTableName *string
	Limit                         *int32
	RegionName                    *string
}

// ListGlobalTablesOutput is the output of ListGlobalTables.
type ListGlobalTablesOutput struct {
	GlobalTables                 []GlobalTable
	LastEvaluatedGlobalTableName *string
}

// GlobalTable names a legacy global table. There are none.
type GlobalTable struct{}
