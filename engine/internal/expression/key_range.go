package expression

import (
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// A KeyRange is a key condition bound to one key: values of all partition
// attributes, values of the first sort attributes, and a condition on the next sort
// attribute.
type KeyRange struct {
	Partition []dynamo.Value // one per partition attribute
	Sort      []dynamo.Value // of the first sort attributes; may be empty
	Op        KeyOp          // on the next sort attribute
	Low, High dynamo.Value   // the operands of Op; High only for Between
}

// Bind resolves the condition against the key of a table or index. Its errors
// are DynamoDB's.
func (k *KeyCondition) Bind(schema dynamo.KeySchema) (*KeyRange, error) {
	keys := len(schema.Partition) + len(schema.Sort)
	if len(k.clauses) > keys {
		if k.excess != nil {
			return nil, k.excess(len(k.clauses), keys)
		}
		return nil, ExcessClauses(len(k.clauses), keys)
	}
	r := &KeyRange{Partition: make([]dynamo.Value, 0, len(schema.Partition))}
	if err := k.bindPartition(schema.Partition, r); err != nil {
		return nil, err
	}
	if err := k.bindSort(schema.Sort, len(k.clauses)-len(schema.Partition), r); err != nil {
		return nil, err
	}
	return r, nil
}

// ExcessClauses returns the error for a condition with more clauses than the key has attributes.
func ExcessClauses(clauses, keys int) error {
	return dynamo.Invalid("The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)", clauses, keys)
}

// clause returns the condition on an attribute, or nil.
func (k *KeyCondition) clause(name string) *keyClause {
	for i := range k.clauses {
		if k.clauses[i].name == name {
			return &k.clauses[i]
		}
	}
	return nil
}

func (k *KeyCondition) bindPartition(attributes []dynamo.KeyAttribute, r *KeyRange) error {
	for _, a := range attributes {
		c := k.clause(a.Name)
		if c == nil {
			return missedKey(a)
		}
		if err := c.check(a); err != nil {
			return err
		}
		if !c.equal {
			return dynamo.Invalid("Query key condition not supported")
		}
		if len(c.low.Bytes()) > dynamo.MaxPartitionKeySize && a.Kind != dynamo.KindNumber {
			return dynamo.Invalid("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes")
		}
		r.Partition = append(r.Partition, c.low)
	}
	return nil
}

// bindSort binds the remaining clauses to the sort attributes. A clause
// on any other attribute means that a sort attribute has none.
func (k *KeyCondition) bindSort(attributes []dynamo.KeyAttribute, clauses int, r *KeyRange) error {
	if clauses == 0 {
		return nil
	}
	if err := k.checkSortClauses(attributes, clauses); err != nil {
		return err
	}
	size := 0
	for _, a := range attributes[:clauses] {
		c := k.clause(a.Name)
		if err := c.check(a); err != nil {
			return err
		}
		if a.Kind != dynamo.KindNumber {
			size += max(len(c.low.Bytes()), c.highLen())
		}
		if c.equal {
			r.Sort = append(r.Sort, c.low)
		} else {
			r.Op, r.Low, r.High = c.op, c.low, c.high
		}
	}
	if size > dynamo.MaxSortKeySize {
		return dynamo.Invalid("One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

// checkSortClauses checks that the clauses are on the first sort attributes,
// without a gap, and that all but the last are equalities.
func (k *KeyCondition) checkSortClauses(attributes []dynamo.KeyAttribute, clauses int) error {
	found, last := 0, 0
	for i, a := range attributes {
		if k.clause(a.Name) != nil {
			found, last = found+1, i
		}
	}
	var open []string // the attributes that should have an equality
	for i, a := range attributes {
		c := k.clause(a.Name)
		switch {
		case c == nil && found < clauses:
			return missedKey(a)
		case i < last && (c == nil || !c.equal):
			open = append(open, a.Name)
		}
	}
	if len(open) > 0 {
		return dynamo.Invalid("RANGE key attributes %s must have equality conditions specified in the query because a condition is present on key attribute %s",
			strings.Join(open, ", "), attributes[last].Name)
	}
	return nil
}

func missedKey(a dynamo.KeyAttribute) error {
	return dynamo.Invalid("Query condition missed key schema element: %s", a.Name)
}

func (c *keyClause) highLen() int {
	if c.high == nil {
		return 0
	}
	return len(c.high.Bytes())
}

// check checks the operands of a clause against the attribute it is on.
func (c *keyClause) check(a dynamo.KeyAttribute) error {
	if c.low.Kind() != a.Kind || c.high != nil && c.high.Kind() != a.Kind || c.op == BeginsWith && a.Kind == dynamo.KindNumber {
		return dynamo.Invalid("One or more parameter values were invalid: Condition parameter type does not match schema type")
	}
	if len(c.low.Bytes()) == 0 || c.high != nil && len(c.high.Bytes()) == 0 {
		kind := "string"
		if a.Kind == dynamo.KindBinary {
			kind = "binary"
		}
		return dynamo.Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kind, a.Name)
	}
	return nil
}
