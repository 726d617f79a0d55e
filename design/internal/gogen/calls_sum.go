package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// What is added to a counter is added up in Go, because only the caller knows how many
// items there are and what they hold. Whole numbers are Go's. Fractions and decimals are
// added exactly, as DynamoDB does, so that a counter never drifts from what it counts.

// sum is the expression of what is added, or with a limit of what that leaves of it.
func (m *method) sum(w *program.Write, v resolve.Value) (string, error) {
	if isExact(v) {
		args, err := m.exactTerms(w, v)
		sum := fmt.Sprintf("addUp(encode, %q, %s)", v.Attribute.Name, args)
		if v.Attribute.Type.Base == model.Numeric {
			sum += ".Float64()"
		}
		return sum, err
	}
	var terms []string
	for _, term := range v.Sum {
		text, err := m.term(w, term, v.Attribute)
		if err != nil {
			return "", err
		}
		terms = append(terms, text)
	}
	sum := strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
	switch {
	case v.Limit == nil:
		return sum, nil
	case len(terms) > 1 || strings.HasPrefix(sum, "-"):
		sum = "(" + sum + ")"
	}
	return resolve.Digits(*v.Limit) + " - " + sum, nil
}

// isExact reports whether a sum has to be added up as decimals.
func isExact(v resolve.Value) bool {
	switch v.Attribute.Type.Base {
	case model.Decimal, model.Numeric:
		return v.Limit != nil || len(v.Sum) > 1 || v.Sum[0].Repeated
	}
	return false
}

// exactTerms are the terms of a sum as decimals, as arguments of a function that takes any
// number of them.
func (m *method) exactTerms(w *program.Write, v resolve.Value) (string, error) {
	var lists, single []string
	if v.Limit != nil {
		single = append(single, decimalOf(*v.Limit))
	}
	for _, term := range v.Sum {
		minus := term.Minus != (v.Limit != nil)
		if term.Param == "" && minus {
			minus, term.By = false, exact.Zero.Sub(term.By)
		}
		text, isList, err := m.exactTerm(w, term, v.Attribute, minus)
		if err != nil {
			return "", err
		}
		if isList {
			lists = append(lists, text)
		} else {
			single = append(single, text)
		}
	}
	switch {
	case len(lists) == 0:
		return strings.Join(single, ", "), nil
	case len(lists) == 1 && len(single) == 0:
		return lists[0] + "...", nil
	case len(single) > 0:
		lists = append(lists, "[]access.Decimal{"+strings.Join(single, ", ")+"}")
	}
	return "slices.Concat(" + strings.Join(lists, ", ") + ")...", nil
}

// exactTerm is one term as a decimal, or as a list of them.
func (m *method) exactTerm(w *program.Write, term resolve.Term, a *model.Attribute, minus bool) (text string, isList bool, err error) {
	var input *program.Input
	one := ""
	if term.Repeated {
		if input = m.repeats(term.Of); input == nil {
			return "", false, fmt.Errorf("%s: nothing says how many items %s counts", m.call.Pattern.Name, a.Name)
		}
		one = "one"
	}
	counts := term.Param == "" && len(term.Only) == 0
	digits, scale := unscaled(term.By)
	if counts && term.Repeated && len(digits) <= fewDigits {
		return fmt.Sprintf("access.DecimalOf(%s*int64(len(%s)), %d)", digits, m.places[input], scale), false, nil
	}
	x := decimalOf(term.By)
	if !counts {
		if x, err = m.oneTerm(w, term, a, one); err != nil {
			return "", false, err
		}
		if a.Type.Base == model.Numeric {
			x = m.converted(model.Numeric, model.Decimal, x)
		}
	}
	if minus {
		x += ".Neg()"
	}
	if !term.Repeated {
		return x, false, nil
	}
	of := strings.TrimPrefix(m.inputType(input), "[]")
	return fmt.Sprintf("ofEach(%s, func(one %s) access.Decimal { return %s })", m.places[input], of, x), true, nil
}

// term is the expression of one part of a sum of Go's numbers.
func (m *method) term(w *program.Write, term resolve.Term, a *model.Attribute) (string, error) {
	if term.Minus {
		isConstant := term.Param == "" && len(term.Only) == 0
		if term.Minus = false; isConstant {
			term.By = exact.Zero.Sub(term.By)
		}
		x, err := m.term(w, term, a)
		switch {
		case isConstant:
			return x, err
		case a.Type.Base == model.Decimal:
			return x + ".Neg()", err
		}
		return "-" + x, err
	}
	if !term.Repeated {
		return m.oneTerm(w, term, a, "")
	}
	input := m.repeats(term.Of)
	if input == nil {
		return "", fmt.Errorf("%s: nothing says how many items %s counts", m.call.Pattern.Name, a.Name)
	}
	if term.Param == "" && len(term.Only) == 0 {
		return m.constantTerm(a, term.By, "len("+m.places[input]+")"), nil
	}
	x, err := m.oneTerm(w, term, a, "one")
	of := strings.TrimPrefix(m.inputType(input), "[]")
	return fmt.Sprintf("total(%s, func(one %s) %s { return %s })", m.places[input], of, m.valueType(a), x), err
}

