package catalog

import (
	"cmp"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeTable describes a table.
func (c *Catalog) DescribeTable(table string) (*dynamo.TableDescription, error) {
	t, err := c.find(table)
	if err != nil {
		return nil, err
	}
	return t.describe(dynamo.StatusActive), nil
}

// onDemandWarm is the default warm throughput of an on-demand table.
var onDemandWarm = dynamo.Throughput{Read: 12000, Write: 4000}

func (t *Table) describe(status string) *dynamo.TableDescription {
	def := &t.Definition
	items, size := t.Counter.Sum()
	d := &dynamo.TableDescription{
		CreationDateTime:          &t.Created,
		DeletionProtectionEnabled: &def.DeletionProtection,
		ItemCount:                 &items,
		KeySchema:                 describeKey(def.Key),
		OnDemandThroughput:        describeOnDemand(def.OnDemand),
		TableArn:                  &t.arn,
		TableId:                   &t.UUID,
		TableName:                 &def.Name,
		TableSizeBytes:            &size,
		TableStatus:               status,
		ProvisionedThroughput:     t.History.describe(def.Throughput, t.now()),
	}
	for _, a := range slices.SortedFunc(slices.Values(def.Attributes), byName) {
		d.AttributeDefinitions = append(d.AttributeDefinitions, dynamo.AttributeDefinition{AttributeName: &a.Name, AttributeType: a.Kind.String()})
	}
	d.WarmThroughput = t.describeWarm(def.Warm, def.Throughput, status)
	t.describeBilling(d)
	t.describeStream(d)
	indexStatus := status
	if status == dynamo.StatusUpdating { // of the table, not of its indexes
		indexStatus = dynamo.StatusActive
	}
	for _, x := range t.Indexes {
		t.describeIndex(d, x, indexStatus)
	}
	for _, x := range t.Vectors {
		t.describeVector(d, x, indexStatus)
	}
	return d
}

func byName(a, b dynamo.KeyAttribute) int { return cmp.Compare(a.Name, b.Name) }

func (t *Table) describeBilling(d *dynamo.TableDescription) {
	def := &t.Definition
	if def.BillingMode == dynamo.BillingOnDemand || t.History.BecameOnDemand != nil {
		d.BillingModeSummary = &dynamo.BillingModeSummary{BillingMode: def.BillingMode, LastUpdateToPayPerRequestDateTime: t.History.BecameOnDemand}
	}
	if def.Class != "" {
		d.TableClassSummary = &dynamo.TableClassSummary{TableClass: def.Class, LastUpdateDateTime: t.History.ClassChanged}
	}
	if e := def.Encryption; e != nil && e.Enabled != nil && *e.Enabled {
		arn := t.kmsKeyARN(e.KMSMasterKeyId)
		d.SSEDescription = &dynamo.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: &arn}
	}
}

// describeDeleted describes a deleted table, without keys, indexes, stream and
// encryption.
func (t *Table) describeDeleted() *dynamo.TableDescription {
	d := t.describe(dynamo.StatusDeleting)
	return &dynamo.TableDescription{
		BillingModeSummary:        d.BillingModeSummary,
		DeletionProtectionEnabled: d.DeletionProtectionEnabled,
		ItemCount:                 d.ItemCount,
		ProvisionedThroughput:     d.ProvisionedThroughput,
		TableArn:                  d.TableArn,
		TableClassSummary:         d.TableClassSummary,
		TableId:                   d.TableId,
		TableName:                 d.TableName,
		TableSizeBytes:            d.TableSizeBytes,
		TableStatus:               d.TableStatus,
	}
}

// describeStream describes the latest stream, even if it is disabled.
func (t *Table) describeStream(d *dynamo.TableDescription) {
	if t.record.Stream != "" {
		arn := t.streamARN(t.record.Stream)
		d.LatestStreamArn, d.LatestStreamLabel = &arn, &t.record.Stream
	}
	if t.Stream != nil {
		enabled := true
		d.StreamSpecification = &dynamo.StreamSpecification{StreamEnabled: &enabled, StreamViewType: t.Stream.View}
	}
}

func (t *Table) describeIndex(d *dynamo.TableDescription, x *Index, status string) {
	entries, size := x.Counter.Sum()
	arn := t.arn + "/index/" + x.Name
	projection := &dynamo.Projection{ProjectionType: x.ProjectionType, NonKeyAttributes: slices.Sorted(slices.Values(x.NonKeyAttributes))}
	if x.Local {
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, dynamo.LocalSecondaryIndexDescription{
			IndexArn: &arn, IndexName: &x.Name, IndexSizeBytes: &size, ItemCount: &entries,
			KeySchema: describeKey(x.Key), Projection: projection,
		})
		return
	}
	history := t.IndexHistory[x.Name]
	g := dynamo.GlobalSecondaryIndexDescription{
		IndexArn: &arn, IndexName: &x.Name, IndexSizeBytes: &size, IndexStatus: status, ItemCount: &entries,
		KeySchema: describeKey(x.Key), OnDemandThroughput: describeOnDemand(x.OnDemand), Projection: projection,
		ProvisionedThroughput: history.describe(x.Throughput, t.now()),
	}
	if x.Building {
		building := true
		g.IndexStatus, g.Backfilling = dynamo.StatusCreating, &building
	}
	g.WarmThroughput = t.describeWarm(x.Warm, x.Throughput, status)
	d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, g)
}

// describeWarm describes the warm throughput.
func (t *Table) describeWarm(asked *dynamo.Throughput, provisioned dynamo.Throughput, status string) *dynamo.WarmThroughputDescription {
	warm := t.warm(asked, provisioned)
	return &dynamo.WarmThroughputDescription{ReadUnitsPerSecond: &warm.Read, WriteUnitsPerSecond: &warm.Write, Status: status}
}

// warm returns the warm throughput of the table or a global index: the requested
// throughput, or the default of the billing mode.
func (t *Table) warm(asked *dynamo.Throughput, provisioned dynamo.Throughput) dynamo.Throughput {
	warm := provisioned
	if t.OnDemand() {
		warm = onDemandWarm
	}
	if asked != nil {
		warm = dynamo.Throughput{Read: max(warm.Read, asked.Read), Write: max(warm.Write, asked.Write)}
	}
	return warm
}

func describeKey(k dynamo.KeySchema) (elements []dynamo.KeySchemaElement) {
	for _, a := range k.Partition {
		elements = append(elements, dynamo.KeySchemaElement{AttributeName: &a.Name, KeyType: "HASH"})
	}
	for _, a := range k.Sort {
		elements = append(elements, dynamo.KeySchemaElement{AttributeName: &a.Name, KeyType: "RANGE"})
	}
	return elements
}

// describeOnDemand describes the caps; a side that was never capped is -1.
func describeOnDemand(t *dynamo.Throughput) *dynamo.OnDemandThroughput {
	if t == nil {
		return nil
	}
	read, write := cmp.Or(t.Read, -1), cmp.Or(t.Write, -1)
	return &dynamo.OnDemandThroughput{MaxReadRequestUnits: &read, MaxWriteRequestUnits: &write}
}
