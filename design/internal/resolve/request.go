package resolve

import (
	"bytes"
	"encoding/json"
	"strings"

	"sortkey.dev/design/internal/model"
)

// An Object is a JSON object whose members keep their order.
type Object []Member

// A Member is one name and value of an Object.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		value := json.NewEncoder(&b)
		value.SetEscapeHTML(false) // whoever writes the whole decides how > looks
		if err := value.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return bytes.ReplaceAll(b.Bytes(), []byte(string(largest)), []byte(`\udbff\udfff`)), nil // nobody sees it unescaped
}

func (o *Object) add(name string, value any) { *o = append(*o, Member{name, value}) }

// Request is the request of the read as DynamoDB takes it, as a value for JSON. Values
// the caller gives stand in braces. A read of several requests shows one of them. Where
// the caller gives a list, :name… stands for one placeholder per value.
func (r *Read) Request() any { return r.Statement().request() }

// Request is the request of the write as DynamoDB takes it, as a value for JSON. In a
// transaction it is one of its actions.
//
// What the design leaves to the values of the caller is not DynamoDB's to decide: OnlyIf
// says of a key attribute when the request of the caller has it, or else takes it away;
// of the primary key of a guard's row, when there is such a row; of an attribute with a
// guard, when its old value is the condition; and of the version of an item that is put,
// when it is the condition. What the condition is else stands with it.
func (w *Write) Request() any { return w.Statement().request() }

// request is the statement as a value for JSON.
func (s *Statement) request() Object {
	o := Object{{"TableName", s.Table.Name}}
	if s.Index != nil {
		o.add("IndexName", s.Index.Name)
	}
	switch s.Operation {
	case PutItem:
		var item Object
		for _, f := range s.Item {
			item.add(f.Name, f.Value.request())
		}
		o.add("Item", item)
	case Query:
		o.add("KeyConditionExpression", s.KeyCondition)
	default:
		o.add("Key", keyObject(s.Key))
	}
	s.expressions(&o)
	if s.Descending {
		o.add("ScanIndexForward", false)
	}
	if s.Limit > 0 {
		o.add("Limit", s.Limit)
	}
	if s.Consistent {
		o.add("ConsistentRead", true)
	}
	if notes := s.notes(); len(notes) > 0 {
		o.add("OnlyIf", notes)
	}
	return o
}

// expressions adds the expressions of the statement, and what they stand for.
func (s *Statement) expressions(o *Object) {
	if text := joinClauses(s.Update); text != "" {
		o.add("UpdateExpression", text)
	}
	if text := joinConditions(s.Condition); text != "" {
		o.add("ConditionExpression", text)
	}
	if text := joinConditions(s.Filter); text != "" {
		o.add("FilterExpression", text)
	}
	switch {
	case len(s.Projection) > 0:
		o.add("ProjectionExpression", strings.Join(s.placeholders(s.Projection), ", "))
	case s.All:
		o.add("Select", "ALL_ATTRIBUTES")
	}
	var names, values Object
	for _, n := range s.Names {
		names.add(n.Placeholder, n.Attribute)
	}
	for _, v := range s.Values {
		values.add(v.Placeholder, v.request())
	}
	if len(names) > 0 {
		o.add("ExpressionAttributeNames", names)
	}
	if len(values) > 0 {
		o.add("ExpressionAttributeValues", values)
	}
}

// placeholders are those of attributes.
func (s *Statement) placeholders(attributes []string) []string {
	all := make([]string, len(attributes))
	for i, a := range attributes {
		for _, n := range s.Names {
			if n.Attribute == a {
				all[i] = n.Placeholder
			}
		}
	}
	return all
}

// notes are the conditions only the caller can decide, by what depends on them.
func (s *Statement) notes() Object {
	var notes Object
	for _, f := range s.Item {
		if len(f.Only) > 0 {
			notes.add(f.Name, onlyIf(f.Only))
		}
	}
	for _, c := range append(append([]Clause(nil), s.Update...), s.Condition...) {
		if len(c.Only) == 0 {
			continue
		}
		text := onlyIf(c.Only)
		switch {
		case c.Unless:
			text = "not (" + text + ")"
		case c.Else != nil && c.Else.Word != "":
			text += ", else " + c.Else.Word
		case c.Else != nil:
			text += ", else " + c.Else.Text
		}
		about := c.Names[0].Attribute
		if c.Word == "" && len(c.Values) > 0 && c.Values[0].Operand.Param != "" {
			about = c.Values[0].Operand.Param // what it compares with, which may be the old value
		}
		notes.add(about, text)
	}
	for _, c := range s.Only {
		notes.add(s.Table.PK.Name, onlyIf([]*model.Condition{c}))
	}
	return notes
}

// request is the value as DynamoDB takes it. Of the constants a design can write only
// true and false are not text in JSON.
func (v Value) request() any {
	if v.Operand == nil {
		return Object{{v.Kind, v.Text.exact()}}
	}
	var text any = operandText(*v.Operand)
	if v.Kind == "BOOL" && v.Operand.IsConstant() {
		text = v.Operand.Constant == "true"
	}
	if v.List {
		return []any{Object{{v.Kind, text}}}
	}
	return Object{{v.Kind, text}}
}

// operandText is a value as requests show it: constants as they are, others in braces.
func operandText(v model.Operand) string {
	if v.IsConstant() {
		return v.Constant
	}
	return "{" + v.Param + "}"
}

func keyObject(conditions []KeyCondition) Object {
	var o Object
	for _, c := range conditions {
		o.add(c.Name, Object{{c.Kind, c.Low.exact()}})
	}
	return o
}

// joinClauses is an update expression: SET, ADD and REMOVE with their clauses.
func joinClauses(clauses []Clause) string {
	var all []string
	for _, word := range []string{"SET", "ADD", "REMOVE"} {
		var parts []string
		for _, c := range clauses {
			if c.Word == word {
				parts = append(parts, c.Text)
			}
		}
		if len(parts) > 0 {
			all = append(all, word+" "+strings.Join(parts, ", "))
		}
	}
	return strings.Join(all, " ")
}

// joinConditions is a condition or filter expression.
func joinConditions(clauses []Clause) string {
	texts := make([]string, len(clauses))
	for i, c := range clauses {
		texts[i] = c.Text
	}
	return strings.Join(texts, " AND ")
}
