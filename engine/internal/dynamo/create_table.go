package dynamo

// CreateTableInput is the input of CreateTable.
type CreateTableInput struct {
	AttributeDefinitions      []AttributeDefinition
	BillingMode               string
	DeletionProtectionEnabled *bool
	GlobalSecondaryIndexes    []GlobalSecondaryIndex
	KeySchema                 []KeySchemaElement
	LocalSecondaryIndexes     []LocalSecondaryIndex
	OnDemandThroughput        *OnDemandThroughput
	ProvisionedThroughput     *ProvisionedThroughput
	ResourcePolicy            *string
	SSESpecification          *SSESpecification
	StreamSpecification       *StreamSpecification
	TableClass                string
	TableName                 *string
	Tags                      []Tag
	VectorIndexes             []VectorIndex
	WarmThroughput            *WarmThroughput
}

// CreateTableOutput is the output of CreateTable.
type CreateTableOutput struct {
	TableDescription *TableDescription
}
