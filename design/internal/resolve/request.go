package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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

// An expression collects the names and values the expressions of one request use.
// Every name gets a placeholder, so that reserved words never matter.
type expression struct {
	names, values Object
	used          map[string]string // placeholder -> what it stands for
}

func newExpression() *expression { return &expression{used: map[string]string{}} }

// name is the placeholder of an attribute.
func (x *expression) name(attribute string) string {
	return x.placeholder("#", attribute, attribute, &x.names, attribute)
}

// value is the placeholder of a value DynamoDB takes as text: S and N.
func (x *expression) value(hint, kind, text string) string {
	return x.placeholder(":", hint, kind+" "+text, &x.values, Object{{kind, text}})
}

// operand is the placeholder of a value of a type.
func (x *expression) operand(hint string, t model.Type, v model.Operand) string {
	return x.placeholder(":", hint, valueKind(t)+" "+operandText(v), &x.values, attributeValue(t, v))
}

// list is the placeholder of a parameter that holds several values. The request shows it
// as :name… with a list of one value: the caller writes one placeholder for each of them.
func (x *expression) list(v model.Operand, t model.Type) string {
	name := ":" + v.Param + "…"
	if _, taken := x.used[name]; !taken {
		x.used[name] = operandText(v)
		x.values.add(name, []any{attributeValue(t, v)})
	}
	return name
}

// attributeValue is a value as DynamoDB takes it. Of the constants a design can write
// only true and false are not text in JSON.
func attributeValue(t model.Type, v model.Operand) Object {
	kind := valueKind(t)
	if kind == "BOOL" && v.IsConstant() {
		return Object{{kind, v.Constant == "true"}}
	}
	return Object{{kind, operandText(v)}}
}

func (x *expression) placeholder(mark, hint, meaning string, list *Object, value any) string {
	base := mark + strings.Map(func(c rune) rune {
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, hint)
	for n, name := 2, base; ; n++ {
		have, taken := x.used[name]
		if !taken {
			x.used[name] = meaning
			list.add(name, value)
			return name
		}
		if have == meaning {
			return name
		}
		name = fmt.Sprintf("%s%d", base, n)
	}
}

// key writes a key condition.
func (x *expression) key(c KeyCondition) string {
	name := x.name(c.Name)
	low := c.Low.exact()
	switch c.Op {
	case model.Between:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, x.value(c.Name+"_from", c.Kind, low), x.value(c.Name+"_to", c.Kind, c.High.exact()))
	case model.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, x.value(c.Name, c.Kind, low))
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, x.value(c.Name, c.Kind, low))
}

// condition writes a condition on an attribute.
func (x *expression) condition(c *model.Condition) string {
	name := x.name(c.Attribute.Stored)
	operand := func(v model.Operand) string {
		if v.Attribute != nil {
			return x.name(v.Attribute.Stored)
		}
		return x.operand(operandHint(c, v), c.Attribute.Type, v)
	}
	switch c.Op {
	case model.Exists:
		return "attribute_exists(" + name + ")"
	case model.Missing:
		return "attribute_not_exists(" + name + ")"
	case model.Between:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, operand(c.Values[0]), operand(c.Values[1]))
	case model.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, operand(c.Values[0]))
	case model.In:
		if len(c.Values) == 1 && c.Values[0].Param != "" {
			return fmt.Sprintf("%s IN (%s)", name, x.list(c.Values[0], c.Attribute.Type))
		}
		all := make([]string, len(c.Values))
		for i, v := range c.Values {
			all[i] = operand(v)
		}
		return fmt.Sprintf("%s IN (%s)", name, strings.Join(all, ", "))
	case model.Ne:
		return fmt.Sprintf("%s <> %s", name, operand(c.Values[0]))
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, operand(c.Values[0]))
}

func operandHint(c *model.Condition, v model.Operand) string {
	if v.Param != "" {
		return v.Param
	}
	return c.Attribute.Name
}

// operandText is a value as requests show it: constants as they are, others in braces.
func operandText(v model.Operand) string {
	if v.IsConstant() {
		return v.Constant
	}
	return "{" + v.Param + "}"
}

func (x *expression) all(conditions []*model.Condition) string {
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		texts[i] = x.condition(c)
	}
	return strings.Join(texts, " AND ")
}

// into adds the names and values to a request.
func (x *expression) into(o *Object) {
	if len(x.names) > 0 {
		o.add("ExpressionAttributeNames", x.names)
	}
	if len(x.values) > 0 {
		o.add("ExpressionAttributeValues", x.values)
	}
}

// valueKind is DynamoDB's name for the kind of a value.
func valueKind(t model.Type) string {
	switch t.Base {
	case model.Integer, model.Numeric, model.Decimal, model.Unixtime:
		return "N"
	case model.Bool:
		return "BOOL"
	case model.Bytes:
		return "B"
	case model.ListOf:
		return "L"
	case model.MapOf, model.StructOf:
		return "M"
	case model.SetOf:
		return valueKind(*t.Element) + "S"
	}
	return "S"
}

// Request is the request of the read as DynamoDB takes it, as a value for JSON. Values
// the caller gives stand in braces. A read of several requests shows one of them. Where
// the caller gives a list, :name… stands for one placeholder per value.
func (r *Read) Request() any {
	p, x, o := r.Pattern, newExpression(), Object{{"TableName", r.Entry.Path.Table.Name}}
	if r.Entry.Path.Index != nil {
		o.add("IndexName", r.Entry.Path.Index.Name)
	}
	if r.Operation == GetItem {
		o.add("Key", keyObject(slices.Concat(r.Partition, r.Sort)))
	} else {
		var keys []string
		for _, c := range slices.Concat(r.Partition, r.Sort) {
			keys = append(keys, x.key(c))
		}
		o.add("KeyConditionExpression", strings.Join(keys, " AND "))
		if len(r.Filter) > 0 {
			o.add("FilterExpression", x.all(r.Filter))
		}
	}
	switch {
	case len(p.Select) > 0:
		o.add("ProjectionExpression", r.projection(x))
	case len(r.Missing) > 0 && !r.Entry.Path.IsGlobal():
		o.add("Select", "ALL_ATTRIBUTES") // of a local index: else only what it holds comes back
	}
	x.into(&o)
	if r.Descending {
		o.add("ScanIndexForward", false)
	}
	if p.Limit > 0 && r.Operation == Query && len(r.Filter) == 0 {
		o.add("Limit", p.Limit)
	}
	if !r.Eventual {
		o.add("ConsistentRead", true)
	}
	return o
}

// projection names what is selected, and what must be compared after the read. What an
// index holds only inside a composed key is read back out of that key. A local index
// sees what a filter asks for only if it is fetched from the table.
func (r *Read) projection(x *expression) string {
	var all []string
	add := func(stored string) {
		if name := x.name(stored); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for _, e := range r.Entities {
		for _, a := range slices.Concat(r.Pattern.Select, conditionAttributes(r.Checks)) {
			own := e.Attribute(a.Name)
			if own == nil {
				continue
			}
			add(heldBy(r.Entry.Path, r.Entry.Path.Table.Item(e), own))
		}
	}
	for _, a := range r.Missing {
		if !r.Entry.Path.IsGlobal() {
			add(a.Stored)
		}
	}
	return strings.Join(all, ", ")
}

func keyObject(conditions []KeyCondition) Object {
	var o Object
	for _, c := range conditions {
		o.add(c.Name, Object{{c.Kind, c.Low.exact()}})
	}
	return o
}
