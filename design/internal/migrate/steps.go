package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Step is one thing that a migration does.
type Step struct {
	Step          string // expand, deploy, prepare, write, fill, verify, read, after, clean, contract
	Part          string // of fill, verify and clean
	Table, Index  string // of expand and contract: what is made or removed, a table if it has no index; of clean the table
	Do            string
	Needs         string // what must hold before it
	Back          string // how it is taken back; "none"
	Hold          bool   // the runner stops before it until an operator resumes
	Items         exact.Number
	Reads, Writes exact.Number // units
	Price         exact.Number // dollars
	Monthly       exact.Number // dollars a month more than before, as long as it lasts
	Takes         Span
}

// A Span is a time from least to most, in seconds. Both are 0 for a step that takes no time to speak of.
type Span struct {
	Least, Most int64
	AWS         bool // DynamoDB decides
}

// The time of a change of phase on AWS: the longest lease, and until a request that was signed before
// is refused.
const (
	firstPhase = 5*60 + 15*60 + 30
	nextPhase  = 30 + 15*60 + 30
)

// steps adds the steps of a plan.
func (p *Plan) steps(c *change.Changes, layout *resolve.Layout, o Options) {
	prices := o.Prices
	if prices == nil {
		prices = cost.PricesFor(c.New)
	}
	p.prices = prices
	b := &stepBuilder{Plan: p, changes: c, layout: layout, prices: prices, counts: o.Counts, measured: o.Measured}
	b.expand()
	if len(p.Parts) == 0 {
		b.add(Step{Step: "deploy", Do: fmt.Sprintf("run code of version %d everywhere", p.To.Number), Hold: true, Back: fmt.Sprintf("run code of version %d again", p.From.Number)})
		b.snapshot()
		b.contract()
		return
	}
	b.add(Step{Step: "deploy", Do: fmt.Sprintf("run code of version %d everywhere", p.To.Number), Hold: true, Back: fmt.Sprintf("run code of version %d again", p.From.Number)})
	b.fence()
	b.phase("prepare", firstPhase, "phase before", false)
	b.add(Step{Step: "write", Do: "phase write", Back: "phase prepare, and new parts are removed", Takes: Span{Least: nextPhase, Most: nextPhase}, Monthly: b.monthly()})
	for i := range p.Parts {
		switch {
		case p.Parts[i].To != "":
			b.copyItems(&p.Parts[i])
		case p.Parts[i].Unique != nil:
			b.fillRows(&p.Parts[i])
		case p.Parts[i].Count != nil:
			b.fillMarks(&p.Parts[i])
		case len(p.Parts[i].Set) > 0:
			b.fill(&p.Parts[i])
		}
	}
	for i := range p.Parts {
		switch {
		case p.Parts[i].To != "":
			b.compareCopies(&p.Parts[i])
		case p.Parts[i].Unique != nil:
			b.verifyRows(&p.Parts[i])
		case p.Parts[i].Count != nil:
			b.verifyMarks(&p.Parts[i])
		case len(p.Parts[i].Set) > 0:
			b.verify(&p.Parts[i])
		}
	}
	if p.Settings.Strategy == Tail {
		b.add(Step{Step: "fence", Do: fmt.Sprintf("deny the writes of programs that do not know the migration; from phase read they may write as version %d does", p.To.Number), Hold: true,
			Back: "allow them again", Takes: Span{Least: nextPhase, Most: 2 * nextPhase}})
	}
	b.phase("read", nextPhase, "phase write", true)
	b.phase("after", nextPhase, "none: plan the change in reverse", true)
	b.snapshot()
	b.contract()
	for i := range p.Parts {
		switch {
		case p.Parts[i].To != "":
			b.deleteOriginals(&p.Parts[i])
		case p.Parts[i].Count != nil:
			b.cleanMarks(&p.Parts[i])
		case len(p.Parts[i].Remove) > 0:
			b.clean(&p.Parts[i])
		}
	}
}

type stepBuilder struct {
	*Plan
	changes  *change.Changes
	layout   *resolve.Layout // of the new version
	prices   *cost.PriceList
	counts   map[string]exact.Number
	measured map[string]Units
}

