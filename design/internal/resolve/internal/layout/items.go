// Package layout knows where the items of a design lie: the entries of every entity in
// its table and the indexes of that table, and which attributes each of them holds.
//
// It knows no patterns. The rooms of resolve that plan reads, writes and counters look
// items up here.
package layout

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// Items are the items of a design as its tables lay them out. They do not change once
// made.
type Items struct {
	design  *model.Design
	entries map[*model.Entity][]*Entry
	onPath  map[Path][]*Entry // all entries on a path, in the order of the file
	guarded map[Path][]*Entry // the guard rows on a path
}

// New lays out the items of a design.
func New(d *model.Design) *Items {
	l := &Items{
		design:  d,
		entries: map[*model.Entity][]*Entry{},
		onPath:  map[Path][]*Entry{},
		guarded: map[Path][]*Entry{},
	}
	for _, t := range d.Tables {
		for _, item := range t.Items {
			for _, entry := range entriesOf(item) {
				l.entries[item.Entity] = append(l.entries[item.Entity], entry)
				l.onPath[entry.Path] = append(l.onPath[entry.Path], entry)
			}
		}
		for _, g := range t.Guards {
			for _, entry := range entriesOf(guardItem(t, g)) {
				l.guarded[entry.Path] = append(l.guarded[entry.Path], entry)
			}
		}
	}
	return l
}

// Design returns the design laid out.
func (l *Items) Design() *model.Design { return l.design }

// Entries returns the entries of an entity: in its table first, then in the indexes.
func (l *Items) Entries(e *model.Entity) []*Entry { return l.entries[e] }

// Home returns the entity in the table it lives in, or nil if it lives in none.
func (l *Items) Home(e *model.Entity) *model.Item {
	for _, t := range l.design.Tables {
		if item := t.Item(e); item != nil {
			return item
		}
	}
	return nil
}

// Entry returns the entry of an entity on a path, or nil.
func (l *Items) Entry(path Path, e *model.Entity) *Entry {
	for _, entry := range l.entries[e] {
		if entry.Path == path {
			return entry
		}
	}
	return nil
}

// TableEntry returns the entry of an entity in its table, or nil if it lives in none.
func (l *Items) TableEntry(e *model.Entity) *Entry {
	for _, entry := range l.entries[e] {
		if entry.Path.IsTable() {
			return entry
		}
	}
	return nil
}

// On returns all entries on a path, those of guard rows last.
func (l *Items) On(path Path) []*Entry { return slices.Concat(l.onPath[path], l.guarded[path]) }

// A Collision is two entities of one table that can have the same primary key.
type Collision struct{ A, B *model.Item }

// Collisions returns all pairs of entities that can overwrite each other.
func (l *Items) Collisions() []Collision {
	var all []Collision
	for _, t := range l.design.Tables {
		entries := l.onPath[Path{Table: t}]
		for i, a := range entries {
			for _, b := range entries[i+1:] {
				if a.canMeet(b) {
					all = append(all, Collision{a.Item, b.Item})
				}
			}
		}
	}
	return all
}

// GuardItem returns the row of a guard as an item. It has a key, the name of its kind and the primary
// key of the item that it belongs to under names of their own, and no attribute of the entity, so
// that it lies in none of the indexes of the entity.
func (l *Items) GuardItem(t *model.Table, g *model.Guard) *model.Item {
	row := guardItem(t, g)
	home := l.Home(g.Entity)
	if home == nil {
		return row
	}
	row.Computed = slices.Clone(row.Computed)
	for _, key := range PrimaryKeys(home) {
		template := &model.Template{Parts: key.Parts()}
		row.Computed = append(row.Computed, &model.Computed{Name: model.OwnerName(key.Name), Place: g.Place, Template: template})
	}
	return row
}

// guardItem returns the row of a guard without the key of its owner.
func guardItem(t *model.Table, g *model.Guard) *model.Item {
	e := &model.Entity{Name: "guard of " + g.Entity.Name, Place: g.Place, ID: g.Attributes}
	return &model.Item{Entity: e, Table: t, Place: g.Place, Computed: g.Computed}
}

// PrimaryAttributes returns the attributes that the primary key of an item is made of,
// each once.
func PrimaryAttributes(item *model.Item) []*model.Attribute {
	var all []*model.Attribute
	for _, key := range PrimaryKeys(item) {
		for _, a := range key.Attributes() {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// PrimaryKeys returns the primary key attributes of an item. One without a value for a
// key attribute of its table lacks that one, which is a finding of its own.
func PrimaryKeys(item *model.Item) []*model.Key {
	var all []*model.Key
	for _, name := range KeyNames(Path{Table: item.Table}) {
		if key := item.Key(name.Name); key != nil {
			all = append(all, key)
		}
	}
	return all
}
