package dynamo

import "time"

// The inputs mirror the API reference: a nil pointer or map is a parameter that
// was not sent, and enumerations are plain strings, empty when not sent. Doors
// fill them without judging; package request does the judging.

// A RawItem is an item or key as a door read it, with the first fault found in
// its values. A nil Item was not sent.
type RawItem struct {
	Item  Item
	Fault error
}

// RawValues are expression attribute values as a door read them, with the first
// fault found in them. A nil map was not sent.
type RawValues struct {
	ByName    map[string]Value
	Fault     error
	FaultName string // the placeholder the fault belongs to
}

// Expressions are the placeholders that all expressions of a request share.
type Expressions struct {
	Names  map[string]string // ExpressionAttributeNames
	Values RawValues         // ExpressionAttributeValues
}

// ConsumedCapacity tells what a request cost on one table. The read and write
// arms are zero where they do not apply.
type ConsumedCapacity struct {
	TableName     string
	Units         float64
	Write         bool // the units are write units
	Named         bool // transactions name the kind of units in an answer, too
	Detailed      bool // INDEXES was asked: the arms below are shown
	Table         float64
	LocalIndexes  []IndexCapacity
	GlobalIndexes []IndexCapacity
	VectorIndexes []IndexCapacity // in bytes, which are no part of Units
}

// IndexCapacity is what a request cost on one index.
type IndexCapacity struct {
	IndexName string
	Units     float64
}

// ItemCollectionMetrics is the size estimate of the item collection a write
// touched, on tables with a local index.
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

// Projection says what an index carries besides the keys.
type Projection struct {
	NonKeyAttributes []string
	ProjectionType   string // ALL, KEYS_ONLY or INCLUDE
}

// ProvisionedThroughput is capacity to provision.
type ProvisionedThroughput struct {
	ReadCapacityUnits  *int64
	WriteCapacityUnits *int64
}

// OnDemandThroughput caps on-demand capacity.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64
	MaxWriteRequestUnits *int64
}

// WarmThroughput is the capacity a table can take at once.
type WarmThroughput struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
}

// Tag labels a table.
type Tag struct {
	Key   *string
	Value *string
}

// StreamSpecification switches a table's stream on or off.
type StreamSpecification struct {
	StreamEnabled  *bool
	StreamViewType string
}

// SSESpecification asks for encryption at rest.
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

// TableDescription is what the table operations answer.
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

// BillingModeSummary tells how a table is billed.
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

// SSEDescription tells how a table is encrypted.
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
