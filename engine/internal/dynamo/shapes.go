package dynamo

import "time"

// The inputs mirror the API reference: a nil pointer or map is a parameter that
// was not sent, and enumerations are plain strings, empty when not sent. Doors
// fill them without validation; package request validates them.

// A RawItem is an item or key as a door decoded it, with the first fault found in
// its values. Item is nil if it was not sent.
type RawItem struct {
	Item  Item
	Fault error
}

// RawValues holds expression attribute values as a door decoded them, with the first
// fault found in them. The map is nil if it was not sent.
type RawValues struct {
	ByName    map[string]Value
	Fault     error
	FaultName string // the placeholder the fault belongs to
}

// Expressions holds the placeholders that all expressions of a request share.
type Expressions struct {
	Names  map[string]string // ExpressionAttributeNames
	Values RawValues         // ExpressionAttributeValues
}

// ConsumedCapacity is the capacity that a request consumed on one table.
type ConsumedCapacity struct {
	TableName     string
	Units         float64
	Write         bool // the units are write units
	Named         bool // a transaction's response also names the kind of units
	Detailed      bool // INDEXES was requested: the fields below are returned
	Table         float64
	LocalIndexes  []IndexCapacity
	GlobalIndexes []IndexCapacity
	VectorIndexes []IndexCapacity // in bytes, not included in Units
}

// IndexCapacity is the capacity that a request consumed on one index.
type IndexCapacity struct {
	IndexName string
	Units     float64
}

// ItemCollectionMetrics is the size estimate of the item collection that a write
// changed, on tables with a local index.
type ItemCollectionMetrics struct {
	Key     Item // the partition key alone
	LowerGB float64
	UpperGB float64
}

// KeySchemaElement names one attribute of a key.
type KeySchemaElement struct {
	AttributeName *string
	KeyType       string // HASH or RANGE
}

// AttributeDefinition gives the type of a key attribute.
type AttributeDefinition struct {
	AttributeName *string
	AttributeType string // S, N or B
}

// Projection says which attributes an index holds besides the keys.
type Projection struct {
	NonKeyAttributes []string
	ProjectionType   string // ALL, KEYS_ONLY or INCLUDE
}

// ProvisionedThroughput is the capacity to provision.
type ProvisionedThroughput struct {
	ReadCapacityUnits  *int64
	WriteCapacityUnits *int64
}

// OnDemandThroughput limits on-demand capacity.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64
	MaxWriteRequestUnits *int64
}

// WarmThroughput is the capacity that a table can serve immediately.
type WarmThroughput struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
}

// Tag labels a table.
type Tag struct {
	Key   *string
	Value *string
}

// StreamSpecification enables or disables a table's stream.
type StreamSpecification struct {
	StreamEnabled  *bool
	StreamViewType string
}

// SSESpecification configures encryption at rest.
type SSESpecification struct {
	Enabled        *bool
	KMSMasterKeyId *string
	SSEType        string
}

// GlobalSecondaryIndex defines a global index.
type GlobalSecondaryIndex struct {
	IndexName             *string
	KeySchema             []KeySchemaElement
	Projection            *Projection
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// LocalSecondaryIndex defines a local index.
type LocalSecondaryIndex struct {
	IndexName  *string
	KeySchema  []KeySchemaElement
	Projection *Projection
}

// TableDescription is the description that the table operations return.
type TableDescription struct {
	AttributeDefinitions      []AttributeDefinition
	BillingModeSummary        *BillingModeSummary
	CreationDateTime          *time.Time
	DeletionProtectionEnabled *bool
	GlobalSecondaryIndexes    []GlobalSecondaryIndexDescription
	ItemCount                 *int64
	KeySchema                 []KeySchemaElement
	LatestStreamArn           *string
	LatestStreamLabel         *string
	LocalSecondaryIndexes     []LocalSecondaryIndexDescription
	OnDemandThroughput        *OnDemandThroughput
	ProvisionedThroughput     *ProvisionedThroughputDescription
	SSEDescription            *SSEDescription
	StreamSpecification       *StreamSpecification
	TableArn                  *string
	TableClassSummary         *TableClassSummary
	TableId                   *string
	TableName                 *string
	TableSizeBytes            *int64
	TableStatus               string
	VectorIndexes             []VectorIndexDescription
	WarmThroughput            *WarmThroughputDescription
}

// BillingModeSummary says how a table is billed.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime *time.Time
}

// ProvisionedThroughputDescription is provisioned capacity with its history.
type ProvisionedThroughputDescription struct {
	LastDecreaseDateTime   *time.Time
	LastIncreaseDateTime   *time.Time
	NumberOfDecreasesToday *int64
	ReadCapacityUnits      *int64
	WriteCapacityUnits     *int64
}

// WarmThroughputDescription is the warm throughput of a table or index.
type WarmThroughputDescription struct {
	ReadUnitsPerSecond  *int64
	Status              string
	WriteUnitsPerSecond *int64
}

// SSEDescription says how a table is encrypted.
type SSEDescription struct {
	KMSMasterKeyArn *string
	SSEType         string
	Status          string
}

// TableClassSummary is a table's class and when it last changed.
type TableClassSummary struct {
	LastUpdateDateTime *time.Time
	TableClass         string
}

// GlobalSecondaryIndexDescription describes a global index.
type GlobalSecondaryIndexDescription struct {
	Backfilling           *bool
	IndexArn              *string
	IndexName             *string
	IndexSizeBytes        *int64
	IndexStatus           string
	ItemCount             *int64
	KeySchema             []KeySchemaElement
	OnDemandThroughput    *OnDemandThroughput
	Projection            *Projection
	ProvisionedThroughput *ProvisionedThroughputDescription
	WarmThroughput        *WarmThroughputDescription
}

// LocalSecondaryIndexDescription describes a local index.
type LocalSecondaryIndexDescription struct {
	IndexArn       *string
	IndexName      *string
	IndexSizeBytes *int64
	ItemCount      *int64
	KeySchema      []KeySchemaElement
	Projection     *Projection
}
