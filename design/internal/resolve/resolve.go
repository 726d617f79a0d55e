// Package resolve proves that a layout serves a pattern: for every read it finds the
// key that answers it, with the exact key condition, or says of every path why it is
// refused; for every write it finds the primary key, the effect on each index, and the
// guard rows and counters that are written along.
//
// It reads models and reports nothing: its results are the plans. Package check turns
// them into findings, cost into units, docgen into documents, program into calls.
//
// The work is done in the rooms below: read, write and counter make plans, plan is their
// vocabulary, and keytext, layout, logic, action and expression are the tools they share.
package resolve

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/counter"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/read"
	"sortkey.dev/design/internal/resolve/internal/write"
)

// A Layout is a design with a plan for every pattern. It does not change once made, so it
// is safe for concurrent use.
type Layout struct {
	*items
	plans   map[*model.Pattern]*Plan
	readers map[*Entry][]*model.Pattern
}

// items are the entries of the entities; Layout has their methods.
type items = layout.Items

// New lays out a design in its tables and plans all its patterns.
func New(d *model.Design) *Layout {
	l := &Layout{
		items:   layout.New(d),
		plans:   make(map[*model.Pattern]*Plan, len(d.Patterns)),
		readers: map[*Entry][]*model.Pattern{},
	}
	reads := &read.Planner{Items: l.items}
	for _, p := range d.Patterns {
		if p.Verb.Reads() {
			l.plans[p] = reads.Plan(p)
		}
	}
	writes := &write.Planner{Items: l.items, Finder: func(e *model.Entity, where []*model.Condition) string {
		return l.finder(reads, e, where)
	}}
	for _, p := range d.Patterns { // after all reads, because Finder looks for them
		if !p.Verb.Reads() {
			t := writes.Plan(p)
			counter.Keep(writes, t)
			l.plans[p] = t.Complete()
		}
	}
	for _, p := range d.Patterns {
		judgeKeyOnly(l.plans[p])
		l.noteReader(p)
	}
	return l
}

// Plan returns how the layout serves a pattern of its design.
func (l *Layout) Plan(p *model.Pattern) *Plan { return l.plans[p] }

// Plans returns the plans of all patterns, in the order of the design.
func (l *Layout) Plans() []*Plan {
	all := make([]*Plan, 0, len(l.plans))
	for _, p := range l.Design().Patterns {
		all = append(all, l.plans[p])
	}
	return all
}

// Readers returns the patterns whose plan reads through an entry.
func (l *Layout) Readers(e *Entry) []*model.Pattern { return l.readers[e] }

func (l *Layout) noteReader(p *model.Pattern) {
	for _, r := range l.plans[p].Reads() {
		for _, e := range r.Entities {
			if entry := l.Entry(r.Entry.Path, e); entry != nil && !slices.Contains(l.readers[entry], p) {
				l.readers[entry] = append(l.readers[entry], p)
			}
		}
	}
}

// Sums returns the reads of the counters of an entity that are spread over shards, in the
// order of the design.
func (l *Layout) Sums(e *model.Entity) []*Sum {
	entry := l.TableEntry(e)
	if entry == nil {
		return nil
	}
	return counter.Sums(entry, slices.ContainsFunc(l.Readers(entry), func(p *model.Pattern) bool { return p.Consistent }))
}

// finder says how a read could find the key of an entity by conditions: by a pattern that
// is served, or through a path that would serve one; "" if none can.
func (l *Layout) finder(reads *read.Planner, e *model.Entity, where []*model.Condition) string {
	if len(where) == 0 {
		return ""
	}
	for _, p := range l.Design().Patterns {
		if plan := l.plans[p]; p.Verb == model.Get && p.Entity == e && plan != nil && plan.Served() && gives(where, p.Where) {
			return "read it first by " + p.Name
		}
	}
	if path := reads.Finds(e, where); path != nil {
		return "read it first through " + path.String()
	}
	return ""
}

// gives reports whether conditions give a value to each attribute that others ask for.
func gives(have, wanted []*model.Condition) bool {
	return !slices.ContainsFunc(wanted, func(c *model.Condition) bool { return logic.Equality(have, c.Attribute) == nil })
}
