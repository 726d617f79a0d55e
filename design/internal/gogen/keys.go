package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
)

// printKeys prints a function for each computed key that holds a value.
func (g *generator) printKeys(p *printer) error {
	for _, item := range g.stored() {
		section := false
		for _, c := range item.Computed {
			if !hasHoles(c.Template) {
				continue
			}
			if !section {
				p.section("keys of " + item.Entity.Name)
				section = true
			}
			if err := g.printKeyFunc(p, item, c); err != nil {
				return err
			}
		}
		g.printShape(p, item)
	}
	g.printKeyHelpers(p)
	return nil
}

// printKeyHelpers prints the functions that the others call, if they do.
func (g *generator) printKeyHelpers(p *printer) {
	text := p.body.String()
	g.printTimeOfID(p, text)
	if strings.Contains(text, "isShard(") {
		p.doc("isShard reports whether a key is that of a row a counter is spread over: it ends with the counter and a number.")
		p.line("func isShard(key, counter string) bool {")
		p.line("at := strings.LastIndex(key, counter)")
		p.line("if at < 0 {")
		p.line("return false")
		p.line("}")
		p.line("number := key[at+len(counter):]")
		p.line(`return number != "" && strings.Trim(number, "0123456789") == ""`)
		p.line("}")
		p.blank()
	}
	if strings.Contains(text, "textIn(") {
		p.doc("textIn is the text of an attribute; none if it is something else.")
		p.line("func textIn(item access.Item, name string) string {")
		p.line("if s, ok := item[name].(*types.AttributeValueMemberS); ok {")
		p.line("return s.Value")
		p.line("}")
		p.line(`return ""`)
		p.line("}")
	}
}

// printTimeOfID prints the function that reads the time out of ids, where a text calls it
// first: keys do, and else the writes of guards.
func (g *generator) printTimeOfID(p *printer, text string) {
	if g.readsIDs || !strings.Contains(text, "timeOfID(") {
		return
	}
	g.readsIDs = true
	p.doc("timeOfID is the time an id begins with; of any other text one that no key takes.")
	p.line("func timeOfID(id string) time.Time {")
	p.line("at, err := access.TimeOfID(id)")
	p.line("if err != nil {")
	p.line("return time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)")
	p.line("}")
	p.line("return at")
	p.line("}")
	p.blank()
}

func hasHoles(t *model.Template) bool {
	for _, part := range t.Parts {
		if part.IsHole() {
			return true
		}
	}
	return false
}

// holesOf are the attributes of a template, each once: the parameters of its function.
func holesOf(t *model.Template) []*model.Attribute { return (&model.Key{Template: t}).Attributes() }

func (g *generator) printKeyFunc(p *printer, item *model.Item, c *model.Computed) error {
	e := item.Entity
	name := g.keyFuncs[e][c.Name]
	params, list := map[*model.Attribute]string{}, []string{"k *marshal.KeyText"}
	taken := scope{}
	for _, a := range holesOf(c.Template) {
		params[a] = g.param(taken, a.Name)
		list = append(list, params[a]+" "+g.typeOf(a, elementOf(a.Type)))
	}
	chain := fmt.Sprintf("k.Of(%q)", e.Name)
	for _, part := range c.Template.Parts {
		step, err := keyStep(part, params[part.Attribute])
		if err != nil {
			return fmt.Errorf("%s of %s: %w", c.Name, e.Name, err)
		}
		chain += "." + step
	}
	p.doc(fmt.Sprintf("%s is %s of %s: %s%s.", name, c.Name, g.entities[e], c.Template.Text, strings.Replace(whenText(c.When), "  when", ", when", 1)))
	p.line("func %s(%s) string {", name, strings.Join(list, ", "))
	p.line("return %s.%s()", chain, finish(item.Table, c.Name))
	p.line("}")
	p.blank()
	return nil
}

// keyStep is the call that adds one part to a key, given the expression of the value of
// its attribute.
func keyStep(part model.Part, x string) (string, error) {
	if !part.IsHole() {
		return "Lit(" + strconv.Quote(part.Literal) + ")", nil
	}
	if step := typedStep(part, x); step != "" {
		return step, nil
	}
	text, err := holeText(part, x)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Hole(%q, %s)", part.Attribute.Name, text), nil
}

