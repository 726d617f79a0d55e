package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An indexRule defines the contents of an index of the crash tests.
type indexRule struct {
	key       []string // hash, sort
	projected []string // besides the keys; nil: everything
	all       bool
	local     bool
}

var indexRules = map[string]indexRule{
	"by-group": {key: []string{"group", "rank"}, all: true},
	"by-rank":  {key: []string{"rank"}},
	"local":    {key: []string{"pk", "rank"}, projected: []string{"op"}, local: true},
	"late":     {key: []string{"group", "op"}, projected: []string{"rank"}},
	"extra":    {key: []string{"rank", "op"}, all: true},
}

var attributeKinds = map[string]types.ScalarAttributeType{"pk": "S", "sk": "S", "group": "S", "rank": "N", "op": "N"}

func (r indexRule) keySchema() []types.KeySchemaElement {
	schema := []types.KeySchemaElement{{AttributeName: &r.key[0], KeyType: types.KeyTypeHash}}
	if len(r.key) > 1 {
		schema = append(schema, types.KeySchemaElement{AttributeName: &r.key[1], KeyType: types.KeyTypeRange})
	}
	return schema
}

func (r indexRule) projection() *types.Projection {
	switch {
	case r.all:
		return &types.Projection{ProjectionType: types.ProjectionTypeAll}
	case r.projected != nil:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: r.projected}
	}
	return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
}

func definitions(names ...string) (list []types.AttributeDefinition) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list = append(list, types.AttributeDefinition{AttributeName: &name, AttributeType: attributeKinds[name]})
	}
	return list
}

// An admin changes the tables while workers write.
type admin struct{ *actor }

// step returns a step whose call changes the shape of a table.
func (a *admin) step(what, table string, change func(*shape), run func(context.Context, *API) error) *step {
	s := &step{what: what + " " + table, run: run, next: a.last().clone()}
	after := s.next.shapes[table]
	change(&after)
	s.next.shapes[table] = after
	return s
}

func (a *admin) createTable(table string, stream bool, indexes ...string) *step {
	in := &dynamodb.CreateTableInput{TableName: &table, BillingMode: types.BillingModePayPerRequest,
		KeySchema: indexRule{key: []string{"pk", "sk"}}.keySchema()}
	used := []string{"pk", "sk"}
	for _, name := range indexes {
		r := indexRules[name]
		used = append(used, r.key...)
		if r.local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes,
				types.LocalSecondaryIndex{IndexName: &name, KeySchema: r.keySchema(), Projection: r.projection()})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes,
			types.GlobalSecondaryIndex{IndexName: &name, KeySchema: r.keySchema(), Projection: r.projection()})
	}
	in.AttributeDefinitions = definitions(used...)
	if stream {
		in.StreamSpecification = streamOn
	}
	after := shape{indexes: joined(indexes), stream: stream}
	return a.step("create", table, func(s *shape) { *s = after }, func(ctx context.Context, api *API) error {
		_, err := api.CreateTable(ctx, in)
		return err
	})
}

func joined(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	return strings.Join(names, " ")
}

var (
	streamOn  = &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	streamOff = &types.StreamSpecification{StreamEnabled: new(false)}
)

func updateTable(in *dynamodb.UpdateTableInput) func(context.Context, *API) error {
	return func(ctx context.Context, api *API) error {
		_, err := api.UpdateTable(ctx, in)
		return err
	}
}

func (a *admin) switchStream(table string, on bool) *step {
	in := &dynamodb.UpdateTableInput{TableName: &table, StreamSpecification: streamOff}
	if on {
		in.StreamSpecification = streamOn
	}
	return a.step(fmt.Sprintf("stream %v of", on), table, func(s *shape) { s.stream = on }, updateTable(in))
}

func (a *admin) switchExpiry(table string, on bool) *step {
	return a.step(fmt.Sprintf("expiry %v of", on), table, func(s *shape) { s.expires = on }, func(ctx context.Context, api *API) error {
		_, err := api.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: &on}})
		return err
	})
}

func (a *admin) addIndex(table, index string) *step {
	r := indexRules[index]
	in := &dynamodb.UpdateTableInput{TableName: &table, AttributeDefinitions: definitions(slices.Clone(r.key)...),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: &index, KeySchema: r.keySchema(), Projection: r.projection()}}}}
	return a.step("add index "+index+" to", table,
		func(s *shape) { s.indexes = joined(append(strings.Fields(s.indexes), index)) }, updateTable(in))
}

func (a *admin) dropIndex(table, index string) *step {
	in := &dynamodb.UpdateTableInput{TableName: &table,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &index}}}}
	return a.step("drop index "+index+" of", table, func(s *shape) {
		s.indexes = joined(slices.DeleteFunc(strings.Fields(s.indexes), func(name string) bool { return name == index }))
	}, updateTable(in))
}

func (a *admin) deleteTable(table string) *step {
	s := a.step("delete", table, func(*shape) {}, func(ctx context.Context, api *API) error {
		_, err := api.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
		return err
	})
	delete(s.next.shapes, table)
	for id := range s.next.items {
		if id.table == table {
			delete(s.next.items, id)
		}
	}
	return s
}

// fill puts a few items that the administrator owns into a table.
func (a *admin) fill(table string) *step {
	s := &step{what: "fill " + table, next: a.last().clone()}
	requests := map[string][]types.WriteRequest{}
	for i := range 10 {
		id := itemID{table, fmt.Sprintf("%s-%d", a.name, i), fmt.Sprint(len(a.steps))}
		d := doc{"pk": id.pk, "sk": id.sk, "op": len(a.steps), "rank": i}
		s.next.items[id] = d.stored()
		requests[table] = append(requests[table], types.WriteRequest{PutRequest: &types.PutRequest{Item: d.attributes()}})
	}
	s.run = runBatch(requests)
	return s
}

// splitShard replaces a shard of a table's stream with two.
func (a *admin) splitShard(db *DB, table string) *step {
	return a.step("split a shard of", table, func(*shape) {}, func(ctx context.Context, _ *API) error {
		c := db.api.ops.catalog
		stream := c.Lookup(table).Stream
		return c.ReplaceShard(ctx, stream.ARN, stream.Open()[0].Log, 2)
	})
}
