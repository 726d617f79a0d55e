package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A Statement is one request with every expression written out and every value still to
// be filled in. Explain shows it, generated code sends it.
type Statement struct {
	Operation    Operation
	Table        *model.Table
	Index        *model.Index   // of a read, or nil
	Key          []KeyCondition // the primary key, of all but Query and PutItem
	Item         []Field        // of PutItem
	KeyCondition string         // of Query
	Filter       []Clause       // of Query
	Projection   []string       // names of attributes in DynamoDB; empty: all
	Update       []Clause       // of UpdateItem
	Condition    []Clause       // of writes; all must hold
	Names        []Name         // of all expressions, in the order of first use
	Values       []Value
	// Only are the conditions under which there is such a write at all: a guard's row of a
	// value that may be absent.
	Only []*model.Condition
	// All fetches what a local index does not hold from the table.
	All        bool
	Descending bool
	Consistent bool
	Limit      int64
}

// A Field is one attribute of an item that is put.
type Field struct {
	Name  string
	Value Value              // without placeholder
	Only  []*model.Condition // it is there only if all hold
}

// A Name is a placeholder and the attribute it stands for.
type Name struct{ Placeholder, Attribute string }

// A Value is a value of a request: the text of a key, or a value of an attribute.
type Value struct {
	Placeholder string
	Kind        string // S, N, B, BOOL, L, M, SS, NS, BS
	Text        Text   // of a key
	Operand     *model.Operand
	Attribute   *model.Attribute // what the operand is a value of
	List        bool             // one placeholder for each value the parameter lists
	Next        bool             // one more than the version seen
	Up          bool             // an instant finer than what is stored means the next one that is: see RoundsUp
	// Sum are the parts the operand is made of, if only whoever makes the request knows
	// them all. With a Limit, it is what they leave of it.
	Sum   []Term
	Limit *exact.Number
}

// A Clause is one part of an expression, with the names and values it uses.
type Clause struct {
	Word   string // SET, ADD or REMOVE of an update
	Text   string
	Names  []Name
	Values []Value
	Only   []*model.Condition // it is there only if all hold: of what a condition or filter compares, else of the item afterwards
	Unless bool               // it is there unless they all hold
	Else   *Clause            // what is there instead
}

// An expression collects the names and values the expressions of one request use.
// Every name gets a placeholder, so that reserved words never matter.
type expression struct {
	names  []Name
	values []Value
	used   map[string]string // placeholder -> what it stands for
	clause *Clause           // the one being written, or nil
}

func newExpression() *expression { return &expression{used: map[string]string{}} }

// write makes a clause of what is written meanwhile.
func (x *expression) write(word string, text func() string) Clause {
	c := Clause{Word: word}
	x.clause = &c
	c.Text = text()
	x.clause = nil
	return c
}

// name is the placeholder of an attribute.
func (x *expression) name(attribute string) string {
	placeholder, fresh := x.placeholder("#", attribute, attribute)
	n := Name{placeholder, attribute}
	if fresh {
		x.names = append(x.names, n)
	}
	if x.clause != nil && !slices.Contains(x.clause.Names, n) {
		x.clause.Names = append(x.clause.Names, n)
	}
	return placeholder
}

// text is the placeholder of a key.
func (x *expression) text(hint, kind string, t Text) string {
	meaning := kind + " " + t.exact()
	if slices.ContainsFunc(t, func(p TextPart) bool { return p.Up }) {
		meaning += "|up"
	}
	return x.value(hint, meaning, Value{Kind: kind, Text: t})
}

// operand is the placeholder of a value of an attribute.
func (x *expression) operand(hint string, a *model.Attribute, v model.Operand) string {
	kind := valueKind(a.Type)
	return x.value(hint, kind+" "+operandText(v), Value{Kind: kind, Operand: &v, Attribute: a})
}

// bound is the placeholder of the i-th value that a condition compares with.
func (x *expression) bound(c *model.Condition, i int) string {
	v := c.Values[i]
	if v.IsConstant() || !RoundsUp(c, i) {
		return x.operand(operandHint(c, v), c.Attribute, v)
	}
	kind := valueKind(c.Attribute.Type)
	return x.value(operandHint(c, v), kind+" "+operandText(v)+"|up", Value{Kind: kind, Operand: &v, Attribute: c.Attribute, Up: true})
}

// list is the placeholder of a parameter that holds several values. The request shows it
// as :name… with a list of one value: the caller writes one placeholder for each of them.
func (x *expression) list(a *model.Attribute, v model.Operand) string {
	return x.value(v.Param+"…", operandText(v), Value{Kind: valueKind(a.Type), Operand: &v, Attribute: a, List: true})
}

// sum is the placeholder of a number that is added up when the request is made.
func (x *expression) sum(hint string, a *model.Attribute, v model.Operand, terms []Term, limit *exact.Number) string {
	if !counts(terms) {
		return x.operand(hint, a, v)
	}
	meaning := "sum " + hint
	if limit != nil {
		meaning = "what " + meaning + " leaves of " + Digits(*limit)
	}
	return x.value(hint, meaning, Value{Kind: valueKind(a.Type), Operand: &v, Attribute: a, Sum: terms, Limit: limit})
}

// counts reports whether only whoever makes the request knows what the parts come to.
func counts(terms []Term) bool {
	return slices.ContainsFunc(terms, func(term Term) bool { return term.Param != "" || term.Repeated || len(term.Only) > 0 })
}

func (x *expression) value(hint, meaning string, v Value) string {
	placeholder, fresh := x.placeholder(":", hint, meaning)
	v.Placeholder = placeholder
	if fresh {
		x.values = append(x.values, v)
	}
	if c := x.clause; c != nil && !slices.ContainsFunc(c.Values, func(have Value) bool { return have.Placeholder == placeholder }) {
		c.Values = append(c.Values, v)
	}
	return placeholder
}

