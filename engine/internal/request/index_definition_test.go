package request

import (
	"fmt"
	"slices"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// indexed returns a request for a table with the key a, b and these indexes.
func indexed(local []dynamo.LocalSecondaryIndex, global []dynamo.GlobalSecondaryIndex) *dynamo.CreateTableInput {
	in := createInput()
	in.LocalSecondaryIndexes, in.GlobalSecondaryIndexes = local, global
	return in
}

func local(name string, words ...string) dynamo.LocalSecondaryIndex {
	return dynamo.LocalSecondaryIndex{IndexName: &name, KeySchema: key(words...), Projection: all()}
}

func global(name string, words ...string) dynamo.GlobalSecondaryIndex {
	return dynamo.GlobalSecondaryIndex{IndexName: &name, KeySchema: key(words...), Projection: all()}
}

func TestLocalIndexErrors(t *testing.T) {
	projecting := func(p *dynamo.Projection) []dynamo.LocalSecondaryIndex {
		index := local("byB", "a", "HASH", "b", "RANGE")
		index.Projection = p
		return []dynamo.LocalSecondaryIndex{index}
	}
	many := func(n int) (indexes []dynamo.LocalSecondaryIndex) {
		for i := range n {
			indexes = append(indexes, local(fmt.Sprintf("by%d", i), "a", "HASH", "b", "RANGE"))
		}
		return indexes
	}
	tests := []struct {
		name    string
		indexes []dynamo.LocalSecondaryIndex
		want    string
	}{
		{"a plain index is good", many(1), ""},
		{"members of nothing", []dynamo.LocalSecondaryIndex{{}},
			"3 validation errors detected: Value null at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must not be null; " +
				"Value null at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must not be null; " +
				"Value null at 'localSecondaryIndexes.1.member.projection' failed to satisfy constraint: Member must not be null"},
		{"three key elements", []dynamo.LocalSecondaryIndex{local("byB", "a", "HASH", "b", "RANGE", "a", "RANGE")},
			one("Value '[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=a, keyType=RANGE)]' at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must have length less than or equal to 2")},
		{"bad projection members", projecting(&dynamo.Projection{ProjectionType: "X", NonKeyAttributes: []string{}}),
			"2 validation errors detected: Value 'X' at 'localSecondaryIndexes.1.member.projection.projectionType' failed to satisfy constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]; " +
				"Value '[]' at 'localSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"most attributes of an index", projecting(including(20)), ""},
		{"too many attributes of an index", projecting(including(21)),
			one("Value '" + bracketed(including(21).NonKeyAttributes) + "' at 'localSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length less than or equal to 20")},
		{"an attribute twice", projecting(&dynamo.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x", "y", "x"}}),
			invalidHead + "Duplicate element in NonKeyAttributes: x"},
		{"key that is not defined", []dynamo.LocalSecondaryIndex{local("byC", "a", "HASH", "c", "RANGE")},
			invalidHead + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
		{"one attribute for both keys", []dynamo.LocalSecondaryIndex{local("byA", "a", "HASH", "a", "RANGE")},
			"Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"sort key first", []dynamo.LocalSecondaryIndex{local("byA", "a", "RANGE")},
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"two partition keys", []dynamo.LocalSecondaryIndex{local("byA", "a", "HASH", "b", "HASH")},
			"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"no sort key", []dynamo.LocalSecondaryIndex{local("byB", "b", "HASH")},
			invalidHead + "Index KeySchema does not have a range key for index: byB"},
		{"another partition key", []dynamo.LocalSecondaryIndex{local("byB", "b", "HASH", "a", "RANGE")},
			invalidHead + "Index KeySchema does not have the same leading hash key as table KeySchema for index: byB. index hash key: b, table hash key: a"},
		{"no projection type", projecting(&dynamo.Projection{NonKeyAttributes: []string{"x"}}), invalidHead + "Unknown ProjectionType: null"},
		{"attributes of ALL", projecting(&dynamo.Projection{ProjectionType: "ALL", NonKeyAttributes: []string{"x"}}),
			invalidHead + "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"attributes of KEYS_ONLY", projecting(&dynamo.Projection{ProjectionType: "KEYS_ONLY", NonKeyAttributes: []string{"x"}}),
			invalidHead + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"},
		{"INCLUDE of nothing", projecting(&dynamo.Projection{ProjectionType: "INCLUDE"}),
			invalidHead + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"one name twice", append(many(1), many(1)...), invalidHead + "Duplicate index name: by0"},
		{"most indexes", many(5), ""},
		{"too many indexes", many(6), invalidHead + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckCreateTable(indexed(test.indexes, nil))
			expect(t, err, test.want)
		})
	}
	t.Run("an empty list", func(t *testing.T) {
		_, err := CheckCreateTable(indexed([]dynamo.LocalSecondaryIndex{}, nil))
		expect(t, err, invalidHead+"List of LocalSecondaryIndexes is empty")
	})
	t.Run("a table without a sort key", func(t *testing.T) {
		in := indexed(many(1), nil)
		in.KeySchema = key("a", "HASH")
		_, err := CheckCreateTable(in)
		expect(t, err, invalidHead+"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	})
}

func TestGlobalIndexErrors(t *testing.T) {
	many := func(n int) (indexes []dynamo.GlobalSecondaryIndex) {
		for i := range n {
			indexes = append(indexes, global(fmt.Sprintf("by%d", i), "b", "HASH"))
		}
		return indexes
	}
	provisioned := many(1)
	provisioned[0].ProvisionedThroughput = units(1, 1)
	tests := []struct {
		name    string
		indexes []dynamo.GlobalSecondaryIndex
		want    string
	}{
		{"a plain index is good", many(1), ""},
		{"an empty list", []dynamo.GlobalSecondaryIndex{}, invalidHead + "List of GlobalSecondaryIndexes is empty"},
		{"bad index name", []dynamo.GlobalSecondaryIndex{global("h;", "b", "HASH")},
			"2 validation errors detected: Value 'h;' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
				"Value 'h;' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"key that is not defined", []dynamo.GlobalSecondaryIndex{global("byZ", "z", "RANGE")},
			invalidHead + "Some index key attributes are not defined in AttributeDefinitions. Keys: [z], AttributeDefinitions: [a, b]"},
		{"sort key first", []dynamo.GlobalSecondaryIndex{global("byB", "b", "RANGE")},
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"one attribute for both keys", []dynamo.GlobalSecondaryIndex{global("byB", "b", "HASH", "b", "RANGE")},
			"The KeySchema contains multiple key attributes with the same name"},
		{"a bad key of the second index beats a bad projection of the first", []dynamo.GlobalSecondaryIndex{
			{IndexName: new("byA"), KeySchema: key("b", "HASH"), Projection: &dynamo.Projection{}}, global("byB", "b", "RANGE"),
		}, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"two partition keys", []dynamo.GlobalSecondaryIndex{global("byB", "b", "HASH", "a", "HASH")}, ""},
		{"no projection type", []dynamo.GlobalSecondaryIndex{{IndexName: new("byB"), KeySchema: key("b", "HASH"), Projection: &dynamo.Projection{}}},
			invalidHead + "Unknown ProjectionType: null"},
		{"capacity for on-demand billing", provisioned,
			invalidHead + "ProvisionedThroughput should not be specified for index: by0 when BillingMode is PAY_PER_REQUEST"},
		{"cap of nothing", []dynamo.GlobalSecondaryIndex{{
			IndexName: new("byB"), KeySchema: key("b", "HASH"), Projection: all(),
			OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(0))},
		}}, invalidHead + "Requested MaxReadRequestUnits for OnDemandThroughput for index is outside of valid range"},
		{"one name twice", append(many(1), many(1)...), invalidHead + "Duplicate index name: by0"},
		{"most indexes", many(20), ""},
		{"too many indexes", many(21), invalidHead + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckCreateTable(indexed(nil, test.indexes))
			expect(t, err, test.want)
		})
	}
	t.Run("no capacity for provisioned billing", func(t *testing.T) {
		in := indexed(nil, many(1))
		in.BillingMode, in.ProvisionedThroughput = "PROVISIONED", units(1, 1)
		_, err := CheckCreateTable(in)
		expect(t, err, invalidHead+"ProvisionedThroughput is not specified for index: by0")
	})
	t.Run("the name of a local index", func(t *testing.T) {
		_, err := CheckCreateTable(indexed([]dynamo.LocalSecondaryIndex{local("by0", "a", "HASH", "b", "RANGE")}, many(1)))
		expect(t, err, invalidHead+"Duplicate index name: by0")
	})
	t.Run("a definition to spare", func(t *testing.T) {
		in := indexed(nil, many(1))
		in.AttributeDefinitions = defined("a", "b", "c")
		_, err := CheckCreateTable(in)
		expect(t, err, invalidHead+"Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]")
	})
}

func TestKeysOfManyAttributes(t *testing.T) {
	h, r := "HASH", "RANGE"
	tests := []struct {
		name string
		key  []dynamo.KeySchemaElement
		want string
	}{
		{"four of each", key("a", h, "b", h, "c", h, "d", h, "e", r, "f", r, "g", r, "h", r), ""},
		{"one and four", key("a", h, "e", r, "f", r, "g", r, "h", r), ""},
		{"five partition attributes", key("a", h, "b", h, "c", h, "d", h, "e", h),
			invalidHead + "The KeySchema exceeds the maximum allowed number of HASH key attributes"},
		{"five sort attributes", key("a", h, "e", r, "f", r, "g", r, "h", r, "i", r),
			invalidHead + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"},
		{"a partition attribute after a sort attribute", key("a", h, "e", r, "b", h),
			invalidHead + "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
		{"an attribute twice", key("a", h, "b", h, "e", r, "b", r),
			"The KeySchema contains multiple key attributes with the same name"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := indexed(nil, []dynamo.GlobalSecondaryIndex{{IndexName: new("many"), KeySchema: test.key, Projection: all()}})
			in.KeySchema = key("a", h)
			names := []string{"a"}
			for _, e := range test.key {
				if !slices.Contains(names, *e.AttributeName) {
					names = append(names, *e.AttributeName)
				}
			}
			in.AttributeDefinitions = defined(names...)
			_, err := CheckCreateTable(in)
			expect(t, err, test.want)
		})
	}
}

// including returns a projection of n attributes.
func including(n int) *dynamo.Projection {
	p := &dynamo.Projection{ProjectionType: "INCLUDE"}
	for i := range n {
		p.NonKeyAttributes = append(p.NonKeyAttributes, fmt.Sprintf("x%d", i))
	}
	return p
}

func TestProjectedAttributesOfAllIndexes(t *testing.T) {
	check := func(counts ...int) error {
		l := local("local", "a", "HASH", "b", "RANGE")
		l.Projection = including(20)
		var indexes []dynamo.GlobalSecondaryIndex
		for i, n := range counts {
			g := global(fmt.Sprintf("by%d", i), "b", "HASH")
			g.Projection = including(n)
			indexes = append(indexes, g)
		}
		_, err := CheckCreateTable(indexed([]dynamo.LocalSecondaryIndex{l}, indexes))
		return err
	}
	expect(t, check(20, 20, 20, 20), "")
	expect(t, check(20, 20, 20, 20, 1), invalidHead+"Number of NonKeyAttributes over all indexes exceeds the per-table limit of 100: 101")
}

func TestUnusedDefinitionsBeatIndexRules(t *testing.T) {
	in := indexed(nil, []dynamo.GlobalSecondaryIndex{{IndexName: new("byB"), KeySchema: key("b", "HASH"), Projection: &dynamo.Projection{}}})
	in.AttributeDefinitions = defined("a", "b", "c")
	_, err := CheckCreateTable(in)
	expect(t, err, invalidHead+"Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]")
	in.GlobalSecondaryIndexes = []dynamo.GlobalSecondaryIndex{}
	_, err = CheckCreateTable(in)
	expect(t, err, invalidHead+"List of GlobalSecondaryIndexes is empty")
}
