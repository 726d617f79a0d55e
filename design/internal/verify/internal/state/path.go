package state

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// PathKeys returns the names of the partition and sort key attributes of a path.
func PathKeys(path resolve.Path) (partition, sort []string) {
	if path.Index == nil {
		names := KeyNames(path.Table)
		return names[:1], names[1:]
	}
	if path.Index.Local {
		partition = []string{path.Table.PK.Name}
	}
	for _, k := range path.Index.PK {
		partition = append(partition, k.Name)
	}
	for _, k := range path.Index.SK {
		sort = append(sort, k.Name)
	}
	return slices.Compact(partition), sort
}

// KeyOrder returns a key as a value that compares as DynamoDB orders keys.
func KeyOrder(v types.AttributeValue) sample.Value {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return sample.Value{Kind: sample.Text, Text: v.Value}
	case *types.AttributeValueMemberN:
		return sample.Value{Kind: sample.Number, Text: v.Value}
	case *types.AttributeValueMemberB:
		return sample.Value{Kind: sample.Binary, Text: string(v.Value)}
	}
	return sample.Value{}
}

// CompareKeys compares two keys of one type as DynamoDB does.
func CompareKeys(a, b types.AttributeValue) int { return KeyOrder(a).Compare(KeyOrder(b)) }

// EntryOf returns the entry of an item in a table or index, or nil if it has none.
func EntryOf(path resolve.Path, item access.Item) access.Item {
	if item == nil || path.Index == nil {
		return item
	}
	if !OnPath(path, item) {
		return nil
	}
	x := path.Index
	if x.Project.Kind == model.ProjectAll || x.Project.Kind == "" {
		return item
	}
	entry := access.Item{}
	keep := func(name string) {
		if v, ok := item[name]; ok {
			entry[name] = v
		}
	}
	for _, name := range resolve.KeyNames(path) {
		keep(name.Name)
	}
	for _, name := range x.Project.Attributes {
		keep(name)
	}
	return entry
}

// OnPath reports whether an item has all keys of a table or index.
func OnPath(path resolve.Path, item access.Item) bool {
	if path.Index == nil {
		return true
	}
	lacks := func(key model.KeyName) bool { return item[key.Name] == nil }
	return !slices.ContainsFunc(path.Index.PK, lacks) && !slices.ContainsFunc(path.Index.SK, lacks)
}

// KeyOf returns the primary key of an item.
func KeyOf(t *model.Table, item access.Item) access.Item {
	key := access.Item{t.PK.Name: item[t.PK.Name]}
	if t.SK.Name != "" {
		key[t.SK.Name] = item[t.SK.Name]
	}
	return key
}

// KeyNames returns the names of the primary key attributes of a table.
func KeyNames(t *model.Table) []string {
	if t.SK.Name == "" {
		return []string{t.PK.Name}
	}
	return []string{t.PK.Name, t.SK.Name}
}
