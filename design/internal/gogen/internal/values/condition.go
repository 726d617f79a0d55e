package values

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// A Value is a value in Go that a condition compares. It may be missing if its type is
// optional.
type Value struct {
	X    syntax.Expr
	Type model.Type
}

func (v Value) present() syntax.Expr { return Present(v.Type, v.X) }
func (v Value) absent() syntax.Expr  { return absent(v.Type, v.X) }
func (v Value) held() syntax.Expr    { return Held(v.Type, v.X) }

// A Source finds the values that conditions compare: those of attributes, and those of
// parameters that are compared with an attribute.
type Source struct {
	Attribute func(*model.Attribute) (Value, error)
	Param     func(model.Operand, *model.Attribute) (Value, error)
}

// Fields is the source of an entity in Go.
func Fields(field func(*model.Attribute) syntax.Expr) Source {
	return Source{Attribute: func(a *model.Attribute) (Value, error) { return Value{field(a), a.Type}, nil }}
}

// Holds returns the Go condition that all conditions hold, nil if they always do. It decides
// as DynamoDB would on the stored item: a comparison with something missing is false, and !=
// is true.
func (v *Values) Holds(conditions []*model.Condition, from Source) (syntax.Expr, error) {
	var all []syntax.Expr
	for _, c := range conditions {
		parts, err := v.condition(c, from)
		if err != nil {
			return nil, err
		}
		for _, x := range parts {
			if !slices.ContainsFunc(all, func(have syntax.Expr) bool { return syntax.Equal(have, x) }) {
				all = append(all, x)
			}
		}
	}
	return syntax.And(all...), nil
}

// condition returns one condition in Go: all of the result must hold.
func (v *Values) condition(c *model.Condition, from Source) ([]syntax.Expr, error) {
	left, err := from.Attribute(c.Attribute)
	if err != nil {
		return nil, err
	}
	present := left.present()
	switch {
	case c.Op == model.Exists && present == nil:
		return nil, nil
	case c.Op == model.Exists:
		return []syntax.Expr{present}, nil
	case c.Op == model.Missing && present == nil:
		return []syntax.Expr{syntax.Name("false")}, nil // it is always there
	case c.Op == model.Missing:
		return []syntax.Expr{left.absent()}, nil
	case c.Op == model.Between:
		low, err := v.condition(&model.Condition{Attribute: c.Attribute, Op: model.Gte, Values: c.Values[:1]}, from)
		if err != nil {
			return nil, err
		}
		high, err := v.condition(&model.Condition{Attribute: c.Attribute, Op: model.Lte, Values: c.Values[1:]}, from)
		return append(low, high...), err
	}
	return v.comparisons(c, left, from)
}

// comparisons compares an attribute with one of several values. Everything compared has to
// be there; for != it is enough that something is missing.
func (v *Values) comparisons(c *model.Condition, left Value, from Source) ([]syntax.Expr, error) {
	var guards, compared []syntax.Expr
	guard := func(x Value) {
		one := x.present()
		if c.Op == model.Ne {
			one = x.absent()
		}
		if one != nil {
			guards = append(guards, one)
		}
	}
	guard(left)
	for _, operand := range c.Values {
		right, err := comparedWith(c, operand, from)
		if err != nil {
			return nil, err
		}
		if right != nil {
			guard(*right)
		}
		compared = append(compared, v.comparison(c, left, operand, right))
	}
	if c.Op != model.Ne {
		return append(guards, syntax.Or(compared...)), nil
	}
	return []syntax.Expr{syntax.Or(append(guards, compared...)...)}, nil
}

// comparedWith finds the value of an operand, nil if that is a constant.
func comparedWith(c *model.Condition, operand model.Operand, from Source) (*Value, error) {
	switch {
	case operand.Attribute != nil:
		value, err := from.Attribute(operand.Attribute)
		return &value, err
	case operand.Param != "" && from.Param != nil:
		value, err := from.Param(operand, c.Attribute)
		return &value, err
	}
	return nil, nil
}

// signs maps the comparisons to how Go writes them.
var signs = map[model.Op]string{
	model.Eq: "==", model.In: "==", model.Ne: "!=", model.Lt: "<", model.Lte: "<=", model.Gt: ">", model.Gte: ">=",
}

// comparison compares an attribute that is there with one value: a constant if right is nil.
func (v *Values) comparison(c *model.Condition, left Value, operand model.Operand, right *Value) syntax.Expr {
	a, sign, x := c.Attribute, signs[c.Op], left.held()
	if c.Op == model.BeginsWith {
		beginning := syntax.Str(operand.Constant)
		if right != nil {
			beginning = TextOf(right.Type, right.held())
		}
		return syntax.CallOf(library.Of("strings", "HasPrefix"), TextOf(a.Type, x), beginning)
	}
	if right != nil {
		return CompareTwo(left.Type, x, sign, right.Type, right.held())
	}
	switch a.Type.Base {
	case model.Bool:
		if (operand.Constant == "true") == (sign == "==") {
			return x
		}
		return syntax.Not(x)
	case model.Unixtime:
		return syntax.Compare(syntax.Method(x, "Unix"), sign, syntax.Num(operand.Constant))
	case model.Timestamp:
		return syntax.Compare(library.Call("FormatTime", x), sign, syntax.Str(operand.Constant))
	case model.Decimal:
		return syntax.Compare(syntax.Method(x, "Cmp", syntax.Str(operand.Constant)), sign, syntax.Int(0))
	case model.Enum, model.Integer, model.Numeric:
		return syntax.Compare(x, sign, v.Constant(a, operand.Constant))
	}
	return syntax.Compare(x, sign, syntax.Str(operand.Constant))
}

// CompareTwo compares two values by what is stored of them: times to the millisecond, numbers
// by value, everything else as text.
func CompareTwo(a model.Type, left syntax.Expr, sign string, b model.Type, right syntax.Expr) syntax.Expr {
	same := a.Base == b.Base
	switch kind := a.KeyKind(); {
	case same && (a.Base == model.Integer || a.Base == model.Numeric || a.Base == model.Bool || a.Base == model.String):
		return syntax.Compare(left, sign, right)
	case same && a.Base == model.Decimal:
		return syntax.Compare(syntax.Method(left, "Cmp", right), sign, syntax.Int(0))
	case kind == "N" && a.Base == model.Unixtime && b.Base == model.Unixtime:
		return syntax.Compare(syntax.Method(left, "Unix"), sign, syntax.Method(right, "Unix"))
	case kind == "N":
		decimal := func(t model.Type, x syntax.Expr) syntax.Expr { return library.Call("Decimal", TextOf(t, x)) }
		return syntax.Compare(syntax.Method(decimal(a, left), "Cmp", decimal(b, right)), sign, syntax.Int(0))
	}
	return syntax.Compare(TextOf(a, left), sign, TextOf(b, right))
}
