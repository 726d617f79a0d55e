package migrate

import (
	"fmt"
	"strings"

	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// original returns the items of the last version that a part copies.
func (b *stepBuilder) original(p *accessmigrate.Part) *model.Item {
	return homeOf(b.changes.Old, b.changes.EntityOf(b.item(p).Entity).Old)
}

// copyItems adds the step that copies the items: a scan of their table, and a put for each.
func (b *stepBuilder) copyItems(p *accessmigrate.Part) {
	item := b.item(p)
	items := b.stored(item.Entity)
	writes := b.putUnits(item, items, b.layout)
	do := "copy to " + p.To + " where there is no copy"
	if b.keysCanChange(p) { // a put and a check in one transaction
		writes = writes.Times(2).Add(items.Times(2 * cost.WriteUnits(cost.ItemSize(b.original(p)).Avg)))
		do += ", if what its key is made of is as read"
	}
	b.priced(Step{Step: "fill", Part: p.Name, Do: do, Items: items, Reads: b.tableUnits(b.original(p).Table, nil), Writes: writes, Back: "delete the copies"})
}

// keysCanChange reports whether the key of a copy is made of what can change while the original stays where it is.
func (b *stepBuilder) keysCanChange(p *accessmigrate.Part) bool {
	change := part.Change{Tables: b.Tables, Parts: b.Parts}
	r, err := change.NewReader(p, nil)
	return err == nil && len(r.Sources) > 0
}

// compareCopies adds the step that compares the items of both places.
func (b *stepBuilder) compareCopies(p *accessmigrate.Part) {
	from, to := b.original(p).Table, b.item(p).Table
	reads := b.tableUnits(from, nil).Add(b.tableUnits(to, nil))
	if from.Name == to.Name {
		reads = b.tableUnits(from, b.item(p))
	}
	b.priced(Step{Step: "verify", Part: p.Name, Do: "compare the items of " + p.Table + " with their copies in " + p.To,
		Items: b.stored(b.item(p).Entity), Reads: reads, Back: "none needed"})
}

// deleteOriginals adds the step that deletes what was copied.
func (b *stepBuilder) deleteOriginals(p *accessmigrate.Part) {
	item := b.original(p)
	items := b.stored(b.item(p).Entity)
	do := "delete the originals in " + p.Table
	if tableNamed(b.changes.New, p.Table) == nil {
		do += ", unless the table is removed"
	}
	b.priced(Step{Step: "clean", Part: p.Name, Table: p.Table, Do: do, Items: items, Reads: b.tableUnits(item.Table, nil),
		Writes: b.putUnits(item, items, resolve.New(b.changes.Old)), Back: "none"})
}

// putUnits returns the units of writing or deleting whole items, with their entries in indexes.
func (b *stepBuilder) putUnits(item *model.Item, items exact.Number, layout *resolve.Layout) exact.Number {
	each := cost.WriteUnits(cost.ItemSize(item).Avg)
	for _, e := range layout.Entries(item.Entity) {
		if e.Path.Index != nil && e.Path.Table == item.Table {
			each += cost.WriteUnits(cost.EntrySize(e).Avg)
		}
	}
	return items.Times(each)
}

// tableUnits returns the units of a consistent scan of a table, which also holds other items.
func (b *stepBuilder) tableUnits(t *model.Table, also *model.Item) exact.Number {
	total := exact.Zero
	for _, item := range t.Items {
		e := item.Entity
		if p := b.changes.EntityOfOld(e); p != nil && p.New != nil {
			e = p.New
		}
		total = total.Add(b.stored(e).Times(cost.ItemSize(item).Avg))
	}
	if also != nil {
		total = total.Add(b.stored(also.Entity).Times(cost.ItemSize(also).Avg))
	}
	return total.Over(4096).Ceil()
}

// copyText returns where copies lie and what their keys are made of, in the words of design files.
func (p *Plan) copyText(part *accessmigrate.Part) string {
	var keys []string
	for _, t := range p.Tables {
		if t.Name != part.To {
			continue
		}
		for _, k := range entityOf(t.New, part.As).Keys {
			keys = append(keys, fmt.Sprintf("%s: %q", k.Name, strings.ReplaceAll(k.Template, "|"+shape.Open+"}", "}")))
		}
	}
	text := fmt.Sprintf("{ table: %s, entity: %s", part.To, part.As)
	if len(keys) > 0 {
		text += ", keys: { " + strings.Join(keys, ", ") + " }"
	}
	return text + " }"
}
