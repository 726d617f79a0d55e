package provision

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateInput returns the request that creates the table with its indexes and its shape. Time to live and
// point-in-time recovery are no part of it: DynamoDB has requests of their own for them.
func (t Table) CreateInput() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(t.Name),
		AttributeDefinitions: definitions(t.keys()),
		KeySchema:            keySchema([]Key{t.PK}, t.primary()[1:]),
		BillingMode:          types.BillingModePayPerRequest,
		SSESpecification:     t.encryption(),
		Tags:                 tagList(t.allTags()),
	}
	if t.provisioned() {
		in.BillingMode = types.BillingModeProvisioned
		in.ProvisionedThroughput = throughput(t.RCU, t.WCU)
	}
	if t.Class != "" {
		in.TableClass = tableClasses[t.Class]
	}
	if t.Stream != "" {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: streamViews[t.Stream]}
	}
	if t.Protect {
		in.DeletionProtectionEnabled = aws.Bool(true)
	}
	for _, x := range t.Indexes {
		if x.Local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: aws.String(x.Name), KeySchema: keySchema(t.partition(x), x.SK), Projection: x.projection(),
			})
			continue
		}
		create := t.createIndex(x)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: create.IndexName, KeySchema: create.KeySchema, Projection: create.Projection,
			ProvisionedThroughput: create.ProvisionedThroughput,
		})
	}
	return in
}

// createIndex returns the part of a request that adds a global index.
func (t Table) createIndex(x Index) *types.CreateGlobalSecondaryIndexAction {
	create := &types.CreateGlobalSecondaryIndexAction{
		IndexName: aws.String(x.Name), KeySchema: keySchema(x.PK, x.SK), Projection: x.projection(),
	}
	if t.provisioned() {
		create.ProvisionedThroughput = throughput(t.capacity(x))
	}
	return create
}

// encryption returns nil for DynamoDB's own key.
func (t Table) encryption() *types.SSESpecification {
	if t.Encryption == "" || t.Encryption == "aws-owned" {
		return nil
	}
	s := &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}
	if t.Encryption == "customer" && t.KMSKey != "" {
		s.KMSMasterKeyId = aws.String(t.KMSKey)
	}
	return s
}

// projection returns the projection of the index as DynamoDB takes it.
func (x Index) projection() *types.Projection {
	switch {
	case len(x.Attributes) > 0:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: x.Attributes}
	case x.Project == "keys":
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	}
	return &types.Projection{ProjectionType: types.ProjectionTypeAll}
}

// definitions names every attribute once: DynamoDB refuses more, and those of no key.
func definitions(keys []Key) []types.AttributeDefinition {
	var all []types.AttributeDefinition
	for i, k := range keys {
		if !slices.ContainsFunc(keys[:i], func(before Key) bool { return before.Name == k.Name }) {
			all = append(all, types.AttributeDefinition{AttributeName: aws.String(k.Name), AttributeType: types.ScalarAttributeType(k.Kind)})
		}
	}
	return all
}

// keySchema returns a key of one or more attributes on each side.
func keySchema(partition, sort []Key) []types.KeySchemaElement {
	var all []types.KeySchemaElement
	for _, k := range partition {
		all = append(all, types.KeySchemaElement{AttributeName: aws.String(k.Name), KeyType: types.KeyTypeHash})
	}
	for _, k := range sort {
		all = append(all, types.KeySchemaElement{AttributeName: aws.String(k.Name), KeyType: types.KeyTypeRange})
	}
	return all
}

func throughput(rcu, wcu int64) *types.ProvisionedThroughput {
	return &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(rcu), WriteCapacityUnits: aws.Int64(wcu)}
}

func tagList(tags map[string]string) []types.Tag {
	var all []types.Tag
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		all = append(all, types.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
	}
	return all
}
