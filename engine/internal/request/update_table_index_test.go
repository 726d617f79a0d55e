package request

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func addition(name string, words ...string) dynamo.GlobalSecondaryIndexUpdate {
	index := global(name, words...)
	return dynamo.GlobalSecondaryIndexUpdate{Create: &index}
}

func TestIndexChangeErrors(t *testing.T) {
	byB := addition("byB", "b", "HASH")
	altered := func(alter func(*dynamo.GlobalSecondaryIndex)) []dynamo.GlobalSecondaryIndexUpdate {
		index := global("byB", "b", "HASH")
		alter(&index)
		return change(dynamo.GlobalSecondaryIndexUpdate{Create: &index})
	}
	caps := func(reads int64) func(*dynamo.GlobalSecondaryIndex) {
		return func(g *dynamo.GlobalSecondaryIndex) {
			g.OnDemandThroughput = &dynamo.OnDemandThroughput{MaxReadRequestUnits: &reads}
		}
	}
	const iops = invalidHead + "You cannot create or delete index while updating table IOPS"

	tests := []struct {
		name    string
		in      dynamo.UpdateTableInput
		updates []dynamo.GlobalSecondaryIndexUpdate
		want    string
	}{
		{"added", dynamo.UpdateTableInput{}, change(byB), ""},
		{"removed", dynamo.UpdateTableInput{}, change(removal("byB")), ""},
		{"removed while others change", dynamo.UpdateTableInput{}, change(capacity("byC"), removal("byB")), ""},
		{"added with on-demand billing", dynamo.UpdateTableInput{BillingMode: "PAY_PER_REQUEST"}, change(byB), ""},
		{"one index twice", dynamo.UpdateTableInput{}, change(capacity("byB"), removal("byB")),
			invalidHead + "Only one global secondary index update per index is allowed simultaneously. Index: byB"},

		{"the capacity of an index with that of the table", dynamo.UpdateTableInput{ProvisionedThroughput: units(1, 1)}, change(capacity("byB")), ""},
		{"removed with warm throughput", dynamo.UpdateTableInput{WarmThroughput: warm(1)}, change(removal("byB")),
			invalidHead + "WarmThroughput must be the only operation in the request"},
		{"what clashes comes before what is wrong with a change", dynamo.UpdateTableInput{ProvisionedThroughput: units(1, 1)},
			change(byB, removal("byB")), iops},

		{"no definitions", dynamo.UpdateTableInput{AttributeDefinitions: defined()}, change(byB),
			invalidHead + "AttributeDefinitions is not specified for index: byB"},
		{"definitions to spare", dynamo.UpdateTableInput{AttributeDefinitions: defined("a", "b", "x")}, change(byB), ""},
		{"a definition twice", dynamo.UpdateTableInput{AttributeDefinitions: defined("b", "b")}, change(byB),
			"Attribute Name is duplicated: b"},
		{"bad definition", dynamo.UpdateTableInput{AttributeDefinitions: []dynamo.AttributeDefinition{{AttributeName: new("b"), AttributeType: "M"}}}, change(byB),
			one("Value 'M' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]")},
		{"a key that is not defined", dynamo.UpdateTableInput{AttributeDefinitions: defined("a", "x")}, change(byB),
			invalidHead + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: [a, x]"},
		{"sort key first", dynamo.UpdateTableInput{}, change(addition("byB", "b", "RANGE")),
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"most key attributes", dynamo.UpdateTableInput{AttributeDefinitions: defined("a", "b", "c", "d", "e", "f", "g", "h")},
			change(addition("many", "a", "HASH", "b", "HASH", "c", "HASH", "d", "HASH", "e", "RANGE", "f", "RANGE", "g", "RANGE", "h", "RANGE")), ""},
		{"too much capacity", dynamo.UpdateTableInput{}, altered(func(g *dynamo.GlobalSecondaryIndex) { g.ProvisionedThroughput = units(1, 1_000_000_000_001) }),
			"Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
		{"least cap", dynamo.UpdateTableInput{}, altered(caps(1)), ""},
		{"a new index has no cap to take away", dynamo.UpdateTableInput{}, altered(caps(-1)),
			invalidHead + "Requested MaxReadRequestUnits for OnDemandThroughput for index is outside of valid range"},
		{"new index without members", dynamo.UpdateTableInput{}, change(dynamo.GlobalSecondaryIndexUpdate{Create: &dynamo.GlobalSecondaryIndex{}}),
			"3 validation errors detected: " +
				"Value null at 'globalSecondaryIndexUpdates.1.member.create.indexName' failed to satisfy constraint: Member must not be null; " +
				"Value null at 'globalSecondaryIndexUpdates.1.member.create.keySchema' failed to satisfy constraint: Member must not be null; " +
				"Value null at 'globalSecondaryIndexUpdates.1.member.create.projection' failed to satisfy constraint: Member must not be null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.in.TableName = new("Music")
			test.in.GlobalSecondaryIndexUpdates = test.updates
			if test.in.AttributeDefinitions == nil {
				test.in.AttributeDefinitions = defined("a", "b")
			}
			_, err := CheckUpdateTable(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestOnlyOneIndexIsAddedOrRemoved(t *testing.T) {
	for name, updates := range map[string][]dynamo.GlobalSecondaryIndexUpdate{
		"two added":             change(addition("byA", "a", "HASH"), addition("byB", "b", "HASH")),
		"two removed":           change(removal("byA"), removal("byB")),
		"one added one removed": change(addition("byA", "a", "HASH"), capacity("byC"), removal("byB")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := CheckUpdateTable(&dynamo.UpdateTableInput{
				TableName: new("Music"), AttributeDefinitions: defined("a", "b"), GlobalSecondaryIndexUpdates: updates,
			})
			const want = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
			var e *dynamo.Error
			if !errors.As(err, &e) || e.Code != dynamo.LimitExceeded || e.Message != want {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestIndexChangesAreResolved(t *testing.T) {
	added := global("byB", "b", "HASH", "a", "RANGE")
	added.Projection = &dynamo.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"}}
	added.ProvisionedThroughput = units(1, 2)
	added.WarmThroughput = warm(3)
	in := &dynamo.UpdateTableInput{
		TableName: new("Music"), AttributeDefinitions: defined("z", "b", "a"),
		GlobalSecondaryIndexUpdates: change(capacity("byC"), dynamo.GlobalSecondaryIndexUpdate{Create: &added}),
	}
	in.AttributeDefinitions[1].AttributeType = "N"
	z := dynamo.KeyAttribute{Name: "z", Kind: dynamo.KindString}
	b := dynamo.KeyAttribute{Name: "b", Kind: dynamo.KindNumber}
	a := dynamo.KeyAttribute{Name: "a", Kind: dynamo.KindString}
	want := &UpdateTable{
		Table:   "Music",
		Indexes: []UpdateIndex{{Name: "byC", Throughput: &dynamo.Throughput{Read: 1, Write: 1}}},
		CreateIndex: &CreateIndex{
			IndexDefinition: dynamo.IndexDefinition{
				Name: "byB", Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{b}, Sort: []dynamo.KeyAttribute{a}},
				ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"},
				Throughput: dynamo.Throughput{Read: 1, Write: 2}, Warm: &dynamo.Throughput{Read: 3},
			},
			Attributes: []dynamo.KeyAttribute{z, b, a},
		},
	}
	got, err := CheckUpdateTable(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the update differs (-want +got):\n%s", diff)
	}
	got, err = CheckUpdateTable(&dynamo.UpdateTableInput{TableName: new("Music"), GlobalSecondaryIndexUpdates: change(removal("byB"))})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&UpdateTable{Table: "Music", DeleteIndex: "byB"}, got); diff != "" {
		t.Errorf("the update differs (-want +got):\n%s", diff)
	}
}

// stream returns a StreamSpecification.
func stream(enabled bool, view string) *dynamo.StreamSpecification {
	return &dynamo.StreamSpecification{StreamEnabled: &enabled, StreamViewType: view}
}

func TestStreamChangeErrors(t *testing.T) {
	tests := []struct {
		name string
		in   dynamo.UpdateTableInput
		want string
	}{
		{"on", dynamo.UpdateTableInput{StreamSpecification: stream(true, "NEW_AND_OLD_IMAGES")}, ""},
		{"off", dynamo.UpdateTableInput{StreamSpecification: stream(false, "")}, ""},
		{"neither on nor off", dynamo.UpdateTableInput{StreamSpecification: &dynamo.StreamSpecification{StreamViewType: "new_image"}},
			"2 validation errors detected: Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: Member must not be null; " +
				"Value 'new_image' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"},
		{"with on-demand billing", dynamo.UpdateTableInput{StreamSpecification: stream(true, "NEW_IMAGE"), BillingMode: "PAY_PER_REQUEST"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.in.TableName = new("Music")
			_, err := CheckUpdateTable(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestStreamChangesAreResolved(t *testing.T) {
	for _, want := range []StreamChange{{Enabled: true, View: "KEYS_ONLY"}, {}} {
		update, err := CheckUpdateTable(&dynamo.UpdateTableInput{TableName: new("Music"), StreamSpecification: stream(want.Enabled, want.View)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, update.Stream); diff != "" {
			t.Errorf("the change differs (-want +got):\n%s", diff)
		}
	}
}
