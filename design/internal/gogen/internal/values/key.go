package values

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// A Step is a call that adds one part to a key.
type Step struct {
	Method string
	Args   []syntax.Expr
}

// Lit returns the step that adds a text.
func Lit(text syntax.Expr) Step { return Step{"Lit", []syntax.Expr{text}} }

// On calls the step on what makes the key.
func (s Step) On(x syntax.Expr) syntax.Expr { return syntax.Method(x, s.Method, s.Args...) }

// Whole returns the step for a value that may hold the delimiter: an attribute that is a key as
// it is, or an open hole.
func (s Step) Whole() Step {
	if s.Method == "Hole" {
		s.Method = "Whole"
	}
	return s
}

// StepOf returns the step of a part of a template, given the value of its attribute.
func StepOf(part model.Part, x syntax.Expr) (Step, error) {
	if !part.IsHole() {
		return Lit(syntax.Str(part.Literal)), nil
	}
	if step, ok := typedStep(part, x); ok {
		return step, nil
	}
	text, err := holeText(part, x)
	if err != nil {
		return Step{}, err
	}
	step := Step{"Hole", []syntax.Expr{syntax.Str(part.Attribute.Name), text}}
	if _, escaped := part.Filter(model.Escape); escaped {
		step.Method = "Escape"
	}
	if part.Open {
		step = step.Whole()
	}
	return step, nil
}

// typedStep returns the step of a type, or of a filter, that KeyText has a method for.
func typedStep(part model.Part, x syntax.Expr) (Step, bool) {
	t := ElementOf(part.Attribute.Type)
	name := syntax.Str(part.Attribute.Name)
	switch len(part.Filters) {
	case 0:
		method := typeSteps[t.Base]
		return Step{method, []syntax.Expr{name, wholeOf(t, x)}}, method != ""
	case 1:
		f := part.Filters[0]
		if f.Name == model.Pad {
			return Step{"Pad", []syntax.Expr{name, wholeOf(t, x), syntax.Int(f.N)}}, true
		}
		method := timeSteps[f.Name]
		return Step{method, []syntax.Expr{name, instantOf(t, x)}}, method != ""
	}
	return Step{}, false
}

// typeSteps maps types that are no texts to methods of KeyText.
var typeSteps = map[model.Base]string{
	model.Integer:   "Int",
	model.Unixtime:  "Int",
	model.Timestamp: "Time",
	model.Date:      "Date",
	model.Week:      "Week",
	model.Decimal:   "Decimal",
}

var (
	// timeSteps maps filters to the methods of KeyText that write a part of an instant.
	timeSteps = map[model.FilterName]string{model.ByYear: "Year", model.ByMon: "Month", model.ByDate: "Day", model.ByHour: "Hour"}
	// timeTexts maps them to the functions for a text that is filtered further.
	timeTexts = map[model.FilterName]string{model.ByYear: "YearOf", model.ByMon: "MonthOf", model.ByDate: "DayOf", model.ByHour: "HourOf"}
)

// wholeOf returns a whole number.
func wholeOf(t model.Type, x syntax.Expr) syntax.Expr {
	if t.Base == model.Unixtime {
		return syntax.Method(x, "Unix")
	}
	return x
}

// instantOf returns the instant that a value holds.
func instantOf(t model.Type, x syntax.Expr) syntax.Expr {
	if t.Base == model.ULID || t.Base == model.UUIDv7 {
		return library.Call("KeyTimeOfID", x)
	}
	return x
}

// holeText returns the text of a hole: that of the value, through its filters.
func holeText(part model.Part, x syntax.Expr) (syntax.Expr, error) {
	t := ElementOf(part.Attribute.Type)
	text := TextOf(t, x)
	for _, f := range part.Filters {
		switch f.Name {
		case model.Lower:
			text = library.Call("Lower", text)
		case model.Upper:
			text = library.Call("Upper", text)
		case model.Prefix:
			text = library.Call("Cut", text, syntax.Int(f.N))
		case model.Shard:
			text = library.Call("ShardOf", text, syntax.Int(f.N))
		case model.Escape: // by the step
		case model.ByYear, model.ByMon, model.ByDate, model.ByHour:
			text = library.Call(timeTexts[f.Name], instantOf(t, x))
		default:
			return nil, fmt.Errorf("{%s}: %s and another filter have no Go", part.Attribute.Name, f.Name)
		}
	}
	return text, nil
}

// KeyOf calls the function that makes a computed key of an entity, given a *KeyText and the
// values of its attributes. A key without holes is a constant.
func (v *Values) KeyOf(e *model.Entity, c *model.Computed, text syntax.Expr, value func(*model.Attribute) syntax.Expr) syntax.Expr {
	if !HasHoles(c.Template) {
		return syntax.Str(LiteralOf(c.Template))
	}
	args := []syntax.Expr{text}
	for _, a := range HolesOf(c.Template) {
		args = append(args, value(a))
	}
	return syntax.CallOf(syntax.Name(v.names.KeyFuncs[e][c.Name]), args...)
}

// HasHoles reports whether a template holds values.
func HasHoles(t *model.Template) bool {
	for _, part := range t.Parts {
		if part.IsHole() {
			return true
		}
	}
	return false
}

// HolesOf returns the attributes of a template, each once.
func HolesOf(t *model.Template) []*model.Attribute { return (&model.Key{Template: t}).Attributes() }

// LiteralOf returns the text of a template without holes.
func LiteralOf(t *model.Template) string {
	text := ""
	for _, part := range t.Parts {
		text += part.Literal
	}
	return text
}

// Finish returns the method that ends a key: it checks the length that a partition or a sort
// key can have. A key that is both has the length of a sort key.
func Finish(t *model.Table, name string) string {
	if t.SK.Name == name {
		return "Sort"
	}
	for _, x := range t.Indexes {
		for _, key := range x.SK {
			if key.Name == name {
				return "Sort"
			}
		}
	}
	return "Partition"
}

// Template returns a template as the library matches texts with it.
func Template(t *model.Template) []syntax.Expr {
	all := make([]syntax.Expr, 0, len(t.Parts)+1)
	if d := t.Parts[0].Delimiter; !d.IsDefault() {
		all = append(all, library.Call("By", syntax.Str(d.String())))
	}
	for _, part := range t.Parts {
		all = append(all, templatePart(part))
	}
	return all
}

func templatePart(part model.Part) syntax.Expr {
	switch width := part.Width(); {
	case !part.IsHole():
		return syntax.Str(part.Literal)
	case part.Open:
		return library.Access("Rest")
	case len(part.Filters) == 0 && part.Delimiter.IsIn(part.Attribute.Type):
		return library.Access("WideTime")
	case width > 0:
		return library.Call("Wide", syntax.Int(width))
	}
	return syntax.Str("")
}
