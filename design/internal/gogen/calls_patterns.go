package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
)

// printPatterns prints what is known of every pattern before it is called.
func (g *generator) printPatterns(p *printer) error {
	c := g.patternMethods()
	p.doc("Patterns are the access patterns of the design, in its order.")
	names := make([]string, len(c.list))
	for i, m := range c.list {
		names[i] = m.pattern
	}
	p.line("var Patterns = []*access.Pattern{")
	for _, name := range names {
		p.line("%s,", name)
	}
	p.line("}")
	p.blank()
	if len(c.list) == 0 {
		return nil
	}
	p.line("// Units are what one call should take, as the design's estimate says.")
	p.line("var (")
	for _, m := range c.list {
		p.line("%s = &access.Pattern{%s}", m.pattern, strings.Join(m.patternFields(), ", "))
	}
	p.line(")")
	return nil
}

func (m *method) patternFields() []string {
	fields := []string{fmt.Sprintf("Name: %q", m.call.Pattern.Name)}
	add := func(format string, args ...any) { fields = append(fields, fmt.Sprintf(format, args...)) }
	priced := m.estimate.Pattern(m.call.Pattern)
	if priced == nil {
		priced = &cost.PatternCost{}
	}
	r := m.call.Read
	if r == nil {
		add("Table: %q", m.call.Writes[0].Item.Table.Name)
		add("Units: %s", unitText(priced.Write))
		return fields
	}
	add("Table: %q", r.Entry.Path.Table.Name)
	if r.Entry.Path.Index != nil {
		add("Index: %q", r.Entry.Path.Index.Name)
	}
	add("Units: %s", unitText(priced.Read))
	add("Keys: %s", goStrings(r.Keys))
	if len(r.Sort) > 0 {
		add("Sort: %s", goStrings(r.Sort))
	}
	return fields
}

// unitText is a number of units as Go writes it.
func unitText(n exact.Number) string {
	text := n.Fixed(2)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
