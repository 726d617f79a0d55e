package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// expressions sets the update and condition expressions of an action.
func (b *boundWrite) expressions(out *call.Action) error {
	var e call.Expression
	for _, clause := range slices.Concat(b.w.Statement.Update, b.w.Statement.Condition) {
		chosen := &clause
		if len(clause.Only) > 0 && b.holds(&clause, clause.Only) == clause.Unless {
			chosen = clause.Else
		}
		if chosen == nil {
			continue
		}
		if err := b.clause(&e, chosen); err != nil {
			return err
		}
	}
	out.Update, out.Condition, out.Names, out.Values = e.Update(), e.Condition(), e.Names(), e.Values()
	return nil
}

// clause adds one clause with its names and values.
func (b *boundWrite) clause(e *call.Expression, clause *resolve.Clause) error {
	for _, n := range clause.Names {
		if n.Param == "" {
			e.Name(n.Placeholder, n.Attribute)
			continue
		}
		key, _ := b.operand(model.Operand{Param: n.Param}, n.Of)
		if key.Text == "" {
			return fmt.Errorf("%s: the key of an entry is empty", n.Param)
		}
		e.Name(n.Placeholder, key.Text)
	}
	for _, v := range clause.Values {
		if v.List {
			b.list(e, clause, v)
			if clause.Or != "" {
				e.Or(clause.Or)
			}
			return nil
		}
		if b.empties(clause, v) {
			e.Remove(clause.Names[0].Placeholder)
			return nil
		}
		value, err := b.clauseValue(clause, v)
		if err != nil {
			return err
		}
		e.Value(v.Placeholder, value)
	}
	switch clause.Word {
	case "SET":
		e.Set(clause.Text)
	case "ADD":
		e.Add(clause.Text)
	case "DELETE":
		e.Delete(clause.Text)
	case "REMOVE":
		e.Remove(clause.Text)
	default:
		e.And(clause.Text)
	}
	return nil
}

// empties reports whether a clause sets a set to an empty one, which DynamoDB does not store.
func (b *boundWrite) empties(clause *resolve.Clause, v resolve.Value) bool {
	if clause.Word != "SET" || v.Operand == nil || v.Attribute.Type.Base != model.SetOf {
		return false
	}
	_, ok, err := b.value(v)
	return err == nil && !ok
}

// clauseValue returns a value of a clause as it is stored.
func (b *boundWrite) clauseValue(clause *resolve.Clause, v resolve.Value) (types.AttributeValue, error) {
	if v.Operand == nil {
		return KeyValue(keyNamed(b.w, clause.Names[0].Attribute), v.Text, keyedBy(b.w), b.finder())
	}
	value, ok, err := b.value(v)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &access.ValueError{Entity: keyedBy(b.w).Entity, Attribute: v.Attribute.Name, Reason: "is nil, and an expression needs it"}
	case value.Text == "" && setsKey(b.w, clause, v):
		return nil, &access.KeyError{Entity: b.w.Item.Entity.Name, Attribute: v.Attribute.Name, Reason: "is empty"}
	}
	return b.stored(v.Attribute, value)
}

// setsKey reports whether an update sets a text attribute that is itself a key of an index.
func setsKey(w *program.WriteStep, clause *resolve.Clause, v resolve.Value) bool {
	if clause.Word != "SET" || v.Attribute == nil || len(clause.Names) == 0 || clause.Names[0].Attribute != v.Attribute.Stored {
		return false
	}
	switch v.Attribute.Type.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
	default:
		return false
	}
	return slices.ContainsFunc(w.Item.Table.Indexes, func(x *model.Index) bool {
		return slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(k model.KeyName) bool {
			key := w.Item.Key(k.Name)
			return k.Name == v.Attribute.Stored && key != nil && key.Template == nil
		})
	})
}

// list adds a condition that an attribute is one of the values of a list. With an empty list
// the condition never holds.
func (b *boundWrite) list(e *call.Expression, clause *resolve.Clause, v resolve.Value) {
	name, placeholder := clause.Names[0].Placeholder, strings.TrimSuffix(v.Placeholder, "…")
	values := b.a.Lists[b.c.Ref(b.w, v.Operand.Param, v.Attribute).Input]
	if len(values) == 0 {
		e.And("attribute_exists(" + name + ") AND attribute_not_exists(" + name + ")")
		return
	}
	condition, all := oneOf(name, placeholder, values)
	for placeholder, value := range all {
		e.Value(placeholder, value)
	}
	e.And(condition)
}

// holds reports whether conditions hold for the values that decide about a clause, or without
// one about a field or the write.
func (b *boundWrite) holds(clause *resolve.Clause, conditions []*model.Condition) bool {
	values := sample.Values{}
	for _, condition := range conditions {
		for _, attribute := range append([]*model.Attribute{condition.Attribute}, ComparedWith(condition)...) {
			if v, ok := b.operand(b.w.Decides(clause, attribute), attribute); ok {
				values[attribute] = v
			}
		}
	}
	return values.Holds(conditions)
}
