package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

var errKeySchema = dynamo.Invalid("The provided key element does not match the schema")

// checkKey checks a key that names one item of t: it has exactly the key attributes,
// of the right kinds.
func checkKey(t *catalog.Table, key dynamo.Item) error {
	if key.Len() != len(t.KeyAttributes) {
		return errKeySchema
	}
	return checkBatchItemKey(t, key)
}

// checkItemKey checks the key attributes of an item to put.
func checkItemKey(t *catalog.Table, item dynamo.Item) error {
	for _, a := range t.KeyAttributes {
		switch v := item.Get(a.Name); {
		case v == nil:
			return dynamo.Invalid("One or more parameter values were invalid: Missing the key %s in the item", a.Name)
		case v.Kind() != a.Kind:
			return dynamo.Invalid("One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s", a.Name, a.Kind, v.Kind())
		}
		if err := checkNotEmpty(a, item); err != nil {
			return err
		}
	}
	return checkKeyLengths(t.Key(), item)
}

// checkBatchItemKey is checkItemKey with the messages of BatchWriteItem.
func checkBatchItemKey(t *catalog.Table, item dynamo.Item) error {
	for _, a := range t.KeyAttributes {
		if item.Get(a.Name).Kind() != a.Kind {
			return errKeySchema
		}
	}
	return checkKeySizes(t, item)
}

// checkKeySizes checks key attributes that exist and have the right kinds.
func checkKeySizes(t *catalog.Table, item dynamo.Item) error {
	for _, a := range t.KeyAttributes {
		if err := checkNotEmpty(a, item); err != nil {
			return err
		}
	}
	return checkKeyLengths(t.Key(), item)
}

// checkNotEmpty rejects empty strings and binary values as keys.
func checkNotEmpty(a dynamo.KeyAttribute, item dynamo.Item) error {
	if what := emptyKind(item.Get(a.Name)); what != "" {
		return emptyKey("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", what, a.Name)
	}
	return nil
}

// An emptyKeyError says that a value of a key is empty. Unlike other errors of
// keys it fails a transaction as a whole.
type emptyKeyError struct{ cause *dynamo.Error }

func (e *emptyKeyError) Error() string { return e.cause.Error() }

// Unwrap returns the error that callers see.
func (e *emptyKeyError) Unwrap() error { return e.cause }

func emptyKey(format string, args ...any) error {
	return &emptyKeyError{dynamo.Invalid(format, args...)}
}

// checkKeyLengths checks the limits of partition and sort keys.
func checkKeyLengths(schema dynamo.KeySchema, item dynamo.Item) error {
	for _, a := range schema.Partition {
		if v := item.Get(a.Name); v != nil && v.Size() > dynamo.MaxPartitionKeySize {
			return dynamo.Invalid("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of%d bytes", dynamo.MaxPartitionKeySize)
		}
	}
	sum := 0
	for _, a := range schema.Sort {
		if v := item.Get(a.Name); v != nil { // an item may lack attributes of an index
			sum += v.Size()
		}
	}
	if sum > dynamo.MaxSortKeySize {
		return dynamo.Invalid("One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of %d bytes", dynamo.MaxSortKeySize)
	}
	return nil
}

// emptyKind names the kind of an empty string or binary value, which cannot be a key.
func emptyKind(v dynamo.Value) string {
	switch k := v.Kind(); {
	case k == dynamo.KindString && len(v.Bytes()) == 0:
		return "string"
	case k == dynamo.KindBinary && len(v.Bytes()) == 0:
		return "binary"
	}
	return ""
}

// usualKeySize is a capacity for the key of most rows.
const usualKeySize = 96

// rowKey returns the key of the row of an item with valid key attributes.
func rowKey(t *catalog.Table, item dynamo.Item) []byte {
	return appendRowKey(make([]byte, 0, usualKeySize), t, item)
}

// appendRowKey appends the key of the row of an item with valid key attributes.
func appendRowKey(dst []byte, t *catalog.Table, item dynamo.Item) []byte {
	schema := t.Key()
	partition := [1]dynamo.Value{item.Get(schema.Partition[0].Name)}
	dst = rowformat.AppendPartition(dst, t.Path, partition[:])
	for _, a := range schema.Sort {
		dst = rowformat.AppendComponent(dst, item.Get(a.Name))
	}
	return dst
}

// checkScalarKeys rejects document paths that lead into key attributes: nested
// lists the attributes of which an expression reads nested values.
func checkScalarKeys(t *catalog.Table, nested []string) error {
	const sentence = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s"
	for _, name := range nested {
		if schema := t.Key(); schema.Has(name) {
			return dynamo.Invalid(sentence, "Key", name)
		}
		for _, x := range t.Indexes {
			if x.Key.Has(name) {
				return dynamo.Invalid(sentence, "IndexKey", name)
			}
		}
	}
	return nil
}
