package oracle

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DescribeTable is a step. It includes DescribeTimeToLive and ListTagsOfResource.
type DescribeTable struct{ Table string }

// A description holds the parts of their responses that the model knows.
type description struct {
	Key         []types.KeySchemaElement
	Definitions []types.AttributeDefinition
	Items, Size int64
	Indexes     []indexDescription
	View        types.StreamViewType
	HasStream   bool // now or once
	Expiry      *types.TimeToLiveDescription
	Status      types.TableStatus
	Guarded     bool
	Tags        map[string]string
}

type indexDescription struct {
	Name        string
	Local       bool
	Key         []types.KeySchemaElement
	Projection  *types.Projection
	Items, Size int64
	Status      types.IndexStatus
}

func (s DescribeTable) do(ctx context.Context, db Tables) (any, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.Table})
	if err != nil {
		return nil, err
	}
	expiry, err := db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &s.Table})
	if err != nil {
		return nil, err
	}
	tags, err := db.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: out.Table.TableArn})
	if err != nil {
		return nil, err
	}
	t := out.Table
	d := &description{
		Guarded: aws.ToBool(t.DeletionProtectionEnabled), Tags: map[string]string{},
		Key: t.KeySchema, Definitions: t.AttributeDefinitions, Items: aws.ToInt64(t.ItemCount), Size: aws.ToInt64(t.TableSizeBytes),
		HasStream: t.LatestStreamArn != nil, Expiry: expiry.TimeToLiveDescription, Status: t.TableStatus,
	}
	for _, tag := range tags.Tags {
		d.Tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}
	if t.StreamSpecification != nil {
		d.View = t.StreamSpecification.StreamViewType
	}
	for _, x := range t.LocalSecondaryIndexes {
		d.Indexes = append(d.Indexes, indexDescription{aws.ToString(x.IndexName), true, x.KeySchema, x.Projection, aws.ToInt64(x.ItemCount), aws.ToInt64(x.IndexSizeBytes), ""})
	}
	for _, x := range t.GlobalSecondaryIndexes {
		d.Indexes = append(d.Indexes, indexDescription{aws.ToString(x.IndexName), false, x.KeySchema, x.Projection, aws.ToInt64(x.ItemCount), aws.ToInt64(x.IndexSizeBytes), x.IndexStatus})
	}
	return d, nil
}

// check waits for the counts after a crash, when the database recounts.
func (s DescribeTable) check(ctx context.Context, p *player) *Problem {
	return s.compare(ctx, p, p.crashed)
}

// compare compares the description with the model. With wait the counts may be wrong at first.
func (s DescribeTable) compare(ctx context.Context, p *player, wait bool) *Problem {
	want, failure := s.expect(p.model)
	var got any
	var err error
	describe := func() (done bool, _ error) {
		got, err = s.do(ctx, p.db.Tables())
		return err != nil || difference(got, want) == "" || !wait, nil
	}
	if waited := eventually(ctx, describe); waited != nil {
		return problem("answer", "%v\n%s", waited, difference(got, want))
	}
	return p.compare(got, want, err, failure)
}

func (s DescribeTable) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	if t == nil {
		return nil, tableNotFound(s.Table)
	}
	d := &description{Guarded: t.guarded, Tags: t.tags, Key: t.index("").keySchema(), Definitions: definitions(t.types), Status: types.TableStatusActive, HasStream: t.latest != nil}
	d.Items, d.Size = t.count(t.index(""))
	if t.stream != nil {
		d.View = t.stream.view
	}
	d.Expiry = &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled}
	if t.ttl != "" {
		d.Expiry = &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusEnabled, AttributeName: &t.ttl}
	}
	for _, local := range []bool{true, false} {
		for i := range t.indexes {
			if x := &t.indexes[i]; x.Local == local {
				d.Indexes = append(d.Indexes, t.describe(x))
			}
		}
	}
	return d, nil
}

func (t *table) describe(x *Index) indexDescription {
	d := indexDescription{Name: x.Name, Local: x.Local, Key: x.keySchema(), Projection: x.projection()}
	d.Projection.NonKeyAttributes = slices.Sorted(slices.Values(x.Include))
	d.Items, d.Size = t.count(x)
	if !x.Local {
		d.Status = types.IndexStatusActive
	}
	return d
}

// count counts the entries of an index and their bytes.
func (t *table) count(x *Index) (items, size int64) {
	for _, e := range t.entries(x) {
		items++
		size += int64(itemSize(e))
	}
	return items, size
}

// ListTables is a step.
type ListTables struct{}

func (s ListTables) do(ctx context.Context, db Tables) (any, error) {
	return db.ListTables(ctx, &dynamodb.ListTablesInput{})
}

func (s ListTables) expect(m *Model) (any, *Failure) {
	names := m.names()
	if names == nil {
		names = []string{}
	}
	return &dynamodb.ListTablesOutput{TableNames: names}, nil
}
