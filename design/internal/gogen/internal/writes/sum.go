package writes

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// What is added to a counter is added up in Go, because only the caller knows how many items
// there are and what they hold. Whole numbers are Go's. Fractions and decimals are added
// exactly, as DynamoDB does, so that a counter never drifts from what it counts.

// A sum is a number that is added.
type sum struct {
	x     syntax.Expr // in the type of the attribute
	exact syntax.Expr // nil, or the same as a decimal
}

// stored returns the sum as it is stored.
func (s sum) stored(v *values.Values, a *model.Attribute) syntax.Expr {
	switch {
	case a.Type.Base == model.Integer || a.Type.Base == model.Unixtime:
		return library.Call("N", s.x)
	case s.exact != nil:
		return library.Call("Dec", s.exact)
	}
	return v.Stored(a, a.Type, s.x)
}

// sumOf returns what is added, or with a limit what that leaves of the limit.
func sumOf(s *patterns.Scope, w *program.WriteStep, v resolve.Value) (sum, error) {
	if isExact(v) {
		args, spread, err := exactTerms(s, w, v)
		call := library.Call("SumDecimals", append([]syntax.Expr{values.Encode, syntax.Str(v.Attribute.Name)}, args...)...)
		call.Spread = spread
		total := sum{x: call, exact: call}
		if v.Attribute.Type.Base == model.Numeric {
			total.x = syntax.Method(call, "Float64")
		}
		return total, err
	}
	var total syntax.Expr
	for _, t := range v.Sum {
		x, err := term(s, w, t, v.Attribute)
		if err != nil {
			return sum{}, err
		}
		switch positive, negative := negated(x); {
		case total == nil:
			total = x
		case negative:
			total = syntax.Join("-", total, positive)
		default:
			total = syntax.Join("+", total, x)
		}
	}
	if v.Limit != nil {
		total = syntax.Join("-", syntax.Num(resolve.Digits(*v.Limit)), total)
	}
	return sum{x: total}, nil
}

// negated returns what a negative term is the negative of.
func negated(x syntax.Expr) (syntax.Expr, bool) {
	switch x := x.(type) {
	case *syntax.Unary:
		return x.X, x.Op == "-"
	case *syntax.Binary:
		if factor, ok := x.X.(*syntax.Unary); ok && x.Op == "*" && factor.Op == "-" {
			return syntax.Join("*", factor.X, x.Y), true
		}
	}
	return x, false
}

// isExact reports whether a sum has to be added up as decimals.
func isExact(v resolve.Value) bool {
	switch v.Attribute.Type.Base {
	case model.Decimal, model.Numeric:
		return v.Limit != nil || len(v.Sum) > 1 || v.Sum[0].Repeated
	}
	return false
}

// exactTerms returns the terms of a sum as decimals, as arguments of a function that takes
// any number of them. The last argument may be a list of them.
func exactTerms(s *patterns.Scope, w *program.WriteStep, v resolve.Value) (args []syntax.Expr, spread bool, err error) {
	var lists, single []syntax.Expr
	if v.Limit != nil {
		single = append(single, decimalOf(*v.Limit))
	}
	for _, t := range v.Sum {
		minus := t.Minus != (v.Limit != nil)
		if t.Param == "" && minus {
			minus, t.By = false, exact.Zero.Sub(t.By)
		}
		x, isList, err := exactTerm(s, w, t, v.Attribute, minus)
		if err != nil {
			return nil, false, err
		}
		if isList {
			lists = append(lists, x)
		} else {
			single = append(single, x)
		}
	}
	switch {
	case len(lists) == 0:
		return single, false, nil
	case len(lists) == 1 && len(single) == 0:
		return lists, true, nil
	case len(single) > 0:
		lists = append(lists, syntax.List(library.Access("Decimal"), single...))
	}
	return []syntax.Expr{syntax.CallOf(library.Of("slices", "Concat"), lists...)}, true, nil
}

// exactTerm returns one term as a decimal, or as a list of them.
func exactTerm(s *patterns.Scope, w *program.WriteStep, t resolve.Term, a *model.Attribute, minus bool) (x syntax.Expr, isList bool, err error) {
	var input *program.Input
	var item syntax.Expr
	if t.Repeated {
		if input = repeats(s.M, t.Of); input == nil {
			return nil, false, uncounted(s.M, a)
		}
		item = one
	}
	counts := t.Param == "" && len(t.Only) == 0
	digits, scale := unscaled(t.By)
	if counts && t.Repeated && len(digits) <= fewDigits {
		number := syntax.Join("*", syntax.Num(digits), countOf(s.M, input))
		return library.Call("DecimalOf", number, syntax.Int(scale)), false, nil
	}
	x = decimalOf(t.By)
	if !counts {
		if x, err = oneTerm(s, w, t, a, item); err != nil {
			return nil, false, err
		}
		if a.Type.Base == model.Numeric {
			x = converted(model.Numeric, model.Decimal, x)
		}
	}
	if minus {
		x = syntax.Method(x, "Neg")
	}
	if !t.Repeated {
		return x, false, nil
	}
	return library.Call("OfEach", s.M.Place(input), ofOne(s.M.ItemType(input), library.Access("Decimal"), x)), true, nil
}

func uncounted(m *patterns.Method, a *model.Attribute) error {
	return fmt.Errorf("%s: nothing says how many items %s counts", m.Call.Pattern.Name, a.Name)
}

