package migrate

import (
	"slices"
	"strings"

	accessmigrate "sortkey.dev/access/migrate"
	accesspart "sortkey.dev/access/part"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	described "sortkey.dev/design/internal/shape"
)

// A guardIn is a guard with the table that its rows lie in.
type guardIn struct {
	*model.Guard
	table *model.Table
}

func guardsOf(d *model.Design, e *model.Entity) []guardIn {
	var all []guardIn
	for _, t := range d.Tables {
		for _, g := range t.Guards {
			if g.Entity == e {
				all = append(all, guardIn{g, t})
			}
		}
	}
	return all
}

// uniqueParts returns the rows of unique rules that only the new version has. Those of a rule that both versions have get owners if
// the new version finds items by them and the old one did not.
func uniqueParts(m *change.Matching, layout *resolve.Layout) []accessmigrate.Part {
	var all []accessmigrate.Part
	for _, p := range m.Entities {
		if p.Old == nil || p.New == nil || layout.Home(p.New) == nil {
			continue
		}
		old := guardsOf(m.Old, p.Old)
		for _, g := range guardsOf(m.New, p.New) {
			before := slices.IndexFunc(old, func(o guardIn) bool { return sameValue(p, o.Guard, g.Guard) })
			if before >= 0 {
				continue
			}
			all = append(all, accessmigrate.Part{
				Name: UniquePart(g.Guard), Table: layout.Home(p.New).Table.Name, Entity: p.Old.LocalName(), As: p.New.LocalName(),
				Unique: &accesspart.Unique{New: rowsOf(g)},
			})
		}
	}
	return all
}

// whyNoRows returns why the rows of a new unique rule cannot be filled, "" if they can.
func whyNoRows(m *change.Matching, of *change.Change) string {
	if of.Entity != nil && of.Entity.Old != nil && m.Apart(of.Entity) {
		return "the items move; make the value unique in a migration of its own"
	}
	return ""
}

// UniquePart returns the name of the part of the rows of a guard, as generated code gives it to the actions that write them.
func UniquePart(g *model.Guard) string {
	var names []string
	for _, a := range g.Attributes {
		names = append(names, a.Name)
	}
	return g.Entity.Name + "." + strings.Join(names, "+")
}

func rowsOf(g guardIn) *accesspart.Rows {
	rows := &accesspart.Rows{Table: g.table.Name, Rule: described.Unique(g.Guard)}
	if g.table.Type != "" {
		rows.Kind = g.Entity.Name + "#guard"
	}
	return rows
}

// sameValue reports whether guards of two versions keep the same attributes unique.
func sameValue(p *change.EntityPair, old, new *model.Guard) bool {
	return slices.EqualFunc(old.Attributes, new.Attributes, func(o, n *model.Attribute) bool {
		pair := p.Attribute(n)
		return pair != nil && pair.Old == o
	})
}

// tablesOf adds the tables that rows and counters lie in to those of a plan.
func tablesOf(m *change.Matching, tables []accessmigrate.Table, parts []accessmigrate.Part) []accessmigrate.Table {
	for i := range parts {
		names := []string{parts[i].Table}
		if parts[i].Unique != nil {
			names = append(names, parts[i].Unique.New.Table)
		}
		if parts[i].Count != nil {
			names = append(names, parts[i].Count.Table)
		}
		for _, name := range names {
			if slices.ContainsFunc(tables, func(t accessmigrate.Table) bool { return t.Name == name }) {
				continue
			}
			for _, t := range m.Tables {
				if t.New == nil || t.New.Name != name {
					continue
				}
				table := accessmigrate.Table{Name: name, New: described.Of(m.New, t.New)}
				if t.Old != nil {
					table.Old = described.Of(m.Old, t.Old)
				}
				tables = append(tables, table)
			}
		}
	}
	return tables
}

// guardOf returns the guard of the rows of a part.
func (b *stepBuilder) guardOf(part *accessmigrate.Part) guardIn {
	for _, g := range guardsOf(b.changes.New, b.item(part).Entity) {
		if UniquePart(g.Guard) == part.Name {
			return g
		}
	}
	panic("migrate: a part of no guard: " + part.Name)
}

// rowSize returns the size of a row of a part.
func (b *stepBuilder) rowSize(part *accessmigrate.Part) int64 {
	g := b.guardOf(part)
	return cost.ItemSize(b.layout.GuardItem(g.table, g.Guard)).Avg
}

// fillRows adds the step that puts the rows: for each item a transaction of a check and a put.
func (b *stepBuilder) fillRows(part *accessmigrate.Part) {
	item := b.item(part)
	items := b.stored(item.Entity)
	units := 2 * (cost.WriteUnits(cost.ItemSize(item).Avg) + cost.WriteUnits(b.rowSize(part)))
	b.priced(Step{Step: "fill", Part: part.Name, Do: "put the rows that keep " + part.Unique.New.Rule + " unique where there are none, and list duplicates",
		Items: items, Reads: b.scanUnits(part), Writes: items.Times(units), Back: "delete these rows"})
}

// verifyRows adds the step that proves that every item has its row, and every row its item.
func (b *stepBuilder) verifyRows(part *accessmigrate.Part) {
	item := b.item(part)
	items := b.stored(item.Entity)
	rows := items.Times(b.rowSize(part)).Over(4096)
	if g := b.guardOf(part); g.table != item.Table {
		for _, other := range g.table.Items {
			rows = rows.Add(b.stored(other.Entity).Times(cost.ItemSize(other).Avg).Over(4096))
		}
	}
	read := units4KB(b.rowSize(part)) + units4KB(cost.ItemSize(item).Avg)
	b.priced(Step{Step: "verify", Part: part.Name, Do: "look for the row of each item, and for the item of each row",
		Items: items, Reads: b.scanUnits(part).Add(rows.Ceil()).Add(items.Times(read)), Back: "none needed"})
}

// units4KB returns the read units of a consistent read of an item.
func units4KB(size int64) int64 { return (size + 4095) / 4096 }
