package table

import (
	"bytes"
	"errors"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
	"sortkey.dev/engine/internal/vector"
)

// bytesPerDimension is the charged size of a dimension of an indexed vector.
const bytesPerDimension = 4

// A vectorEntry is the entry of one item in a vector index.
type vectorEntry struct {
	key  []byte // nil: the item is not in the index
	row  []byte
	size int
}

// vectorEntryOf derives the entry of an item, which may be nil.
func vectorEntryOf(t *catalog.Table, x *catalog.Vector, item dynamo.Item) vectorEntry {
	key := vectorKey(t, x, item)
	if key == nil {
		return vectorEntry{}
	}
	floats, err := vectorOf(x, item)
	if err != nil {
		return vectorEntry{}
	}
	projected := item.Without(x.Attribute)
	if !x.ProjectsAll() {
		projected = item.Only(x.Projected)
	}
	e := vectorEntry{key: key, size: projected.Size() + len(x.Attribute) + bytesPerDimension*x.Dimensions}
	stored := vector.Append(make([]byte, 0, vector.StoredSize(x.Dimensions)), floats)
	e.row = rowformat.AppendVectorRow(nil, e.size, stored, projected)
	return e
}

// vectorKey returns the key of an item's entry: the partition of the index, then the
// key of the item. It is nil if the item has no vector or lacks the attribute
// that partitions the index, which makes indexes sparse, or has an invalid value for it.
func vectorKey(t *catalog.Table, x *catalog.Vector, item dynamo.Item) []byte {
	if item == nil || item.Get(x.Attribute) == nil {
		return nil
	}
	var partition []dynamo.Value
	if a := x.Partition; a != nil {
		v := item.Get(a.Name)
		if v == nil || v.Kind() != a.Kind || !fits([]dynamo.Value{v}, nil) {
			return nil
		}
		partition = append(partition, v)
	}
	key := rowformat.AppendPartition(make([]byte, 0, usualKeySize), x.Path, partition)
	for _, a := range t.KeyAttributes {
		key = rowformat.AppendComponent(key, item.Get(a.Name))
	}
	return key
}

// vectorOf parses the vector of an item that has the attribute.
func vectorOf(x *catalog.Vector, item dynamo.Item) ([]float32, error) {
	list := item.Get(x.Attribute)
	const invalid = "One or more parameter values were invalid. Invalid "
	if list.Kind() != dynamo.KindList {
		return nil, dynamo.Invalid(invalid+"type for parameter %s, Expected: 32-bit floating point number list IndexName: %s", x.Attribute, x.Name)
	}
	if n := list.Len(); n != x.Dimensions {
		return nil, dynamo.Invalid(invalid+"size for parameter %s, Expected: %d, Actual: %d IndexName: %s", x.Attribute, x.Dimensions, n, x.Name)
	}
	floats, err := vector.Parse(make([]float32, 0, x.Dimensions), list)
	if bad, ok := errors.AsType[*vector.BadElement](err); ok {
		return nil, dynamo.Invalid(invalid+"type for parameter %s[%d], Expected: 32-bit floating point number, Actual: %s. IndexName: %s",
			x.Attribute, bad.Index, bad.Kind, x.Name)
	}
	return floats, err
}

// checkVector checks the attributes of item that a vector index reads. The item
// is the result of the update, or of a put if update is nil.
func checkVector(x *catalog.Vector, item dynamo.Item, update *expression.Update) error {
	for _, a := range x.Search {
		v := item.Get(a.Name)
		if v == nil {
			continue
		}
		if err := checkIndexKeyKind(x.Name, a.KeyAttribute, v, update); err != nil {
			return err
		}
		if !a.Partitions {
			continue
		}
		if err := checkIndexKeyFilled(x.Name, a.Name, v, update); err != nil {
			return err
		}
		if err := checkKeyLengths(dynamo.KeySchema{Partition: []dynamo.KeyAttribute{a.KeyAttribute}}, item); err != nil {
			return err
		}
	}
	if item.Get(x.Attribute) == nil {
		return nil
	}
	_, err := vectorOf(x, item)
	return err
}

// followVector updates one vector index from the entry before to the entry after.
func (m *mutation) followVector(tx kv.Txn, x *catalog.Vector, before, after vectorEntry) {
	moved := before.key != nil && after.key != nil && !bytes.Equal(before.key, after.key)
	changed := !bytes.Equal(before.row, after.row)
	if before.key != nil && (after.key == nil || moved) {
		tx.Delete(before.key)
	}
	if after.key != nil && (moved || changed) {
		tx.Set(after.key, after.row)
	}
	m.counted.add(x.Counter, before.key != nil, after.key != nil, before.size, after.size)
	if x.Building { // free until it can be read
		return
	}
	m.account.Vector(x.Name, capacity.VectorWriteBytes(before.size, after.size, moved, changed))
}

// billedSize returns the size that a write of an item is charged for: a vector that an
// index reads costs a fixed size for each dimension, whatever its numbers are.
func billedSize(t *catalog.Table, item dynamo.Item, size int) int {
	for i, x := range t.Vectors {
		if item == nil || sharesVector(t.Vectors[:i], x) {
			continue
		}
		if list := item.Get(x.Attribute); list.Kind() == dynamo.KindList && list.Len() == x.Dimensions {
			size += bytesPerDimension*x.Dimensions - list.Size()
		}
	}
	return size
}

func sharesVector(others []*catalog.Vector, x *catalog.Vector) bool {
	for _, other := range others {
		if other.Attribute == x.Attribute {
			return true
		}
	}
	return false
}