func (b *stepBuilder) add(s Step) {
	if hold, set := b.Settings.Holds[s.Step]; set {
		s.Hold = hold
	}
	b.Steps = append(b.Steps, &s)
}

func (b *stepBuilder) phase(name string, seconds int64, back string, hold bool) {
	b.add(Step{Step: name, Do: "phase " + name, Back: back, Hold: hold, Takes: Span{Least: seconds, Most: seconds}})
}

// fence adds the step that keeps writers out which do not read the state row: programs from before the history, and others.
func (b *stepBuilder) fence() {
	if b.From.Number > 1 && b.Settings.Strategy != Tail {
		return
	}
	b.add(Step{Step: "fence", Do: "deny writes of programs without leases, if there are any: sortkey iam --fence", Back: "remove the policy"})
}

// monthly returns what a month of both versions costs more than one of the last.
func (b *stepBuilder) monthly() exact.Number {
	bill := func(d *model.Design) exact.Number {
		return cost.Price(resolve.New(d), cost.Options{Prices: b.prices}).AsDesigned.Total
	}
	return bill(b.changes.Together()).Sub(bill(b.changes.Old))
}

// snapshot adds a backup of the tables of which something is removed, before the first step that does.
func (b *stepBuilder) snapshot() {
	var lost []string
	bytes := exact.Zero
	for _, t := range b.changes.Tables {
		removes := slices.ContainsFunc(b.Parts, func(p accessmigrate.Part) bool { return loses(&p) && t.Old != nil && p.Table == t.Old.Name })
		if t.Old == nil || t.New != nil && !removes {
			continue
		}
		lost = append(lost, t.Old.Name)
		for _, item := range t.Old.Items {
			bytes = bytes.Add(b.stored(item.Entity).Times(cost.ItemSize(item).Avg))
		}
	}
	if len(lost) == 0 {
		return
	}
	b.add(Step{Step: snapshotStep, Do: "back up " + strings.Join(lost, ", ") + ", where the endpoint has backups", Back: "none needed",
		Monthly: bytes.Over(1 << 30).Mul(b.prices.Of("backup")), Takes: Span{Least: 60, Most: 3600, AWS: true}})
}

const snapshotStep = "snapshot"

// expand adds tables and indexes.
func (b *stepBuilder) expand() {
	for _, t := range b.changes.Tables {
		if t.Old == nil {
			b.add(Step{Step: "expand", Table: t.New.Name, Do: "make table " + t.New.Name, Back: "remove table " + t.New.Name, Takes: Span{Least: 10, Most: 60, AWS: true}})
			continue
		}
		if t.New == nil {
			continue
		}
		for _, x := range t.Indexes {
			if x.Old == nil {
				b.add(Step{Step: "expand", Table: t.New.Name, Index: x.New.Name, Do: "add index " + x.New.Name + " to " + t.New.Name, Back: "remove index " + x.New.Name,
					Takes: Span{Least: 300, Most: 3600, AWS: true}})
			}
		}
	}
}

// contract removes indexes and tables.
func (b *stepBuilder) contract() {
	for _, t := range b.changes.Tables {
		if t.New == nil {
			b.add(Step{Step: "contract", Table: t.Old.Name, Do: "remove table " + t.Old.Name + ", with migrate apply --drop only", Back: "none"})
			continue
		}
		for _, x := range t.Indexes {
			if x.New == nil {
				b.add(Step{Step: "contract", Table: t.New.Name, Index: x.Old.Name, Do: "remove index " + x.Old.Name + " of " + t.New.Name, Back: "none", Takes: Span{Least: 60, Most: 600, AWS: true}})
			}
		}
	}
}

// fill adds the step that gives every item the part: a scan of the table, and a write for each item.
func (b *stepBuilder) fill(part *accessmigrate.Part) {
	item := b.item(part)
	items := b.stored(item.Entity)
	size := cost.ItemSize(item)
	writes := items.Times(cost.WriteUnits(max(size.Avg, b.sizeBefore(part))))
	for _, x := range b.indexesOf(item, part) {
		writes = writes.Add(items.Times(cost.WriteUnits(x)))
	}
	b.priced(Step{Step: "fill", Part: part.Name, Do: "set " + attributes(part) + " where they are missing", Items: items,
		Reads: b.scanUnits(part), Writes: writes, Back: "remove " + attributes(part) + " where they are"})
}