// oneTerm is what one item adds. Of a repeated one it is the variable at hand.
func (m *method) oneTerm(w *program.Write, term resolve.Term, a *model.Attribute, one string) (string, error) {
	x := m.constantTerm(a, term.By, "")
	if len(term.Only) > 0 && a.Type.Base != model.Decimal {
		x = m.valueType(a) + "(" + x + ")"
	}
	if term.Param != "" {
		ref := m.call.Term(w, term, a)
		if ref.IsZero() {
			return "", fmt.Errorf("%s: nothing gives $%s, which is added to %s", m.call.Pattern.Name, term.Param, a.Name)
		}
		at := m.placeIn(ref, one)
		x = at.x
		if at.pointer {
			x = "orZero(" + at.x + ")"
		}
		if from := ref.Of(); from != nil && from.Type.Base != a.Type.Base {
			x = m.converted(from.Type.Base, a.Type.Base, x)
		}
	}
	holds, err := m.counted(w, term, a, one)
	if err != nil || holds == "" {
		return x, err
	}
	return fmt.Sprintf("onlyIf(%s, %s)", holds, x), nil
}

// counted is the Go condition that a part of a sum counts; "" if it always does.
func (m *method) counted(w *program.Write, term resolve.Term, of *model.Attribute, one string) (string, error) {
	nobody := fmt.Errorf("%s: nothing says whether %s counts an item", m.call.Pattern.Name, of.Name)
	return m.decide(term.Only, func(a *model.Attribute) (place, bool, error) {
		ref := m.call.Compared(w, term, a)
		switch value, known := term.Values[a]; {
		case !ref.IsZero():
			at, optional := m.deciding(ref, a, one)
			return at, optional, nil
		case known && value.Param == "":
			return place{x: m.constant(a, value.Constant)}, false, nil
		}
		return place{}, false, nobody
	}, func(model.Operand, *model.Attribute) (place, bool, error) { return place{}, false, nobody })
}

// placeIn is the place of a value, in the variable of an item at hand if there is one.
func (m *method) placeIn(ref program.Ref, one string) place {
	switch {
	case one == "" || !ref.Input.Repeated:
		return m.at(ref)
	case ref.Attribute != nil:
		return place{x: one + "." + m.fields[ref.Attribute], pointer: isPointer(ref.Attribute.Type)}
	}
	return place{x: one + "." + m.places[ref.Member], pointer: isPointer(ref.Member.Type)}
}

// converted is a number of one type as one of another.
func (m *method) converted(from, to model.Base, x string) string {
	switch {
	case to == model.Numeric && from == model.Integer:
		return "float64(" + x + ")"
	case to == model.Integer && from == model.Numeric:
		return "int64(" + x + ")"
	case to == model.Decimal && from == model.Integer:
		return "access.DecimalOf(" + x + ", 0)"
	case to == model.Decimal && from == model.Numeric:
		return "access.Decimal(marshal.FormatFloat(" + x + "))"
	case to == model.Numeric && from == model.Decimal:
		return x + ".Float64()"
	}
	return x
}

// constantTerm is a number of the design, as often as a count says.
func (m *method) constantTerm(a *model.Attribute, by exact.Number, count string) string {
	switch {
	case a.Type.Base == model.Decimal:
		return decimalOf(by)
	case count == "":
		return resolve.Digits(by)
	}
	switch resolve.Digits(by) {
	case "1":
		return "int64(" + count + ")"
	case "-1":
		return "-int64(" + count + ")"
	}
	return resolve.Digits(by) + "*int64(" + count + ")"
}

// repeats is the input there are several writes for.
func (m *method) repeats(of *resolve.Write) *program.Input {
	for _, w := range m.call.Writes {
		if w.Write == of {
			return w.Repeats
		}
	}
	return nil
}

func decimalOf(n exact.Number) string { return fmt.Sprintf("access.Decimal(%q)", resolve.Digits(n)) }

// fewDigits are so few that a hundred times the number they make is one of 64 bits.
const fewDigits = 16

// unscaled is a number without its point, and how many digits stood behind that.
func unscaled(n exact.Number) (digits string, scale int) {
	whole, fraction, _ := strings.Cut(resolve.Digits(n), ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if strings.HasPrefix(whole, "-") {
		digits = "-" + strings.TrimLeft(whole[1:]+fraction, "0")
	}
	return digits, len(fraction)
}

// number is a number in Go as a stored one.
func (m *method) number(a *model.Attribute, x string) string {
	switch {
	case a.Type.Base == model.Integer || a.Type.Base == model.Unixtime:
		return "marshal.N(" + x + ")"
	case strings.HasPrefix(x, "addUp("):
		return "marshal.Dec(" + strings.TrimSuffix(x, ".Float64()") + ")" // as exact as it is
	}
	return m.valueOf(a, a.Type, x)
}
