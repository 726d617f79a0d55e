package migrate

import (
	"slices"

	accessmigrate "sortkey.dev/access/migrate"
	accesspart "sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A newCounter is a counter that only the new version has.
type newCounter struct {
	*model.Counter
	of     *change.EntityPair // that has the counter
	counts *change.EntityPair // that is counted
}

// newCounters returns the counters that only the new version has, of entities that both versions have.
func newCounters(m *change.Matching) []newCounter {
	var all []newCounter
	for _, p := range m.Entities {
		if p.Old == nil || p.New == nil {
			continue
		}
		for _, c := range p.New.Counters {
			pair, counts := p.Attribute(c.Attribute), m.EntityOf(c.Of)
			had := pair != nil && pair.Old != nil && slices.ContainsFunc(p.Old.Counters, func(o *model.Counter) bool { return o.Attribute == pair.Old })
			if !had && counts != nil && counts.Old != nil {
				all = append(all, newCounter{c, p, counts})
			}
		}
	}
	return all
}

// CountPart returns the name of the part of a counter, as generated code gives it to the actions on items that it counts and on those
// that keep it.
func CountPart(e *model.Entity, c *model.Counter) string { return e.Name + "." + c.Attribute.Name }

// cannotCount returns why a new counter cannot be filled, "" if it can.
func cannotCount(m *change.Matching, c newCounter) string {
	pair := c.of.Attribute(c.Attribute)
	switch {
	case m.Apart(c.of) || m.Apart(c.counts):
		return "the items move; count them in a migration of its own"
	case c.Shards > 1:
		return "new counters in several rows are not planned yet"
	case pair.Old != nil && pair.Old.Stored == pair.New.Stored:
		return "the attribute has values of the version before; give the counter another one"
	case slices.ContainsFunc(c.Where, func(w *model.Condition) bool { return w.Op == model.Or }):
		return "counters whose where has alternatives are not planned yet"
	}
	return ""
}

// whyNotCounted returns why the counter of a change cannot be filled, "" if it can.
func whyNotCounted(m *change.Matching, of *change.Change) string {
	for _, c := range newCounters(m) {
		if c.Place == of.Place {
			return cannotCount(m, c)
		}
	}
	return ""
}

// countParts returns the marks of new counters, and the counters themselves as attributes of the items that keep them, which begin with
// 0. Those are added to the parts of their entities.
func countParts(m *change.Matching, layout *resolve.Layout, parts []accessmigrate.Part) []accessmigrate.Part {
	for _, c := range newCounters(m) {
		home, counted := layout.Home(c.of.New), layout.Home(c.counts.New)
		if home == nil || counted == nil {
			continue
		}
		i := slices.IndexFunc(parts, func(p accessmigrate.Part) bool { return p.Name == c.of.New.Name && p.Table == home.Table.Name })
		if i < 0 {
			i = 0
			parts = slices.Insert(parts, 0, accessmigrate.Part{
				Name: c.of.New.Name, Table: home.Table.Name, Entity: c.of.Old.LocalName(), As: c.of.New.LocalName(),
			})
		}
		parts[i].Set = append(parts[i].Set, accessmigrate.Source{Attribute: c.Attribute.Stored, Value: "0", Type: c.Attribute.Type.String()})
		parts = append(parts, accessmigrate.Part{
			Name: CountPart(c.of.New, c.Counter), Table: counted.Table.Name, Entity: c.counts.Old.LocalName(), As: c.counts.New.LocalName(),
			Count: &accesspart.Count{Table: home.Table.Name, Entity: c.of.New.LocalName(), Attribute: c.Attribute.Name, Stored: c.Attribute.Stored},
		})
	}
	return parts
}

// keeperSize returns the size of an item that keeps the counter of a part.
func (b *stepBuilder) keeperSize(part *accessmigrate.Part) int64 {
	for _, t := range b.changes.New.Tables {
		for _, item := range t.Items {
			if t.Name == part.Count.Table && item.Entity.LocalName() == part.Count.Entity {
				return cost.ItemSize(item).Avg
			}
		}
	}
	panic("migrate: a counter of no entity: " + part.Name)
}

// countedItems returns how many items a counter counts: all of the entity, as the share that its conditions leave is not known.
func (b *stepBuilder) countedItems(part *accessmigrate.Part) exact.Number {
	return b.stored(b.item(part).Entity)
}

// fillMarks adds the step that marks and counts items: in one transaction up to 99 of one counter, at worst one alone.
func (b *stepBuilder) fillMarks(part *accessmigrate.Part) {
	items := b.countedItems(part)
	mark := int64(len("counted "+part.Name)) + 60
	each := 2 * cost.WriteUnits(cost.ItemSize(b.item(part)).Avg+mark)
	keepers := exact.Int(2 * cost.WriteUnits(b.keeperSize(part)))
	writes := items.Times(each).Add(items.Mul(keepers))
	b.priced(Step{Step: "fill", Part: part.Name, Do: "count the " + part.As + " items that have no mark, with up to 99 in one transaction", Items: items,
		Reads: b.scanUnits(part), Writes: writes, Back: "take the marks away, with what they count"})
}

// verifyMarks adds the step that proves that every item has its mark.
func (b *stepBuilder) verifyMarks(part *accessmigrate.Part) {
	b.priced(Step{Step: "verify", Part: part.Name, Do: "compare the marks of the " + part.As + " items with what they must be counted with",
		Items: b.countedItems(part), Reads: b.scanUnits(part), Back: "none needed"})
}

// cleanMarks adds the step that removes the marks.
func (b *stepBuilder) cleanMarks(part *accessmigrate.Part) {
	items := b.countedItems(part)
	b.priced(Step{Step: "clean", Part: part.Name, Do: "remove the marks", Items: items,
		Reads: b.scanUnits(part), Writes: items.Times(cost.WriteUnits(cost.ItemSize(b.item(part)).Avg)), Back: "none"})
}

// counterOf returns what a counter of a part counts, in words.
func counterOf(p *Plan, part *accessmigrate.Part) string {
	for _, t := range p.Tables {
		if t.Name != part.Count.Table {
			continue
		}
		e := entityOf(t.New, part.Count.Entity)
		i := slices.IndexFunc(e.Counters, func(c shape.Counter) bool { return c.Attribute == part.Count.Attribute })
		if i >= 0 {
			return e.Counters[i].Counts
		}
	}
	return part.As
}