// verify adds the step that proves that every item has its part.
func (b *stepBuilder) verify(part *accessmigrate.Part) {
	b.priced(Step{Step: "verify", Part: part.Name, Do: "compare " + attributes(part) + " with what they are made of",
		Items: b.stored(b.item(part).Entity), Reads: b.scanUnits(part), Back: "none needed"})
}

// clean adds the step that removes what only the old version stored.
func (b *stepBuilder) clean(part *accessmigrate.Part) {
	item := b.item(part)
	items := b.stored(item.Entity)
	b.priced(Step{Step: "clean", Part: part.Name, Table: part.Table, Do: "remove " + strings.Join(part.Remove, ", "), Items: items,
		Reads: b.scanUnits(part), Writes: items.Times(cost.WriteUnits(cost.ItemSize(item).Avg)), Back: "none"})
}

// priced adds a step with its price and how long it takes at the rates.
func (b *stepBuilder) priced(s Step) {
	if m, measured := b.measured[s.Step+" "+s.Part]; measured {
		s.Items, s.Reads, s.Writes = m.Items, m.Reads, m.Writes
	}
	s.Price = s.Reads.Mul(b.prices.Of("read")).Add(s.Writes.Mul(b.prices.Of("write")))
	seconds := s.Reads.Over(b.Settings.Read).Max(s.Writes.Over(b.Settings.Write)).Ceil().Int64()
	s.Takes = Span{Least: seconds, Most: seconds}
	b.add(s)
}

func (b *stepBuilder) item(part *accessmigrate.Part) *model.Item {
	for _, t := range b.changes.New.Tables {
		for _, item := range t.Items {
			if t.Name == cmp.Or(part.To, part.Table) && item.Entity.LocalName() == part.As {
				return item
			}
		}
	}
	panic("migrate: a part of no entity: " + part.Name)
}

// sizeBefore returns the size of an item of the last version.
func (b *stepBuilder) sizeBefore(part *accessmigrate.Part) int64 {
	pair := b.changes.EntityOf(b.item(part).Entity)
	return cost.ItemSize(b.changes.TableOf(b.item(part).Table).Old.Item(pair.Old)).Avg
}

func (b *stepBuilder) stored(e *model.Entity) exact.Number {
	if n, counted := b.counts[e.Name]; counted {
		return n
	}
	return cost.Stored(e, cost.Options{})
}

// scanUnits returns the units of a consistent scan of the part's table.
func (b *stepBuilder) scanUnits(part *accessmigrate.Part) exact.Number {
	total := exact.Zero
	for _, item := range b.item(part).Table.Items {
		total = total.Add(b.stored(item.Entity).Times(cost.ItemSize(item).Avg))
	}
	return total.Over(4096).Ceil()
}

// indexesOf returns the sizes of the entries that a fill writes: of indexes whose keys are set, or that
// project what is set.
func (b *stepBuilder) indexesOf(item *model.Item, part *accessmigrate.Part) []int64 {
	var sizes []int64
	for _, e := range b.layout.Entries(item.Entity) {
		if e.Path.Index == nil || e.Path.Table != item.Table {
			continue
		}
		touched := slices.ContainsFunc(part.Set, func(s accessmigrate.Source) bool {
			return e.Path.Index.Project.Kind == model.ProjectAll || slices.ContainsFunc(e.Keys(), func(k *model.Key) bool { return k.Name == s.Attribute })
		})
		if touched {
			sizes = append(sizes, cost.EntrySize(e).Avg)
		}
	}
	return sizes
}

func attributes(part *accessmigrate.Part) string {
	names := make([]string, len(part.Set))
	for i, s := range part.Set {
		names[i] = s.Attribute
	}
	return strings.Join(names, ", ")
}
