package oracle

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateTable is a step.
type CreateTable struct {
	Table   string
	Hash    string
	Sort    string
	Types   map[string]string // of all key attributes
	Indexes []Index
	View    types.StreamViewType // of the stream; empty: none
}

func (s CreateTable) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.CreateTableInput{
		TableName: &s.Table, BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: definitions(s.table().types),
		KeySchema: s.table().index("").keySchema(), StreamSpecification: streamSpecification(s.View),
	}
	for i := range s.Indexes {
		x := &s.Indexes[i]
		if x.Local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: &x.Name, KeySchema: x.keySchema(), Projection: x.projection()})
		} else {
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: &x.Name, KeySchema: x.keySchema(), Projection: x.projection()})
		}
	}
	_, err := db.CreateTable(ctx, in)
	return nil, err
}

func (s CreateTable) expect(m *Model) (any, *Failure) {
	if m.tables[s.Table] != nil {
		return nil, &Failure{Code: "ResourceInUseException", Messages: []string{"Table already exists: " + s.Table}}
	}
	t := s.table()
	m.tables[s.Table] = t
	if s.View != "" {
		m.openStream(t, s.View)
	}
	return nil, nil
}

func (s CreateTable) table() *table {
	t := &table{name: s.Table, hash: s.Hash, sort: s.Sort, types: maps.Clone(s.Types), indexes: slices.Clone(s.Indexes), items: map[string]Item{}, tags: map[string]string{}}
	t.forgetTypes()
	return t
}

// forgetTypes removes the types of attributes that are in no key.
func (t *table) forgetTypes() {
	used := t.key()
	for _, x := range t.indexes {
		used = append(used, x.key()...)
	}
	maps.DeleteFunc(t.types, func(name, _ string) bool { return !slices.Contains(used, name) })
}

func definitions(of map[string]string) (all []types.AttributeDefinition) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeType(of[name])})
	}
	return all
}

func (x *Index) keySchema() (elements []types.KeySchemaElement) {
	for _, name := range x.Hash {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash})
	}
	for _, name := range x.Sort {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange})
	}
	return elements
}

func (x *Index) projection() *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionType(x.Project), NonKeyAttributes: x.Include}
}

func streamSpecification(view types.StreamViewType) *types.StreamSpecification {
	if view == "" {
		return nil
	}
	on := true
	return &types.StreamSpecification{StreamEnabled: &on, StreamViewType: view}
}

// DeleteTable is a step.
type DeleteTable struct{ Table string }

func (s DeleteTable) do(ctx context.Context, db Tables) (any, error) {
	_, err := db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &s.Table})
	return nil, err
}

func (s DeleteTable) expect(m *Model) (any, *Failure) {
	if m.tables[s.Table] == nil {
		return nil, tableNotFound(s.Table)
	}
	if m.tables[s.Table].guarded {
		return nil, refuse("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	delete(m.tables, s.Table)
	return nil, nil
}

func tableNotFound(name string) *Failure {
	return notFound("Requested resource not found: Table: " + name + " not found")
}

// SetStream is a step: an UpdateTable that enables the stream with a view, or disables it without one.
type SetStream struct {
	Table string
	View  types.StreamViewType
}

func (s SetStream) do(ctx context.Context, db Tables) (any, error) {
	specification := streamSpecification(s.View)
	if specification == nil {
		specification = &types.StreamSpecification{StreamEnabled: new(bool)}
	}
	_, err := db.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &s.Table, StreamSpecification: specification})
	return nil, err
}

func (s SetStream) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	switch {
	case t == nil:
		return nil, tableNotFound(s.Table)
	case s.View != "" && t.stream != nil:
		return nil, refuse("Table already has an enabled stream: TableName: " + s.Table)
	case s.View == "" && t.stream == nil:
		return nil, refuse("Table has no stream to disable: TableName: " + s.Table)
	case s.View == "":
		t.stream = nil
	default:
		m.openStream(t, s.View)
	}
	return nil, nil
}

// SetExpiry is a step: an UpdateTimeToLive.
type SetExpiry struct {
	Table     string
	Attribute string
	On        bool
}

func (s SetExpiry) do(ctx context.Context, db Tables) (any, error) {
	return db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &s.Table, TimeToLiveSpecification: s.specification()})
}

func (s SetExpiry) specification() *types.TimeToLiveSpecification {
	return &types.TimeToLiveSpecification{AttributeName: &s.Attribute, Enabled: &s.On}
}

func (s SetExpiry) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	switch {
	case t == nil:
		return nil, tableNotFound(s.Table)
	case t.ttl == "" && !s.On:
		return nil, refuse("TimeToLive is already disabled")
	case t.ttl != "" && t.ttl != s.Attribute:
		return nil, refuse("TimeToLive is active on a different AttributeName: current AttributeName is " + t.ttl)
	case t.ttl != "" && s.On:
		return nil, refuse("TimeToLive is already enabled")
	case s.On:
		t.ttl = s.Attribute
	default:
		t.ttl = ""
	}
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: s.specification()}, nil
}
