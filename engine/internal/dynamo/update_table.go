package dynamo

// UpdateTableInput is the input of UpdateTable.
type UpdateTableInput struct {
	AttributeDefinitions        []AttributeDefinition
	BillingMode                 string
	DeletionProtectionEnabled   *bool
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdate
	OnDemandThroughput          *OnDemandThroughput
	ProvisionedThroughput       *ProvisionedThroughput
	SSESpecification            *SSESpecification
	StreamSpecification         *StreamSpecification
	TableClass                  string
	TableName                   *string
	VectorIndexUpdates          []VectorIndexUpdate
	WarmThroughput              *WarmThroughput
}

// GlobalSecondaryIndexUpdate changes one global index.
type GlobalSecondaryIndexUpdate struct {
	Create *GlobalSecondaryIndex
	Delete *DeleteGlobalSecondaryIndexAction
	Update *UpdateGlobalSecondaryIndexAction
}

// DeleteGlobalSecondaryIndexAction drops a global index.
type DeleteGlobalSecondaryIndexAction struct {
	IndexName *string
}

// UpdateGlobalSecondaryIndexAction changes the capacity of a global index.
type UpdateGlobalSecondaryIndexAction struct {
	IndexName             *string
	OnDemandThroughput    *OnDemandThroughput
	ProvisionedThroughput *ProvisionedThroughput
	WarmThroughput        *WarmThroughput
}

// UpdateTableOutput is the output of UpdateTable.
type UpdateTableOutput struct {
	TableDescription *TableDescription
}
