package gogen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
)

// holds is the Go condition that all conditions hold for an entity in Go, given how its
// attributes are reached; "" if they always do. It decides as DynamoDB would on the
// stored item: a comparison with something absent is false, and != is true.
func (g *generator) holds(conditions []*model.Condition, field func(*model.Attribute) string) string {
	var all []string
	for _, c := range conditions {
		for _, text := range g.condition(c, field) {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	for i, text := range all {
		if strings.Contains(text, " || ") {
			all[i] = "(" + text + ")"
		}
	}
	return strings.Join(all, " && ")
}

// condition is one condition in Go: all of the result must hold.
func (g *generator) condition(c *model.Condition, field func(*model.Attribute) string) []string {
	present := g.present(c.Attribute, field(c.Attribute))
	switch {
	case c.Op == model.Exists && present == "":
		return nil
	case c.Op == model.Exists:
		return []string{present}
	case c.Op == model.Missing && present == "":
		return []string{"false"} // it is always there
	case c.Op == model.Missing:
		return []string{absent(present)}
	case c.Op == model.Between:
		from := &model.Condition{Attribute: c.Attribute, Op: model.Gte, Values: c.Values[:1]}
		to := &model.Condition{Attribute: c.Attribute, Op: model.Lte, Values: c.Values[1:]}
		return append(g.condition(from, field), g.condition(to, field)...)
	}
	var any []string
	for _, v := range c.Values {
		any = append(any, g.comparison(c, v, field))
	}
	guards := g.guards(c, field)
	if c.Op != model.Ne {
		return append(guards, strings.Join(any, " || "))
	}
	for i := range guards {
		guards[i] = absent(guards[i])
	}
	return []string{strings.Join(append(guards, any...), " || ")}
}

// guards are the conditions that everything compared is there.
func (g *generator) guards(c *model.Condition, field func(*model.Attribute) string) []string {
	var all []string
	add := func(a *model.Attribute) {
		if present := g.present(a, field(a)); present != "" {
			all = append(all, present)
		}
	}
	add(c.Attribute)
	for _, v := range c.Values {
		if v.Attribute != nil {
			add(v.Attribute)
		}
	}
	return all
}

// absent is the opposite of what present makes.
func absent(present string) string {
	if strings.HasSuffix(present, " != nil") {
		return strings.TrimSuffix(present, " != nil") + " == nil"
	}
	return strings.TrimSuffix(present, " > 0") + " == 0"
}

// signs are the comparisons as Go writes them.
var signs = map[model.Op]string{
	model.Eq: "==", model.In: "==", model.Ne: "!=", model.Lt: "<", model.Lte: "<=", model.Gt: ">", model.Gte: ">=",
}

// comparison compares an attribute that is there with one value.
func (g *generator) comparison(c *model.Condition, v model.Operand, field func(*model.Attribute) string) string {
	a, sign := c.Attribute, signs[c.Op]
	left := held(a, field(a))
	if c.Op == model.BeginsWith {
		beginning := strconv.Quote(v.Constant)
		if v.Attribute != nil {
			beginning = textOf(v.Attribute.Type, held(v.Attribute, field(v.Attribute)))
		}
		return fmt.Sprintf("strings.HasPrefix(%s, %s)", textOf(a.Type, left), beginning)
	}
	if v.Attribute != nil {
		return compareTwo(a, left, sign, v.Attribute, held(v.Attribute, field(v.Attribute)))
	}
	switch a.Type.Base {
	case model.Bool:
		if (v.Constant == "true") == (sign == "==") {
			return left
		}
		return "!" + left
	case model.Unixtime:
		return fmt.Sprintf("%s %s %s", callOn(left, "Unix()"), sign, v.Constant)
	case model.Timestamp:
		return fmt.Sprintf("marshal.FormatTime(%s) %s %q", left, sign, v.Constant)
	case model.Decimal:
		return fmt.Sprintf("%s %s 0", callOn(left, fmt.Sprintf("Cmp(%q)", v.Constant)), sign)
	case model.Enum, model.Integer, model.Numeric:
		return fmt.Sprintf("%s %s %s", left, sign, g.constant(a, v.Constant))
	}
	return fmt.Sprintf("%s %s %q", left, sign, v.Constant)
}

// compareTwo compares two attributes by what is stored of them: times to the
// millisecond, numbers by value, everything else as text.
func compareTwo(a *model.Attribute, left, sign string, b *model.Attribute, right string) string {
	same := a.Type.Base == b.Type.Base
	switch kind := a.Type.KeyKind(); {
	case same && (a.Type.Base == model.Integer || a.Type.Base == model.Numeric || a.Type.Base == model.Bool || a.Type.Base == model.String):
		return fmt.Sprintf("%s %s %s", left, sign, right)
	case same && a.Type.Base == model.Decimal:
		return fmt.Sprintf("%s %s 0", callOn(left, "Cmp("+right+")"), sign)
	case kind == "N" && wholeOf(a.Type, left) != left && wholeOf(b.Type, right) != right:
		return fmt.Sprintf("%s %s %s", callOn(left, "Unix()"), sign, callOn(right, "Unix()"))
	case kind == "N":
		return fmt.Sprintf("access.Decimal(%s).Cmp(access.Decimal(%s)) %s 0", textOf(a.Type, left), textOf(b.Type, right), sign)
	}
	return fmt.Sprintf("%s %s %s", textOf(a.Type, left), sign, textOf(b.Type, right))
}

// callOn calls a method of an expression that may begin with a star.
func callOn(x, call string) string {
	if strings.HasPrefix(x, "*") {
		return x[1:] + "." + call // Go finds the methods of what a pointer points to
	}
	return x + "." + call
}
