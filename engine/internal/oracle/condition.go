package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Condition is a condition or filter as a tree. It has Of for AND, OR and NOT,
// and Operands for everything else.
type Condition struct {
	Op       string // AND, OR, NOT, a comparator, BETWEEN, IN or the name of a function
	Of       []Condition
	Operands []Operand
}

// An Operand is a path, the size of the value at a path, or a value.
type Operand struct {
	Path  Path
	Size  bool
	Value types.AttributeValue
}

// write writes a condition as the expression called name of a request; nil for none.
func (c *Condition) write(e *expressions, name string) *string {
	if c == nil {
		return nil
	}
	e.begin(name)
	return optional(c.text(e))
}

func (c *Condition) text(e *expressions) string {
	var parts []string
	for i := range c.Of {
		parts = append(parts, "("+c.Of[i].text(e)+")")
	}
	for _, o := range c.Operands {
		parts = append(parts, o.text(e))
	}
	switch c.Op {
	case "AND", "OR":
		return strings.Join(parts, " "+c.Op+" ")
	case "NOT":
		return "NOT " + parts[0]
	case "BETWEEN":
		return fmt.Sprintf("%s BETWEEN %s AND %s", parts[0], parts[1], parts[2])
	case "IN":
		return fmt.Sprintf("%s IN (%s)", parts[0], strings.Join(parts[1:], ", "))
	case "=", "<>", "<", "<=", ">", ">=":
		return parts[0] + " " + c.Op + " " + parts[1]
	}
	return c.Op + "(" + strings.Join(parts, ", ") + ")"
}

func (o Operand) text(e *expressions) string {
	switch {
	case o.Size:
		return "size(" + e.path(o.Path) + ")"
	case o.Path != nil:
		return e.path(o.Path)
	}
	return e.value(o.Value)
}

// attributes returns the attributes a condition names, in the order of its text.
func (c *Condition) attributes() (names []string) {
	if c == nil {
		return nil
	}
	for i := range c.Of {
		names = append(names, c.Of[i].attributes()...)
	}
	for _, o := range c.Operands {
		if o.Path != nil {
			names = append(names, o.Path.head())
		}
	}
	return names
}

// holds reports whether the condition holds for an item, which may be missing.
func (c *Condition) holds(it Item) bool {
	if c == nil {
		return true
	}
	switch c.Op {
	case "AND":
		return !slices.ContainsFunc(c.Of, func(c Condition) bool { return !c.holds(it) })
	case "OR":
		return slices.ContainsFunc(c.Of, func(c Condition) bool { return c.holds(it) })
	case "NOT":
		return !c.Of[0].holds(it)
	}
	var v []types.AttributeValue
	for _, o := range c.Operands {
		v = append(v, o.in(it))
	}
	return compares(c.Op, v)
}

// in returns the operand's value for an item, nil if there is none.
func (o Operand) in(it Item) types.AttributeValue {
	switch {
	case o.Size:
		return size(o.Path.in(it))
	case o.Path != nil:
		return o.Path.in(it)
	}
	return canonical(o.Value)
}

// size returns the result of the function size for a value.
func size(v types.AttributeValue) types.AttributeValue {
	n := 0
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		n = len(utf16.Encode([]rune(v.Value)))
	case *types.AttributeValueMemberB:
		n = len(v.Value)
	case *types.AttributeValueMemberL:
		n = len(v.Value)
	case *types.AttributeValueMemberM:
		n = len(v.Value)
	default:
		if n = len(members(v)); n == 0 {
			return nil
		}
	}
	return N(strconv.Itoa(n))
}

// compares evaluates one operator or function on its operands. Missing operands are nil.
func compares(op string, v []types.AttributeValue) bool {
	switch op {
	case "attribute_exists":
		return v[0] != nil
	case "attribute_not_exists":
		return v[0] == nil
	case "attribute_type":
		return v[0] != nil && kind(v[0]) == text(v[1])
	case "begins_with":
		k := kind(v[0])
		return (k == "S" || k == "B") && k == kind(v[1]) && strings.HasPrefix(text(v[0]), text(v[1]))
	case "contains":
		return contains(v[0], v[1])
	case "not_contains":
		return slices.Contains([]string{"S", "B", "L", "SS", "NS", "BS"}, kind(v[0])) && !contains(v[0], v[1])
	case "=":
		return same(v[0], v[1])
	case "<>":
		return !same(v[0], v[1])
	case "IN":
		return slices.ContainsFunc(v[1:], func(w types.AttributeValue) bool { return same(v[0], w) })
	case "BETWEEN":
		return compares(">=", v[:2]) && compares("<=", []types.AttributeValue{v[0], v[2]})
	}
	c, ok := order(v[0], v[1])
	switch {
	case !ok:
		return false
	case c == 0:
		return strings.HasSuffix(op, "=")
	}
	return (c < 0) == strings.HasPrefix(op, "<")
}

// same reports whether two values exist and are equal.
func same(a, b types.AttributeValue) bool { return a != nil && b != nil && equal(a, b) }

func contains(whole, part types.AttributeValue) bool {
	switch whole := whole.(type) {
	case *types.AttributeValueMemberS, *types.AttributeValueMemberB:
		return kind(whole) == kind(part) && strings.Contains(text(whole), text(part))
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(whole.Value, func(e types.AttributeValue) bool { return same(e, part) })
	}
	return slices.ContainsFunc(members(whole), func(m types.AttributeValue) bool { return same(m, part) })
}