// typedStep is the call for a type, or a filter, that KeyText knows itself; "" if it
// knows it not.
func typedStep(part model.Part, x string) string {
	t := elementOf(part.Attribute.Type)
	method := ""
	switch {
	case len(part.Filters) > 1:
		return ""
	case len(part.Filters) == 1:
		f := part.Filters[0]
		switch {
		case f.Name == model.Pad:
			return fmt.Sprintf("Pad(%q, %s, %d)", part.Attribute.Name, wholeOf(t, x), f.N)
		case timeSteps[f.Name] != "":
			method, x = timeSteps[f.Name], instantOf(t, x)
		}
	default:
		method = typeSteps[t.Base]
		x = wholeOf(t, x)
	}
	if method == "" {
		return ""
	}
	return fmt.Sprintf("%s(%q, %s)", method, part.Attribute.Name, x)
}

// typeSteps are the methods of KeyText for types that are no texts.
var typeSteps = map[model.Base]string{
	model.Integer:   "Int",
	model.Unixtime:  "Int",
	model.Timestamp: "Time",
	model.Date:      "Date",
	model.Week:      "Week",
	model.Decimal:   "Decimal",
}

// timeSteps are the methods of KeyText that write a part of an instant, and timeTexts
// the functions that do the same for a text that is filtered further.
var (
	timeSteps = map[model.FilterName]string{model.ByDate: "Day", model.ByMon: "Month", model.ByHour: "Hour"}
	timeTexts = map[model.FilterName]string{model.ByDate: "marshal.DayOf", model.ByMon: "marshal.MonthOf", model.ByHour: "marshal.HourOf"}
)

// elementOf is the type of a value as keys hold it: of a set one of its elements.
func elementOf(t model.Type) model.Type {
	if t.Base == model.SetOf {
		return *t.Element
	}
	return t
}

// wholeOf is the expression of a whole number.
func wholeOf(t model.Type, x string) string {
	if t.Base == model.Unixtime {
		return x + ".Unix()"
	}
	return x
}

// instantOf is the expression of the instant a value holds.
func instantOf(t model.Type, x string) string {
	if t.Base == model.ULID || t.Base == model.UUIDv7 {
		return "timeOfID(" + x + ")"
	}
	return x
}

// holeText is the expression of the text a hole has: the value's, through its filters.
func holeText(part model.Part, x string) (string, error) {
	t := elementOf(part.Attribute.Type)
	text := textOf(t, x)
	for _, f := range part.Filters {
		switch f.Name {
		case model.Lower:
			text = "marshal.Lower(" + text + ")"
		case model.Upper:
			text = "marshal.Upper(" + text + ")"
		case model.Prefix:
			text = fmt.Sprintf("marshal.Cut(%s, %d)", text, f.N)
		case model.Shard:
			text = fmt.Sprintf("marshal.ShardOf(%s, %d)", text, f.N)
		case model.ByDate, model.ByMon, model.ByHour:
			text = timeTexts[f.Name] + "(" + instantOf(t, x) + ")"
		default:
			return "", fmt.Errorf("{%s}: %s and another filter have no Go", part.Attribute.Name, f.Name)
		}
	}
	return text, nil
}

// keyExpr is the expression of a computed key of an entity, given a *marshal.KeyText and
// the expressions of the values of its attributes.
func (g *generator) keyExpr(e *model.Entity, c *model.Computed, text string, value func(*model.Attribute) string) string {
	if !hasHoles(c.Template) {
		return strconv.Quote(literalOf(c.Template))
	}
	args := []string{text}
	for _, a := range holesOf(c.Template) {
		args = append(args, value(a))
	}
	return g.keyFuncs[e][c.Name] + "(" + strings.Join(args, ", ") + ")"
}

// literalOf is the text of a template without holes.
func literalOf(t *model.Template) string {
	text := ""
	for _, part := range t.Parts {
		text += part.Literal
	}
	return text
}

// finish is the method that ends a key: it checks the length a partition or a sort key
// can have. One that is both has that of a sort key.
func finish(t *model.Table, name string) string {
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
