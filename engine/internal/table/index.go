package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/rowformat"
)

// An entry is the entry of one item in an index.
type entry struct {
	key  []byte // nil: the item is not in the index
	item dynamo.Item
	size int
}

// entryOf derives the entry of an item, given the item's size. The item may be nil.
func entryOf(x *catalog.Index, item dynamo.Item, size int) entry {
	key := entryKey(x, item)
	if key == nil {
		return entry{size: -1}
	}
	if x.ProjectsAll() {
		return entry{key: key, item: item, size: size}
	}
	projected := item.Only(x.Projected)
	return entry{key: key, item: projected, size: projected.Size()}
}

// entryKey returns the key of an item's entry, or nil if the item lacks an
// attribute of the index key, which makes indexes sparse, or has an invalid value for
// it, which was written before the index was added.
func entryKey(x *catalog.Index, item dynamo.Item) []byte {
	if item == nil {
		return nil
	}
	var values [2*dynamo.MaxKeyAttributes + 2]dynamo.Value
	for i, a := range x.RowKey {
		v := item.Get(a.Name)
		if v == nil || v.Kind() != a.Kind {
			return nil
		}
		values[i] = v
	}
	n := len(x.Key.Partition)
	if !fits(values[:n], values[n:len(x.KeyAttributes)]) {
		return nil
	}
	key := rowformat.AppendPartition(make([]byte, 0, usualKeySize), x.Path, values[:n])
	for _, v := range values[n:len(x.RowKey)] {
		key = rowformat.AppendComponent(key, v)
	}
	return key
}

// fits reports whether values can be the partition and the sort part of a key: none
// is empty, and they are not too long. See checkKeyLengths.
func fits(partition, sort []dynamo.Value) bool {
	for _, v := range partition {
		if len(v.Bytes()) == 0 || v.Size() > dynamo.MaxPartitionKeySize {
			return false
		}
	}
	sum := 0
	for _, v := range sort {
		if len(v.Bytes()) == 0 {
			return false
		}
		sum += v.Size()
	}
	return sum <= dynamo.MaxSortKeySize
}

// The messages for an empty index key differ between a put and an update.
const (
	putEmptyIndexKey = "One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s"
	updateIndexKeyType  = "The update expression attempted to update the secondary index key to unsupported type"
	updateEmptyIndexKey = "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty %s value."
)

// checkIndexKeys checks the attributes of item that indexes of t read: their keys,
// and the vectors of vector indexes. It reports the first error by index name. The
// item is the result of the update, or of a put if update is nil.
func checkIndexKeys(t *catalog.Table, item dynamo.Item, update *expression.Update) (fault error) {
	first := ""
	for _, x := range t.Indexes {
		if x.Building || fault != nil && x.Name > first {
			continue
		}
		if err := checkIndexKey(x, item, update); err != nil {
			fault, first = err, x.Name
		}
	}
	for _, x := range t.Vectors {
		if x.Building || fault != nil && x.Name > first {
			continue
		}
		if err := checkVector(x, item, update); err != nil {
			fault, first = err, x.Name
		}
	}
	return fault
}

func checkIndexKey(x *catalog.Index, item dynamo.Item, update *expression.Update) error {
	for _, a := range x.KeyAttributes {
		v := item.Get(a.Name)
		if v == nil {
			continue
		}
		if err := checkIndexKeyKind(x.Name, a, v, update); err != nil {
			return err
		}
		if err := checkIndexKeyFilled(x.Name, a.Name, v, update); err != nil {
			return err
		}
	}
	return checkKeyLengths(x.Key, item)
}

// checkIndexKeyKind checks the kind of the value of a key attribute of an index.
func checkIndexKeyKind(index string, a dynamo.KeyAttribute, v dynamo.Value, update *expression.Update) error {
	switch {
	case v.Kind() == a.Kind:
		return nil
	case update != nil && update.Copies(a.Name):
		return dynamo.Invalid(updateIndexKeyType)
	}
	return dynamo.Invalid("One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Kind, v.Kind(), index)
}

// checkIndexKeyFilled rejects empty strings and binary values as key attributes of an index.
func checkIndexKeyFilled(index, name string, v dynamo.Value, update *expression.Update) error {
	switch what := emptyKind(v); {
	case what == "":
		return nil
	case update != nil:
		return emptyKey(updateEmptyIndexKey, what)
	default:
		return emptyKey(putEmptyIndexKey, what, index, name)
	}
}
