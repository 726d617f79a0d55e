package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Price returns the cost of a layout under a workload.
func Price(l *resolve.Layout, o Options) *Estimate { return newPricer(l, o).estimate() }

// plans is the part of a layout that pricing needs.
type plans interface {
	Design() *model.Design
	Entries(e *model.Entity) []*resolve.Entry
	GuardItem(t *model.Table, g *model.Guard) *model.Item
	Plan(p *model.Pattern) *resolve.Plan
}

// A pricer prices one layout under one workload.
type pricer struct {
	layout  plans
	design  *model.Design
	options Options
	prices  *PriceList
	items   *inventory
	heat    *heatMap
	paths   map[resolve.Path]*PathCost
	changes map[*model.Table]exact.Number // items written a month, for streams
}

func newPricer(l plans, o Options) *pricer {
	d, items := l.Design(), newInventory(l, o)
	prices := o.Prices
	if prices == nil {
		prices = PricesFor(d)
	}
	return &pricer{
		layout: l, design: d, options: o, prices: prices,
		items:   items,
		heat:    newHeatMap(d, items),
		paths:   map[resolve.Path]*PathCost{},
		changes: map[*model.Table]exact.Number{},
	}
}

func (p *pricer) estimate() *Estimate {
	e := &Estimate{Design: p.design, Prices: p.prices, items: p.items}
	for _, table := range p.design.Tables {
		e.Tables = append(e.Tables, p.table(table))
	}
	p.store()
	for _, pattern := range p.design.Patterns {
		if pattern.HasTag(p.options.Tags) {
			e.Patterns = append(e.Patterns, p.pattern(pattern))
		}
	}
	settlePeaks(e.Tables)
	p.heat.settle(e.Tables)
	billing{prices: p.prices, free: allowanceOf(p.design, p.prices), changes: p.changes}.settle(e)
	return e
}

// table prepares the accounts of a table and its indexes.
func (p *pricer) table(t *model.Table) *TableCost {
	cost := &TableCost{Table: t}
	open := func(path resolve.Path) {
		account := &PathCost{Path: path}
		p.paths[path] = account
		p.heat.open(path)
		cost.Paths = append(cost.Paths, account)
	}
	open(resolve.Path{Table: t})
	for _, index := range t.Indexes {
		open(resolve.Path{Table: t, Index: index})
	}
	return cost
}

// account returns the path whose capacity is used: a local index uses that of its table.
func (p *pricer) account(path resolve.Path) *PathCost {
	return p.paths[capacityPath(path)]
}

func capacityPath(path resolve.Path) resolve.Path {
	if path.Index != nil && path.Index.Local {
		return resolve.Path{Table: path.Table}
	}
	return path
}

// store computes the items and bytes stored in every table and index.
func (p *pricer) store() {
	for _, entity := range p.design.Entities {
		if !entity.HasTag(p.options.Tags) {
			continue
		}
		for _, entry := range p.items.entries(entity) {
			p.storeEntry(entity, entry)
		}
	}
	for _, table := range p.design.Tables {
		for _, guard := range table.Guards {
			if guard.Entity.HasTag(p.options.Tags) {
				p.hold(resolve.Path{Table: table}, p.items.count(guard.Entity), ItemSize(p.layout.GuardItem(table, guard)).Avg)
			}
		}
	}
}

func (p *pricer) storeEntry(entity *model.Entity, entry *resolve.Entry) {
	items := p.items.count(entity)
	if conditions := entry.When(); len(conditions) > 0 {
		part, why := share(entity, conditions)
		items = items.Mul(part)
		if account := p.paths[entry.Path]; account != nil {
			account.Notes = append(account.Notes, entity.Name+": "+why)
		}
	}
	p.hold(entry.Path, items, p.items.size(entry).Avg)
	p.heat.grow(entry, p.paths[entry.Path])
}

func (p *pricer) hold(path resolve.Path, items exact.Number, size int64) {
	account := p.paths[path]
	if account == nil {
		return
	}
	account.Items = account.Items.Add(items)
	account.Bytes = account.Bytes.Add(items.Times(size + ItemOverhead))
}

// pattern returns the capacity a pattern uses.
func (p *pricer) pattern(pattern *model.Pattern) *PatternCost {
	c := &PatternCost{
		Pattern: pattern,
		Plan:    p.layout.Plan(pattern),
		Calls:   Calls(pattern, p.options),
		Peak:    Peak(pattern, p.options),
	}
	c.peak = c.Peak.Float64()
	switch {
	case c.Plan == nil:
	case c.Plan.Read != nil && c.Plan.Read.Operation == resolve.Scan:
		p.scan(c)
	case c.Plan.Read != nil:
		p.read(c)
	case len(c.Plan.Parts) > 0:
		p.snapshot(c)
	case len(c.Plan.Writes) > 0:
		p.write(c)
	}
	for _, use := range c.Uses {
		p.book(c, use)
	}
	return c
}

// book adds the capacity one pattern uses to its path.
func (p *pricer) book(c *PatternCost, use Use) {
	account := p.account(use.Path)
	if account == nil {
		return
	}
	prefix := classPrefix(use.Path.Table)
	if !use.Read.IsZero() {
		units := use.Read.Mul(c.Calls)
		c.Read, account.Reads = c.Read.Add(use.Read), account.Reads.Add(units)
		c.OnDemand = c.OnDemand.Add(units.Mul(p.prices.Of(prefix + "read")))
		if PeakStated(c.Pattern, p.options) {
			account.peakedReads = account.peakedReads.Add(units)
			account.PeakRCU = account.PeakRCU.Add(use.Read.Mul(c.Peak))
		}
	}
	if !use.Write.IsZero() {
		units := use.Write.Mul(c.Calls)
		c.Write, account.Writes = c.Write.Add(use.Write), account.Writes.Add(units)
		c.OnDemand = c.OnDemand.Add(units.Mul(p.prices.Of(prefix + "write")))
		if PeakStated(c.Pattern, p.options) {
			account.peakedWrites = account.peakedWrites.Add(units)
			account.PeakWCU = account.PeakWCU.Add(use.Write.Mul(c.Peak))
		}
	}
}

// settlePeaks adds the assumed peaks of patterns that state none: a multiple of their
// average, computed with one multiplication for all of them.
func settlePeaks(tables []*TableCost) {
	for _, table := range tables {
		for _, a := range table.Paths {
			a.PeakRCU = a.PeakRCU.Add(a.Reads.Sub(a.peakedReads).Times(PeakFactor).Over(secondsPerMonth))
			a.PeakWCU = a.PeakWCU.Add(a.Writes.Sub(a.peakedWrites).Times(PeakFactor).Over(secondsPerMonth))
		}
	}
}

// classPrefix returns the prefix of price names for the class of a table.
func classPrefix(t *model.Table) string {
	if t.Class == model.StandardIA {
		return "ia_"
	}
	return ""
}
