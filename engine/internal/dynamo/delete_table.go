package dynamo

// DeleteTableInput is the input of DeleteTable.
type DeleteTableInput struct {
	TableName *string
}

// DeleteTableOutput is the output of DeleteTable.
type DeleteTableOutput struct {
	TableDescription *TableDescription
}
