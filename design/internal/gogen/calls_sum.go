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
// items there are and what they hold. Whole numbers and fractions are Go's; decimals are
// exact and have a function of their own.

// sum is the expression of what is added, or with a limit of what that leaves of it.
func (m *method) sum(w *program.Write, v resolve.Value) (string, error) {
	var terms []string
	for _, term := range v.Sum {
		text, err := m.term(w, term, v.Attribute)
		if err != nil {
			return "", err
		}
		terms = append(terms, text)
	}
	if v.Attribute.Type.Base == model.Decimal {
		return m.decimalSum(v, terms), nil
	}
	sum := strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
	switch {
	case v.Limit == nil:
		return sum, nil
	case len(terms) > 1 || strings.HasPrefix(sum, "-"):
		sum = "(" + sum + ")"
	}
	return v.Limit.String() + " - " + sum, nil
}

func (m *method) decimalSum(v resolve.Value, terms []string) string {
	if len(terms) == 1 && v.Limit == nil {
		return terms[0]
	}
	if v.Limit != nil {
		for i, term := range terms {
			terms[i] = term + ".Neg()"
		}
		terms = append([]string{decimalOf(*v.Limit)}, terms...)
	}
	return fmt.Sprintf("addUp(encode, %q, %s)", v.Attribute.Name, strings.Join(terms, ", "))
}

// term is the expression of one part of a sum.
func (m *method) term(w *program.Write, term resolve.Term, a *model.Attribute) (string, error) {
	count := ""
	if term.Repeated {
		input := m.repeats(term.Of)
		if input == nil {
			return "", fmt.Errorf("%s: nothing says how many items %s counts", m.call.Pattern.Name, a.Name)
		}
		count = "len(" + m.places[input] + ")"
	}
	if term.Param == "" {
		return m.constantTerm(a, term.By, count), nil
	}
	ref := m.call.Term(w, term, a)
	if ref.IsZero() {
		return "", fmt.Errorf("%s: nothing gives $%s, which is added to %s", m.call.Pattern.Name, term.Param, a.Name)
	}
	at := m.at(ref)
	x := at.x
	if at.pointer {
		x = "orZero(" + at.x + ")"
	}
	if ref.Attribute != nil && ref.Attribute.Type.Base != a.Type.Base {
		x = m.converted(ref.Attribute.Type.Base, a.Type.Base, x)
	}
	return x, nil
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
		return "access.Decimal(access.FormatFloat(" + x + "))"
	case to == model.Numeric && from == model.Decimal:
		return x + ".Float64()"
	}
	return x
}

func (m *method) constantTerm(a *model.Attribute, by exact.Number, count string) string {
	switch {
	case a.Type.Base == model.Decimal && count == "":
		return decimalOf(by)
	case a.Type.Base == model.Decimal:
		unscaled, scale := unscaled(by)
		return fmt.Sprintf("access.DecimalOf(%s*int64(%s), %d)", unscaled, count, scale)
	case count == "":
		return by.String()
	}
	n := "int64(" + count + ")"
	if a.Type.Base == model.Numeric {
		n = "float64(" + count + ")"
	}
	switch by.String() {
	case "1":
		return n
	case "-1":
		return "-" + n
	}
	return by.String() + "*" + n
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

func decimalOf(n exact.Number) string { return fmt.Sprintf("access.Decimal(%q)", n.String()) }

// unscaled is a number without its point, and how many digits stood behind that.
func unscaled(n exact.Number) (digits string, scale int) {
	whole, fraction, _ := strings.Cut(n.String(), ".")
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
		return "access.N(" + x + ")"
	case strings.HasPrefix(x, "addUp("):
		return "access.Dec(" + x + ")"
	}
	return m.valueOf(a, a.Type, x)
}
