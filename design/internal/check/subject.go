package check

import (
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A subject is the input of the rules and the report they write to.
type subject struct {
	design   *model.Design
	layout   *resolve.Layout
	workload cost.Options
	estimate *cost.Estimate
	options  Options
	report   *diag.Report
	known    known
}

// patterns returns the patterns of the selected phases. The caller does not change it.
func (s *subject) patterns() []*model.Pattern {
	if len(s.options.Tags) == 0 {
		return s.design.Patterns
	}
	var asked []*model.Pattern
	for _, p := range s.design.Patterns {
		if p.HasTag(s.options.Tags) {
			asked = append(asked, p)
		}
	}
	return asked
}

// An action is one step of a pattern that writes.
type action struct {
	pattern *model.Pattern
	step    *model.Step
}

// actions returns the actions with a verb in the patterns of the selected phases.
func (s *subject) actions(verbs ...model.Verb) []action {
	var all []action
	for _, p := range s.patterns() {
		for _, step := range p.Actions() {
			if slices.Contains(verbs, step.Verb) {
				all = append(all, action{p, step})
			}
		}
	}
	return all
}

// entities returns the entities of the selected phases. The caller does not change it.
func (s *subject) entities() []*model.Entity {
	if len(s.options.Tags) == 0 {
		return s.design.Entities
	}
	var asked []*model.Entity
	for _, e := range s.design.Entities {
		if e.HasTag(s.options.Tags) {
			asked = append(asked, e)
		}
	}
	return asked
}

// indexes returns the paths of all indexes, in file order.
func (s *subject) indexes() []resolve.Path {
	var all []resolve.Path
	for _, table := range s.design.Tables {
		for _, index := range table.Indexes {
			all = append(all, resolve.Path{Table: table, Index: index})
		}
	}
	return all
}

// entriesOn returns the entries of all entities on a path.
func (s *subject) entriesOn(path resolve.Path) []*resolve.Entry {
	var all []*resolve.Entry
	for _, item := range path.Table.Items {
		for _, e := range s.layout.Entries(item.Entity) {
			if e.Path == path {
				all = append(all, e)
			}
		}
	}
	return all
}

// isRead reports whether a pattern reads an entry, or would if the key matched.
func (s *subject) isRead(e *resolve.Entry) bool {
	if len(s.layout.Readers(e)) > 0 {
		return true
	}
	return slices.ContainsFunc(s.using(e.Item.Entity), func(p *model.Pattern) bool {
		plan := s.layout.Plan(p)
		return p.Verb.Reads() && !plan.Served() && (asksByKey(p, e) ||
			slices.ContainsFunc(plan.Refused, func(r resolve.Refusal) bool { return r.Path == e.Path && r.Near > 0 }))
	})
}

// asksByKey reports whether a pattern asks by an attribute in the partition key of an entry.
func asksByKey(p *model.Pattern, e *resolve.Entry) bool {
	return slices.ContainsFunc(p.Where, func(c *model.Condition) bool {
		return slices.ContainsFunc(e.PK, func(key *model.Key) bool {
			return slices.ContainsFunc(key.Attributes(), func(a *model.Attribute) bool { return a.Name == c.Attribute.Name })
		})
	})
}

// guardUses returns the keys of the rows that keep values unique.
func (s *subject) guardUses() []keyUse {
	var all []keyUse
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			if !guard.Entity.HasTag(s.options.Tags) {
				continue
			}
			item := &model.Item{Entity: guard.Entity, Table: table}
			for i, name := range primaryNames(table) {
				all = append(all, keyUse{Path: resolve.Path{Table: table}, Sort: i > 0, Name: name, Item: item, Key: guardKey(guard, name)})
			}
		}
	}
	return all
}

// usersOf returns the patterns that consume capacity of a path. A local index uses its table's.
func (s *subject) usersOf(path resolve.Path) []*model.Pattern {
	var users []*model.Pattern
	for _, c := range s.estimate.Patterns {
		for _, use := range c.Uses {
			onTable := use.Path.Table == path.Table && (use.Path.IsTable() || use.Path.Index.Local)
			if use.Path == path || path.IsTable() && onTable {
				users = append(users, c.Pattern)
				break
			}
		}
	}
	return users
}

// usersOfEntry returns the patterns that read or write an entry.
func (s *subject) usersOfEntry(e *resolve.Entry) []*model.Pattern {
	return slices.DeleteFunc(s.usersOf(e.Path), func(p *model.Pattern) bool {
		plan := s.layout.Plan(p)
		written := slices.ContainsFunc(plan.Writes, func(w *resolve.PlannedWrite) bool { return w.Item == e.Item })
		return !written && !slices.ContainsFunc(plan.Reads(), func(r *resolve.Read) bool { return r.Entry == e })
	})
}

// peakOn returns the number of units a second an entry takes at the peaks of its patterns.
func (s *subject) peakOn(e *resolve.Entry) (rcu, wcu exact.Number) {
	for _, c := range s.estimate.Patterns {
		if c.Plan == nil {
			continue
		}
		for i, r := range c.Plan.Reads() {
			switch {
			case r.Entry != e:
			case len(c.Plan.Parts) > 0:
				rcu = rcu.Add(c.Peak.Mul(c.Uses[i].Read))
			default:
				rcu = rcu.Add(c.Peak.Mul(c.Read))
			}
		}
		for _, w := range c.Plan.Writes {
			if e.Path.IsTable() && w.Item == e.Item {
				wcu = wcu.Add(c.Peak.Times(cost.WriteUnits(cost.ItemSize(e.Item).Avg)))
			}
			wcu = wcu.Add(c.Peak.Mul(s.estimate.IndexUnits(w, e)))
		}
	}
	return rcu, wcu
}

// entryCost returns the monthly writes of an entity's index entry and their on-demand
// price, storage included.
func (s *subject) entryCost(e *resolve.Entry) (writes, price exact.Number) {
	for _, c := range s.estimate.Patterns {
		if c.Plan == nil {
			continue
		}
		for _, w := range c.Plan.Writes {
			writes = writes.Add(s.estimate.IndexUnits(w, e).Mul(c.Calls))
		}
	}
	stored := exact.Int(cost.EntrySize(e).Avg + entryOverhead).Mul(cost.Stored(e.Item.Entity, s.workload))
	price = writes.Mul(s.estimate.Prices.Of("write"))
	return writes, price.Add(stored.Over(1 << 30).Mul(s.estimate.Prices.Of("storage")))
}

// writesOf returns how many times a month an item is written. Transactions count twice, and
// index entries that project the whole item count too.
func (s *subject) writesOf(item *model.Item) exact.Number {
	sum := exact.Zero
	for _, c := range s.estimate.Patterns {
		if c.Plan == nil {
			continue
		}
		for _, w := range c.Plan.Writes {
			if w.Item != item || w.Step == nil || w.Step.Entity != item.Entity {
				continue
			}
			times := int64(1)
			if len(c.Plan.Writes) > 1 {
				times = 2
			}
			sum = sum.Add(c.Calls.Times(times * (wholeEntries(w) + 1) * max(w.Step.Each, 1)))
		}
	}
	return sum
}
