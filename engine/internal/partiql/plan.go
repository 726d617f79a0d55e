package partiql

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
)

// A Table is the part of a table's schema that planning uses.
type Table struct {
	Key   dynamo.KeySchema
	Index func(name string) *Index // nil: there is no such index
}

// An Index is the part of an index's schema that planning uses.
type Index struct {
	Key       dynamo.KeySchema
	Local     bool
	Projected []string // the attributes that entries hold, sorted; nil: all
	Vector    bool     // a vector index, which statements cannot read
}

// index returns the index that the statement names; nil if it names none.
func (s *Statement) index(t Table) (*Index, error) {
	if s.Index() == "" {
		return nil, nil
	}
	x := t.Index(s.Index())
	if x == nil {
		return nil, dynamo.Invalid("The table does not have the specified index")
	}
	return x, nil
}

// Get returns the key of the one item that a SELECT reads, and its projection of the
// item. It reports false for a SELECT whose condition is not exactly the whole
// primary key, or that reads an index.
func (s *Statement) Get(t Table) (key dynamo.Item, p *expression.Projection, ok bool) {
	if s.Index() != "" {
		return nil, nil, false
	}
	key, rest, ok := s.splitKey(t.Key)
	return key, s.projection(), ok && len(rest) == 0
}

// projection returns the projection of a SELECT; nil: all attributes.
func (s *Statement) projection() *expression.Projection {
	if s.columns == nil {
		return nil
	}
	return expression.NewColumns(s.columns...)
}

// splitKey splits the condition into the whole primary key and the other conditions. It
// reports false when a key attribute has no equality.
func (s *Statement) splitKey(schema dynamo.KeySchema) (key dynamo.Item, rest []*condition, ok bool) {
	rest = s.where.conjuncts()
	var enc dynamo.Encoder
	enc.OpenItem()
	for _, a := range schema.Attributes() {
		i := slices.IndexFunc(rest, func(c *condition) bool { return c.use == useEqual && c.name == a.Name })
		if i < 0 {
			return nil, nil, false
		}
		enc.Name(a.Name)
		enc.Copy(rest[i].values[0])
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	}
	key, _ = enc.CloseItem() // the names are unique
	return key, rest, true
}

// Write returns the write of a statement, as an action of a transaction:
// exactly one member is set.
func (s *Statement) Write(t Table) (action request.TransactAction, err error) {
	if s.tree.kind == kindInsert {
		action.Put, err = s.insert(t)
		return action, err
	}
	key, rest, err := s.writeKey(t)
	if err != nil {
		return action, err
	}
	w := request.Write{Table: s.Table(), Return: s.returnValues()}
	first := expression.Attribute(t.Key.Partition[0].Name)
	if s.tree.kind == kindDelete {
		// Deleting a missing item succeeds even when the condition is false.
		if rest != nil {
			w.Condition = expression.NewCondition(expression.Or(expression.AttributeNotExists(first), rest.term))
		}
		action.Delete = &request.DeleteItem{Write: w, Key: key}
		return action, nil
	}
	// An UPDATE never creates an item, so the item must exist.
	term := expression.AttributeExists(first)
	if rest != nil {
		term = expression.And(term, rest.term)
	}
	w.Condition = expression.NewCondition(term)
	if s.IsExists() {
		action.Check = &request.ConditionCheck{Write: w, Key: key}
	} else {
		action.Update = &request.UpdateItem{Write: w, Key: key, Update: s.update}
	}
	return action, nil
}

// writeKey returns the key of the item that an UPDATE, a DELETE or an EXISTS names,
// and the other conditions, nil if there are none.
func (s *Statement) writeKey(t Table) (key dynamo.Item, rest *condition, err error) {
	x, err := s.index(t)
	if err != nil {
		return nil, nil, err
	}
	key, others, ok := s.splitKey(t.Key)
	switch {
	case s.IsExists() && (x != nil || !ok || len(others) == 0):
		return nil, nil, dynamo.Invalid("EXISTS() must contain a single item read with additional condition")
	case x != nil:
		return nil, nil, dynamo.Invalid("This operation is not supported on an index")
	case !ok:
		return nil, nil, dynamo.Invalid("Where clause does not contain a mandatory equality on all key attributes")
	}
	return key, both(others), nil
}

// insert returns the put of an INSERT.
func (s *Statement) insert(t Table) (*request.PutItem, error) {
	missing := expression.AttributeNotExists(expression.Attribute(t.Key.Partition[0].Name))
	return request.NewInsert(s.Table(), s.item, expression.NewCondition(missing))
}