// countOf returns how many items a repeated input has.
func countOf(m *patterns.Method, input *program.Input) syntax.Expr {
	return syntax.Builtin("int64", syntax.Builtin("len", m.Place(input)))
}

// term returns one part of a sum of Go's numbers.
func term(s *patterns.Scope, w *program.WriteStep, t resolve.Term, a *model.Attribute) (syntax.Expr, error) {
	if t.Minus {
		isConstant := t.Param == "" && len(t.Only) == 0
		if t.Minus = false; isConstant {
			t.By = exact.Zero.Sub(t.By)
		}
		x, err := term(s, w, t, a)
		switch {
		case isConstant || err != nil:
			return x, err
		case a.Type.Base == model.Decimal:
			return syntax.Method(x, "Neg"), nil
		}
		return syntax.Neg(x), nil
	}
	if !t.Repeated {
		return oneTerm(s, w, t, a, nil)
	}
	input := repeats(s.M, t.Of)
	if input == nil {
		return nil, uncounted(s.M, a)
	}
	if t.Param == "" && len(t.Only) == 0 {
		return constantTerm(a, t.By, countOf(s.M, input)), nil
	}
	x, err := oneTerm(s, w, t, a, one)
	if err != nil {
		return nil, err
	}
	return library.Call("Total", s.M.Place(input), ofOne(s.M.ItemType(input), s.M.Package.Items.Values.ValueType(a), x)), nil
}

// oneTerm returns what one item adds. Of a repeated input it is the current item.
func oneTerm(s *patterns.Scope, w *program.WriteStep, t resolve.Term, a *model.Attribute, item syntax.Expr) (syntax.Expr, error) {
	x := constantTerm(a, t.By, nil)
	if len(t.Only) > 0 && a.Type.Base != model.Decimal {
		x = syntax.CallOf(s.M.Package.Items.Values.ValueType(a), x)
	}
	if t.Param != "" {
		ref := s.M.Call.Term(w, t, a)
		if ref.IsZero() {
			return nil, fmt.Errorf("%s: nothing gives $%s, which is added to %s", s.M.Call.Pattern.Name, t.Param, a.Name)
		}
		at := s.In(ref, item)
		x = at.X
		if at.Pointer {
			x = library.Call("OrZero", at.X)
		}
		if from := ref.Of(); from != nil && from.Type.Base != a.Type.Base {
			x = converted(from.Type.Base, a.Type.Base, x)
		}
	}
	holds, err := counted(s, w, t, a, item)
	if err != nil || holds == nil {
		return x, err
	}
	return library.Call("OnlyIf", holds, x), nil
}

// counted returns the Go condition that a part of a sum counts, nil if it always does.
func counted(s *patterns.Scope, w *program.WriteStep, t resolve.Term, of *model.Attribute, item syntax.Expr) (syntax.Expr, error) {
	unknown := fmt.Errorf("%s: nothing says whether %s counts an item", s.M.Call.Pattern.Name, of.Name)
	return s.M.Package.Items.Values.Holds(t.Only, values.Source{
		Attribute: func(a *model.Attribute) (values.Value, error) {
			ref := s.M.Call.Compared(w, t, a)
			switch value, known := t.Values[a]; {
			case !ref.IsZero():
				return deciding(s, ref, a, item), nil
			case known && value.Param == "":
				return given(s.M.Package.Items.Values.Constant(a, value.Constant), a, false), nil
			}
			return values.Value{}, unknown
		},
		Param: func(model.Operand, *model.Attribute) (values.Value, error) { return values.Value{}, unknown },
	})
}

// converted returns a number of one type as one of another.
func converted(from, to model.Base, x syntax.Expr) syntax.Expr {
	switch {
	case to == model.Numeric && from == model.Integer:
		return syntax.Builtin("float64", x)
	case to == model.Integer && from == model.Numeric:
		return syntax.Builtin("int64", x)
	case to == model.Decimal && from == model.Integer:
		return library.Call("DecimalOf", x, syntax.Int(0))
	case to == model.Decimal && from == model.Numeric:
		return library.Call("Decimal", library.Call("FormatFloat", x))
	case to == model.Numeric && from == model.Decimal:
		return syntax.Method(x, "Float64")
	}
	return x
}

// constantTerm returns a number of the design, times a count if there is one.
func constantTerm(a *model.Attribute, by exact.Number, count syntax.Expr) syntax.Expr {
	digits := resolve.Digits(by)
	switch {
	case a.Type.Base == model.Decimal:
		return decimalOf(by)
	case count == nil:
		return syntax.Num(digits)
	case digits == "1":
		return count
	case digits == "-1":
		return syntax.Neg(count)
	}
	return syntax.Join("*", syntax.Num(digits), count)
}

// repeats returns the input there are several writes for.
func repeats(m *patterns.Method, of *resolve.PlannedWrite) *program.Input {
	for _, w := range m.Call.Writes {
		if w.PlannedWrite == of {
			return w.Repeats
		}
	}
	return nil
}

func decimalOf(n exact.Number) syntax.Expr {
	return library.Call("Decimal", syntax.Str(resolve.Digits(n)))
}

// fewDigits is a number of digits so small that a hundred times the number they make has 64
// bits.
const fewDigits = 16

// unscaled returns a number without its point, and how many digits stood behind the point.
func unscaled(n exact.Number) (digits string, scale int) {
	whole, fraction, _ := strings.Cut(resolve.Digits(n), ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if strings.HasPrefix(whole, "-") {
		digits = "-" + strings.TrimLeft(whole[1:]+fraction, "0")
	}
	return digits, len(fraction)
}
