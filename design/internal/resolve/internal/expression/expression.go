// Package expression writes the expressions of a request: key conditions, filters,
// conditions and updates, with a placeholder for every name and value.
//
// It decides nothing: rooms read and write of resolve say what to write.
package expression

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A Writer writes the expressions of one request and collects their names and values.
// Every name gets a placeholder, so that reserved words never matter.
type Writer struct {
	names  []plan.Name
	values []plan.Value
	used   map[string]string // placeholder -> what it stands for
	clause *plan.Clause      // the one being written, or nil
}

// New returns a writer for the expressions of one request.
func New() *Writer { return &Writer{used: map[string]string{}} }

// Clause returns the clause that text writes. The word is SET, ADD, DELETE or REMOVE of an update,
// or "".
func (x *Writer) Clause(word string, text func() string) plan.Clause {
	c := plan.Clause{Word: word}
	x.clause = &c
	c.Text = text()
	x.clause = nil
	return c
}

// Name returns the placeholder of an attribute.
func (x *Writer) Name(attribute string) string {
	placeholder, fresh := x.placeholder("#", attribute, attribute)
	return x.named(plan.Name{Placeholder: placeholder, Attribute: attribute}, fresh)
}

// Entry returns the path of an entry of a map. Its key is data, so it is a placeholder, too.
func (x *Writer) Entry(e *model.Entry) string {
	path := x.Name(e.Map.Stored) + "."
	if e.Key.Param == "" {
		return path + x.Name(e.Key.Constant)
	}
	placeholder, fresh := x.placeholder("#", e.Key.Param, "key "+plan.OperandText(e.Key))
	return path + x.named(plan.Name{Placeholder: placeholder, Param: e.Key.Param, Of: e.KeyText}, fresh)
}

func (x *Writer) named(n plan.Name, fresh bool) string {
	if fresh {
		x.names = append(x.names, n)
	}
	if x.clause != nil && !slices.Contains(x.clause.Names, n) {
		x.clause.Names = append(x.clause.Names, n)
	}
	return n.Placeholder
}

// Text returns the placeholder of the text of a key.
func (x *Writer) Text(hint, kind string, t keytext.Text) string {
	meaning := kind + " " + t.Exact()
	if slices.ContainsFunc(t, func(p keytext.TextPart) bool { return p.Up }) {
		meaning += "|up"
	}
	return x.value(hint, meaning, plan.Value{Kind: kind, Text: t})
}

// Operand returns the placeholder of a value of an attribute.
func (x *Writer) Operand(hint string, a *model.Attribute, v model.Operand) string {
	kind := Kind(a.Type)
	return x.value(hint, kind+" "+plan.OperandText(v), plan.Value{Kind: kind, Operand: &v, Attribute: a})
}

// EmptyList returns the placeholder of a list without elements.
func (x *Writer) EmptyList(a *model.Attribute) string {
	return x.value("none", "no elements", plan.Value{Kind: "L", Operand: &model.Operand{}, Attribute: a, Empty: true})
}

// Room returns the placeholder of the number of elements that the maximum of a collection
// leaves beside those of a parameter.
func (x *Writer) Room(a *model.Attribute, v model.Operand) string {
	return x.value(v.Param+"_room", "room "+plan.OperandText(v), plan.Value{Kind: "N", Operand: &v, Attribute: a, Room: a.Max})
}

// bound returns the placeholder of the i-th value that a condition compares with.
func (x *Writer) bound(c *model.Condition, i int) string {
	v := c.Values[i]
	if v.IsConstant() || !keytext.RoundsUp(c, i) {
		return x.Operand(Hint(c, v), c.Attribute, v)
	}
	kind := Kind(c.Attribute.Type)
	return x.value(Hint(c, v), kind+" "+plan.OperandText(v)+"|up", plan.Value{Kind: kind, Operand: &v, Attribute: c.Attribute, Up: true})
}

// list returns the placeholder of a parameter that holds several values. The request
// shows it as :name… with a list of one value: the caller writes one placeholder for each.
func (x *Writer) list(a *model.Attribute, v model.Operand) string {
	return x.value(v.Param+"…", plan.OperandText(v), plan.Value{Kind: Kind(a.Type), Operand: &v, Attribute: a, List: true})
}

// Sum returns the placeholder of a number that is added up when the request is made, or
// of what the sum leaves of a limit.
func (x *Writer) Sum(hint string, a *model.Attribute, v model.Operand, terms []plan.Term, limit *exact.Number) string {
	if !plan.Varies(terms) {
		return x.Operand(hint, a, v)
	}
	meaning := "sum " + hint
	if limit != nil {
		meaning = "what " + meaning + " leaves of " + plan.Digits(*limit)
	}
	return x.value(hint, meaning, plan.Value{Kind: Kind(a.Type), Operand: &v, Attribute: a, Sum: terms, Limit: limit})
}

