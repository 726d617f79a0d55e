package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The model behind the random tests: a table as a plain map, and an index as a
// sort of it. It is slow and obvious.

type item = map[string]types.AttributeValue

// A way is one way to read the random table: its own key or an index.
type way struct {
	name      string // of the index; empty for the table
	local     bool
	partition []string
	sort      []string
	carries   []string // besides the keys; nil means everything
}

// attributeTypes are the types of all key attributes of the random table.
var attributeTypes = map[string]types.ScalarAttributeType{
	"pk": "S", "sk": "N", "g": "S", "n": "N", "b": "B", "h1": "S", "h2": "N", "r1": "S", "r2": "N", "r3": "B",
}

var tableKey = []string{"pk", "sk"}

var ways = []way{
	{name: "", partition: []string{"pk"}, sort: []string{"sk"}},
	{name: "by-g", partition: []string{"g"}, carries: []string{}},
	{name: "by-g-n", partition: []string{"g"}, sort: []string{"n"}},
	{name: "by-b-sk", partition: []string{"b"}, sort: []string{"sk"}, carries: []string{"x", "n"}},
	{name: "inverted", partition: []string{"sk"}, sort: []string{"pk"}, carries: []string{}},
	{name: "multi", partition: []string{"h1", "h2"}, sort: []string{"r1", "r2", "r3"}, carries: []string{"x"}},
	{name: "multi-mixed", partition: []string{"r3", "g"}, sort: []string{"n", "h1"}},
	{name: "local-n", local: true, partition: []string{"pk"}, sort: []string{"n"}},
	{name: "local-r1", local: true, partition: []string{"pk"}, sort: []string{"r1"}, carries: []string{"x"}},
}

// createRandomTable returns the input that creates the random table.
func createRandomTable() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: aws.String("random"), BillingMode: types.BillingModePayPerRequest}
	for _, name := range slices.Sorted(maps.Keys(attributeTypes)) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: attributeTypes[name]})
	}
	for _, w := range ways {
		switch {
		case w.name == "":
			in.KeySchema = w.keySchema()
		case w.local:
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: &w.name, KeySchema: w.keySchema(), Projection: w.projection()})
		default:
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: &w.name, KeySchema: w.keySchema(), Projection: w.projection()})
		}
	}
	return in
}

func (w way) keySchema() (elements []types.KeySchemaElement) {
	for _, name := range w.partition {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash})
	}
	for _, name := range w.sort {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange})
	}
	return elements
}

func (w way) projection() *types.Projection {
	switch {
	case w.carries == nil:
		return &types.Projection{ProjectionType: types.ProjectionTypeAll}
	case len(w.carries) == 0:
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	default:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: w.carries}
	}
}

// key lists the attributes of LastEvaluatedKey.
func (w way) key() []string {
	all := slices.Concat(tableKey, w.partition, w.sort)
	slices.Sort(all)
	return slices.Compact(all)
}

// entry returns the item as this read shows it; nil if it does not.
func (w way) entry(it item) item {
	for _, name := range slices.Concat(w.partition, w.sort) {
		if it[name] == nil {
			return nil
		}
	}
	if w.carries == nil {
		return it
	}
	entry := item{}
	for _, name := range slices.Concat(w.key(), w.carries) {
		if value := it[name]; value != nil {
			entry[name] = value
		}
	}
	return entry
}

// compare orders two entries of a partition. Entries it calls equal may come in any order.
func (w way) compare(a, b item) int {
	for _, name := range w.sort {
		if c := compareValues(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

// partitions returns the entries of all items by partition, each in order.
func (w way) partitions(table map[string]item) map[string][]item {
	all := map[string][]item{}
	for _, it := range table {
		if entry := w.entry(it); entry != nil {
			name := identity(entry, w.partition)
			all[name] = append(all[name], entry)
		}
	}
	for _, entries := range all {
		slices.SortFunc(entries, w.compare)
	}
	return all
}

// identity spells the given attributes of an item, so that equal ones are equal.
func identity(it item, names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s=%q ", name, text(it[name]))
	}
	return b.String()
}

func text(value types.AttributeValue) string {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return value.Value
	case *types.AttributeValueMemberN:
		return value.Value
	case *types.AttributeValueMemberB:
		return string(value.Value)
	}
	return ""
}

func compareValues(a, b types.AttributeValue) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberN:
		x, _ := new(big.Rat).SetString(a.Value)
		y, _ := new(big.Rat).SetString(text(b))
		return x.Cmp(y)
	case *types.AttributeValueMemberB:
		return bytes.Compare(a.Value, []byte(text(b)))
	}
	return cmp.Compare(text(a), text(b))
}

// Values come from small pools, so that keys collide, and include prefixes of
// each other, bytes that encodings like to treat specially, and numbers that
// are equal in other spellings.
var (
	stringPool = []string{"a", "ab", "b", "a\x00", "a\x00\x01", "\u00e9", "\U0001f600", "\uffff", "~"}
	binaryPool = [][]byte{{0}, {0, 0}, {0, 1}, {0, 255}, {1}, {255}, {255, 0}, {255, 255}}
	numberPool = []string{"-100", "-10.5", "-0.001", "0", "0.001", "1", "3", "12", "1000", "99999999999999999999999999999999999999"}
	spellings  = map[string][]string{"0": {"-0", "0.00"}, "1": {"1.0", "1e0", "01"}, "1000": {"1E3", "1000.0"}, "-10.5": {"-1.05E1"}}
)

// randomValue makes a value for an attribute: as it is sent and as it is kept.
func randomValue(r *rand.Rand, name string) (sent, kept types.AttributeValue) {
	switch attributeTypes[name] {
	case "N":
		number := numberPool[r.IntN(len(numberPool))]
		spelling := number
		if others := spellings[number]; others != nil && r.IntN(2) == 0 {
			spelling = others[r.IntN(len(others))]
		}
		return &types.AttributeValueMemberN{Value: spelling}, &types.AttributeValueMemberN{Value: number}
	case "B":
		value := &types.AttributeValueMemberB{Value: binaryPool[r.IntN(len(binaryPool))]}
		return value, value
	}
	value := &types.AttributeValueMemberS{Value: stringPool[r.IntN(len(stringPool))]}
	return value, value
}

// randomItem makes an item that has most attributes: as it is sent and as it is kept.
func randomItem(r *rand.Rand) (sent, kept item) {
	sent, kept = item{}, item{}
	for _, name := range append(slices.Sorted(maps.Keys(attributeTypes)), "x", "y") {
		if slices.Contains(tableKey, name) || r.IntN(10) > 0 {
			sent[name], kept[name] = randomValue(r, name)
		}
	}
	return sent, kept
}
