// Package state holds the rows that the tables of a run must hold: what was loaded and what
// every call since then must have changed. It also knows what DynamoDB makes of a value: its
// stored form, its order, its size and which index it is in.
//
// It sends nothing and chooses nothing. The packages bind, judge, arrange and verify use it.
package state

import (
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A Row is a row that a table must hold.
type Row struct {
	Table   *model.Table
	Entity  *model.Entity // nil: a guard's row, or a shard of a counter
	Values  sample.Values
	Item    access.Item
	address string // its address, once computed
}

// Tables hold all rows that the tables of a run must hold.
type Tables struct {
	layout *resolve.Layout
	Rows   map[string]*Row                   // by address
	own    map[*model.Entity]map[string]*Row // the same by entity
	sorted map[*model.Entity][]*Row          // by address; none after a change
	kinds  map[*model.Table][]kind           // the entities of a table, once needed
}

// New returns tables without rows.
func New(l *resolve.Layout) *Tables {
	return &Tables{
		layout: l, Rows: map[string]*Row{}, own: map[*model.Entity]map[string]*Row{},
		sorted: map[*model.Entity][]*Row{}, kinds: map[*model.Table][]kind{},
	}
}

// Address returns the table and the primary key of an item as one text.
func Address(t *model.Table, item access.Item) string {
	first, second := t.PK.Name, t.SK.Name
	if second != "" && second < first {
		first, second = second, first
	}
	text := t.Name + " {" + first + ": " + Describe(item[first])
	if second != "" {
		text += ", " + second + ": " + Describe(item[second])
	}
	return text + "}"
}

// Address returns the table and the primary key of the row as one text.
func (r *Row) Address() string {
	if r.address == "" {
		r.address = Address(r.Table, r.Item)
	}
	return r.address
}

// RowOf returns the row of an item of an entity with these values.
func (s *Tables) RowOf(e *model.Entity, values sample.Values) *Row {
	item := sample.Stored(s.layout, e, values)
	return &Row{Table: item.Table, Entity: e, Values: values, Item: Item(item)}
}

// KeyOf returns the primary key of an item with these values, and whether they give all of it.
func (s *Tables) KeyOf(e *model.Entity, values sample.Values) (access.Item, bool) {
	home := s.layout.Home(e)
	key := access.Item{}
	for _, name := range KeyNames(home.Table) {
		var v sample.Value
		var ok bool
		if at := slices.IndexFunc(home.Computed, func(c *model.Computed) bool { return c.Name == name }); at >= 0 {
			v, ok = sample.Computed(home.Computed[at], values)
		} else if own := e.Stored(name); own != nil {
			v, ok = values[own]
		}
		if !ok {
			return nil, false
		}
		key[name] = AttributeValue(v)
	}
	return key, true
}

// Put adds or replaces a row.
func (s *Tables) Put(r *Row) {
	s.Remove(r)
	at := r.Address()
	s.Rows[at] = r
	if s.own[r.Entity] == nil {
		s.own[r.Entity] = map[string]*Row{}
	}
	s.own[r.Entity][at] = r
	delete(s.sorted, r.Entity)
}

// Remove removes the row with the address of r, if there is one.
func (s *Tables) Remove(r *Row) {
	at := r.Address()
	if old := s.Rows[at]; old != nil {
		delete(s.Rows, at)
		delete(s.own[old.Entity], at)
		delete(s.sorted, old.Entity)
	}
}

// At returns the row with a primary key, or nil.
func (s *Tables) At(t *model.Table, key access.Item) *Row { return s.Rows[Address(t, key)] }

// Of returns the rows of an entity, sorted by address.
func (s *Tables) Of(e *model.Entity) []*Row {
	rows, ok := s.sorted[e]
	if !ok {
		for _, at := range slices.Sorted(maps.Keys(s.own[e])) {
			rows = append(rows, s.own[e][at])
		}
		s.sorted[e] = rows
	}
	return rows
}

// Guards returns the rows that keep the values of a row unique.
func (s *Tables) Guards(r *Row) []*Row {
	var all []*Row
	for _, t := range s.layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity != r.Entity {
				continue
			}
			if guard := s.GuardRow(t, g, r.Values); guard != nil {
				all = append(all, guard)
			}
		}
	}
	return all
}

// GuardRow returns the row of a guard for an item with these values, or nil if it needs none.
func (s *Tables) GuardRow(t *model.Table, g *model.Guard, values sample.Values) *Row {
	item := access.Item{}
	for _, c := range g.Computed {
		text, ok := sample.Computed(c, values)
		if !ok {
			return nil
		}
		item[c.Name] = AttributeValue(text)
	}
	if t.Type != "" {
		item[t.Type] = marshal.S(g.Entity.Name + "#guard")
	}
	owner, _ := s.KeyOf(g.Entity, values)
	for name, value := range owner {
		item[marshal.OwnerName(name)] = value
	}
	return &Row{Table: t, Item: item}
}