// value returns the placeholder of a value; the same meaning has the same placeholder.
func (x *Writer) value(hint, meaning string, v plan.Value) string {
	placeholder, fresh := x.placeholder(":", hint, meaning)
	v.Placeholder = placeholder
	if fresh {
		x.values = append(x.values, v)
	}
	if c := x.clause; c != nil && !slices.ContainsFunc(c.Values, func(have plan.Value) bool { return have.Placeholder == placeholder }) {
		c.Values = append(c.Values, v)
	}
	return placeholder
}

// placeholder returns a name for a meaning, the same for the same, and whether it is new.
func (x *Writer) placeholder(mark, hint, meaning string) (string, bool) {
	base := mark + strings.Map(placeholderRune, hint)
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

// placeholderRune replaces the characters that placeholders may not have.
func placeholderRune(c rune) rune {
	if c == '_' || c == '…' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
		return c
	}
	return '_'
}

// Key writes a key condition.
func (x *Writer) Key(c keytext.Condition) string {
	name := x.Name(c.Name)
	switch c.Op {
	case model.Between:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, x.Text(c.Name+"_from", c.Kind, c.Low), x.Text(c.Name+"_to", c.Kind, c.High))
	case model.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, x.Text(c.Name, c.Kind, c.Low))
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, x.Text(c.Name, c.Kind, c.Low))
}

// Condition writes a condition on an attribute.
func (x *Writer) Condition(c *model.Condition) string {
	if c.Op == model.Or {
		return x.any(c)
	}
	name := x.left(c)
	operand := func(i int) string {
		if of := c.Values[i].Attribute; of != nil {
			return x.Name(of.Stored)
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

// left returns the attribute or the entry that a condition compares.
func (x *Writer) left(c *model.Condition) string {
	if c.Entry != nil {
		return x.Entry(c.Entry)
	}
	return x.Name(c.Attribute.Stored)
}

// any writes alternatives. AND binds stronger than OR.
func (x *Writer) any(c *model.Condition) string {
	all := make([]string, len(c.Any))
	for i, alternative := range c.Any {
		each := make([]string, len(alternative))
		for j, condition := range alternative {
			each[j] = x.Condition(condition)
		}
		all[i] = strings.Join(each, " AND ")
	}
	return "(" + strings.Join(all, " OR ") + ")"
}

// Exists returns the clause that an item has an attribute.
func (x *Writer) Exists(stored string) plan.Clause {
	return x.Clause("", func() string { return "attribute_exists(" + x.Name(stored) + ")" })
}

// Missing returns the clause that an item lacks an attribute.
func (x *Writer) Missing(stored string) plan.Clause {
	return x.Clause("", func() string { return "attribute_not_exists(" + x.Name(stored) + ")" })
}

// Remove returns the clause that removes an attribute.
func (x *Writer) Remove(stored string) plan.Clause {
	return x.Clause("REMOVE", func() string { return x.Name(stored) })
}

// Or gives a clause that is there only if the caller gives a value of an attribute the
// clause that is there otherwise.
func Or(clause *plan.Clause, a *model.Attribute, other plan.Clause) {
	clause.Only, clause.Else = []*model.Condition{logic.Exists(a)}, &other
}

// OrEmptySet gives a clause that compares with a set of the caller the clause that is there
// instead if the set is empty: DynamoDB has no empty sets, and an item that has one lacks
// the attribute.
func (x *Writer) OrEmptySet(clause *plan.Clause, c *model.Condition) {
	switch {
	case !logic.ComparesSet(c):
	case c.Op == model.Ne:
		Or(clause, c.Attribute, x.Exists(c.Attribute.Stored))
	default:
		Or(clause, c.Attribute, x.Missing(c.Attribute.Stored))
	}
}

// Hint returns the placeholder to try first for a value of a condition.
func Hint(c *model.Condition, v model.Operand) string {
	if v.Param != "" {
		return v.Param
	}
	return c.Attribute.Name
}

// Into gives a statement the names and values.
func (x *Writer) Into(s *plan.Statement) { s.Names, s.Values = x.names, x.values }

// Kind returns DynamoDB's name for the kind of a value of a type.
func Kind(t model.Type) string {
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
		return Kind(*t.Element) + "S"
	}
	return "S"
}