// placeholder is a name for something, the same for the same, and whether it is new.
func (x *expression) placeholder(mark, hint, meaning string) (string, bool) {
	base := mark + strings.Map(func(c rune) rune {
		if c == '_' || c == '…' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, hint)
	for n, name := 2, base; ; n++ {
		have, taken := x.used[name]
		if !taken {
			x.used[name] = meaning
			return name, true
		}
		if have == meaning {
			return name, false
		}
		name = fmt.Sprintf("%s%d", base, n)
	}
}

// key writes a key condition.
func (x *expression) key(c KeyCondition) string {
	name := x.name(c.Name)
	switch c.Op {
	case model.Between:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, x.text(c.Name+"_from", c.Kind, c.Low), x.text(c.Name+"_to", c.Kind, c.High))
	case model.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, x.text(c.Name, c.Kind, c.Low))
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, x.text(c.Name, c.Kind, c.Low))
}

// condition writes a condition on an attribute.
func (x *expression) condition(c *model.Condition) string {
	name := x.name(c.Attribute.Stored)
	operand := func(i int) string {
		if of := c.Values[i].Attribute; of != nil {
			return x.name(of.Stored)
		}
		return x.bound(c, i)
	}
	switch c.Op {
	case model.Exists:
		return "attribute_exists(" + name + ")"
	case model.Missing:
		return "attribute_not_exists(" + name + ")"
	case model.Between:
		if !c.Values[0].IsConstant() || !c.Values[1].IsConstant() { // DynamoDB refuses BETWEEN if the lower end is above the upper one
			return fmt.Sprintf("%s >= %s AND %s <= %s", name, operand(0), name, operand(1))
		}
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, operand(0), operand(1))
	case model.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, operand(0))
	case model.In:
		if len(c.Values) == 1 && c.Values[0].Param != "" {
			return fmt.Sprintf("%s IN (%s)", name, x.list(c.Attribute, c.Values[0]))
		}
		all := make([]string, len(c.Values))
		for i := range c.Values {
			all[i] = operand(i)
		}
		return fmt.Sprintf("%s IN (%s)", name, strings.Join(all, ", "))
	case model.Ne:
		return fmt.Sprintf("%s <> %s", name, operand(0))
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, operand(0))
}

// emptySet gives a clause that compares with a set of the caller's what is there instead if
// that is empty: DynamoDB has no empty sets, and an item that has one lacks the attribute.
func (x *expression) emptySet(clause *Clause, c *model.Condition) {
	if !ComparesSet(c) {
		return
	}
	function := "attribute_not_exists"
	if c.Op == model.Ne {
		function = "attribute_exists"
	}
	other := x.write("", func() string { return function + "(" + x.name(c.Attribute.Stored) + ")" })
	clause.Only, clause.Else = []*model.Condition{{Attribute: c.Attribute, Op: model.Exists}}, &other
}

// ComparesSet reports whether a condition compares an attribute with a set of the caller's,
// which may be empty.
func ComparesSet(c *model.Condition) bool {
	return c.Attribute.Type.Base == model.SetOf && (c.Op == model.Eq || c.Op == model.Ne) && c.Values[0].Param != ""
}

func operandHint(c *model.Condition, v model.Operand) string {
	if v.Param != "" {
		return v.Param
	}
	return c.Attribute.Name
}

// into gives the statement the names and values.
func (x *expression) into(s *Statement) { s.Names, s.Values = x.names, x.values }

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

// Statement is the request of the read. A read of several requests has one: its values
// differ.
func (r *Read) Statement() *Statement {
	p, x := r.Pattern, newExpression()
	s := &Statement{
		Operation: r.Operation, Table: r.Entry.Path.Table, Index: r.Entry.Path.Index,
		Descending: r.Descending, Consistent: !r.Eventual,
	}
	if r.Operation == GetItem {
		s.Key = slices.Concat(r.Partition, r.Sort)
	} else {
		var keys []string
		for _, c := range slices.Concat(r.Partition, r.Sort) {
			keys = append(keys, x.key(c))
		}
		s.KeyCondition = strings.Join(keys, " AND ")
		for _, c := range r.Filter {
			clause := x.write("", func() string { return x.condition(c) })
			x.emptySet(&clause, c)
			s.Filter = append(s.Filter, clause)
		}
	}
	switch {
	case len(p.Select) > 0:
		s.Projection = r.projection()
		for _, name := range s.Projection {
			x.name(name)
		}
	case len(r.Missing) > 0 && !r.Entry.Path.IsGlobal():
		s.All = true // of a local index: else only what it holds comes back
	}
	x.into(s)
	if r.Operation == Query && len(r.Filter) == 0 {
		s.Limit = p.Limit
	}
	return s
}

// projection names what is selected, and what must be compared after the read. What an
// index holds only inside a composed key is read back out of that key. A local index
// sees what a filter asks for only if it is fetched from the table.
func (r *Read) projection() []string {
	var all []string
	add := func(stored string) {
		if !slices.Contains(all, stored) {
			all = append(all, stored)
		}
	}
	for _, e := range r.Entities {
		for _, a := range slices.Concat(r.Pattern.Select, conditionAttributes(r.Checks)) {
			if own := e.Attribute(a.Name); own != nil {
				add(HeldBy(r.Entry.Path, r.Entry.Path.Table.Item(e), own))
			}
		}
	}
	for _, a := range r.Missing {
		if !r.Entry.Path.IsGlobal() {
			add(a.Stored)
		}
	}
	return all
}
