package change

import (
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/interim"
	"sortkey.dev/design/internal/model"
)

// interim lists limits that only the time in between breaks.
func (c *comparer) interim() {
	if c.options.Limits == nil {
		return
	}
	known := map[string]bool{}
	for _, d := range []*model.Design{c.Old, c.New} {
		for _, f := range c.options.Limits(d) {
			known[string(f.Code)+f.Subject] = true
		}
	}
	for _, f := range c.options.Limits(c.Matching.Together()) {
		if known[string(f.Code)+f.Subject] || known[string(f.Code)+interim.NameBefore(f.Subject)] { // an old pattern has it, too
			continue
		}
		known[string(f.Code)+f.Subject] = true
		at := f.Place
		change := c.add("E073", at, f.Subject, "while both versions run: %s", f.Message)
		change.Related = f.Related
		change.Why = f.Code.Rule().Why
	}
}

// Together returns old and new as one design.
func (m *Matching) Together() *model.Design { return interim.Of(m.Old, m.New, m.pairs()) }

// Before returns the new version with the tables of the old one.
func (m *Matching) Before() *model.Design { return interim.Before(m.Old, m.New, m.pairs()) }

func (m *Matching) pairs() interim.Pairs {
	p := interim.Pairs{Apart: map[*model.Entity]bool{}}
	for _, e := range m.Entities {
		p.Entities = append(p.Entities, [2]*model.Entity{e.Old, e.New})
		if e.Old != nil && e.New != nil {
			p.Apart[e.Old] = m.Apart(e)
		}
		for _, a := range e.Attributes {
			p.Attributes = append(p.Attributes, [2]*model.Attribute{a.Old, a.New})
		}
	}
	for _, t := range m.Tables {
		p.Tables = append(p.Tables, [2]*model.Table{t.Old, t.New})
	}
	for _, x := range m.Patterns {
		p.Patterns = append(p.Patterns, [2]*model.Pattern{x.Old, x.New})
	}
	return p
}

// Apart reports whether the items of an entity have other primary keys, or another table.
func (m *Matching) Apart(p *EntityPair) bool {
	was, is := home(m.Old, p.Old), home(m.New, p.New)
	if was == nil || is == nil {
		return false
	}
	if was.Table.Name != is.Table.Name {
		return true
	}
	for _, name := range tableKey(is.Table) {
		if old, new := was.Key(name), is.Key(name); old != nil && new != nil && m.keyText(p, old, false) != m.keyText(p, new, true) {
			return true
		}
	}
	return false
}

// cost compares the bills of both versions.
func (c *comparer) cost() {
	if c.options.MostCost == nil && c.options.MostRise == nil {
		return
	}
	o := cost.Options{Prices: c.options.Prices}
	was, is := cost.Price(c.before, o).AsDesigned.Total, cost.Price(c.after, o).AsDesigned.Total
	most := c.options.MostCost
	if most == nil {
		limit := was.Mul(exact.One.Add(*c.options.MostRise))
		most = &limit
	}
	if is.Cmp(*most) > 0 {
		c.add("E074", c.New.Place, "design "+c.New.Name, "a month costs %s, and cost %s; at most %s was allowed", figures.Money(is), figures.Money(was), figures.Money(*most))
	}
}
