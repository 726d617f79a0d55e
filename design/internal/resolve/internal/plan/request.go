package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
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
		value.SetEscapeHTML(false) // the encoder of the whole decides how > looks
		if err := value.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return bytes.ReplaceAll(b.Bytes(), []byte(string(keytext.Largest)), []byte(`\udbff\udfff`)), nil // unescaped it is invisible
}

func (o *Object) add(name string, value any) { *o = append(*o, Member{name, value}) }

// request returns the statement as a value for JSON.
func (s *Statement) request() Object {
	if s.Operation == BatchGetItem {
		return s.batch()
	}
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
	case Scan:
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

// SnapshotRequest returns the request of the parts of a snapshot as DynamoDB takes it, as a value
// for JSON.
func SnapshotRequest(parts []*Read) any {
	gets := make([]any, len(parts))
	for i, r := range parts {
		s := r.Statement
		get := Object{{"TableName", s.Table.Name}, {"Key", keyObject(s.Key)}}
		s.expressions(&get)
		gets[i] = Object{{"Get", get}}
	}
	return Object{{"TransactItems", gets}}
}

// batch returns the statement of a batch as a value for JSON, with one of its keys.
func (s *Statement) batch() Object {
	ask := Object{{"Keys", []any{keyObject(s.Key)}}}
	s.expressions(&ask)
	if s.Consistent {
		ask.add("ConsistentRead", true)
	}
	return Object{{"RequestItems", Object{{s.Table.Name, ask}}}}
}

// expressions adds the expressions of the statement, with their names and values.
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
		if n.Param != "" {
			names.add(n.Placeholder, OperandText(model.Operand{Param: n.Param}))
			continue
		}
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

// placeholders returns the placeholders of attributes.
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

// notes returns the conditions that only the caller can decide, by what depends on them.
func (s *Statement) notes() Object {
	var notes Object
	for _, f := range s.Item {
		if len(f.Only) > 0 {
			notes.add(f.Name, conjunction(f.Only))
		}
	}
	for _, c := range slices.Concat(s.Update, s.Condition) {
		if len(c.Only) > 0 {
			notes = append(notes, c.note())
		}
	}
	for _, c := range s.Only {
		notes.add(s.Table.PK.Name, conjunction([]*model.Condition{c}))
	}
	return notes
}

// note says when a clause is there, and what is there otherwise.
func (c Clause) note() Member {
	text := conjunction(c.Only)
	switch {
	case c.Own && len(c.Values) > 0 && c.Values[0].Operand != nil && c.Values[0].Operand.Param != "":
		text = "$" + c.Values[0].Operand.Param + " is given"
	case c.Unless:
		text = "not (" + text + ")"
	case c.Else != nil && c.Else.Word != "":
		text += ", else " + c.Else.Word
	case c.Else != nil:
		text += ", else " + c.Else.Text
	}
	about := c.Names[0].Attribute
	if c.Word == "" && len(c.Values) > 0 && c.Values[0].Operand.Param != "" {
		about = c.Values[0].Operand.Param // the value that it compares with, which may be the old one
	}
	return Member{about, text}
}

// conjunction writes a list of conditions as a design does.
func conjunction(conditions []*model.Condition) string {
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		texts[i] = c.String()
	}
	return strings.Join(texts, " and ")
}

// request returns the value as DynamoDB takes it. Of the constants a design can write only
// true and false are not text in JSON.
func (v Value) request() any {
	if v.Operand == nil {
		return Object{{v.Kind, v.Text.Exact()}}
	}
	if v.Empty {
		return Object{{v.Kind, []any{}}}
	}
	var text any = OperandText(*v.Operand)
	if v.Room > 0 {
		text = fmt.Sprintf("%d less the elements of %s", v.Room, text)
	}
	if v.Kind == "BOOL" && v.Operand.IsConstant() {
		text = v.Operand.Constant == "true"
	}
	if v.List {
		return []any{Object{{v.Kind, text}}}
	}
	return Object{{v.Kind, text}}
}

// OperandText returns a value as requests show it: constants as they are, others in
// braces.
func OperandText(v model.Operand) string {
	if v.IsConstant() {
		return v.Constant
	}
	return "{" + v.Param + "}"
}

func keyObject(conditions []keytext.Condition) Object {
	var o Object
	for _, c := range conditions {
		o.add(c.Name, Object{{c.Kind, c.Low.Exact()}})
	}
	return o
}

// joinClauses returns an update expression: SET, ADD, DELETE and REMOVE with their clauses.
func joinClauses(clauses []Clause) string {
	var all []string
	for _, word := range []string{"SET", "ADD", "DELETE", "REMOVE"} {
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

// joinConditions returns a condition or filter expression.
func joinConditions(clauses []Clause) string {
	texts := make([]string, len(clauses))
	for i, c := range clauses {
		texts[i] = c.Text
	}
	return strings.Join(texts, " AND ")
}
