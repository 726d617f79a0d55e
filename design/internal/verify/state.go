package verify

import (
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A row is one row of a table as it should be.
type row struct {
	table  *model.Table
	entity *model.Entity // nil: a guard's row, or a shard of a counter
	values sample.Values
	item   access.Item
	place  string // its address, once it was asked for
}

// A state is what the tables should hold.
type state struct {
	layout *resolve.Layout
	rows   map[string]*row                   // by table and primary key
	own    map[*model.Entity]map[string]*row // the same, of each entity
	sorted map[*model.Entity][]*row          // by primary key; none after a change
}

func newState(l *resolve.Layout) *state {
	return &state{layout: l, rows: map[string]*row{}, own: map[*model.Entity]map[string]*row{}, sorted: map[*model.Entity][]*row{}}
}

// address is a table and a primary key as one text: what describeItem makes of the key.
func address(t *model.Table, item access.Item) string {
	first, second := t.PK.Name, t.SK.Name
	if second != "" && second < first {
		first, second = second, first
	}
	text := t.Name + " {" + first + ": " + describe(item[first])
	if second != "" {
		text += ", " + second + ": " + describe(item[second])
	}
	return text + "}"
}

// address is where the row lies.
func (r *row) address() string {
	if r.place == "" {
		r.place = address(r.table, r.item)
	}
	return r.place
}

// row makes the row of an entity with these values.
func (s *state) row(e *model.Entity, values sample.Values) *row {
	item := sample.Stored(s.layout, e, values)
	return &row{table: item.Table, entity: e, values: values, item: stored(item)}
}

// key is the primary key of an item with these values, and whether they give all of it.
func (s *state) key(e *model.Entity, values sample.Values) (access.Item, bool) {
	home := s.layout.Home(e)
	key := access.Item{}
	for _, name := range keyNames(home.Table) {
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
		key[name] = attributeValue(v)
	}
	return key, true
}

func (s *state) put(r *row) {
	s.remove(r)
	at := r.address()
	s.rows[at] = r
	if s.own[r.entity] == nil {
		s.own[r.entity] = map[string]*row{}
	}
	s.own[r.entity][at] = r
	delete(s.sorted, r.entity)
}

// remove takes away the row that lies where this one does.
func (s *state) remove(r *row) {
	at := r.address()
	if old := s.rows[at]; old != nil {
		delete(s.rows, at)
		delete(s.own[old.entity], at)
		delete(s.sorted, old.entity)
	}
}

// at is the row with a primary key, or nil.
func (s *state) at(t *model.Table, key access.Item) *row { return s.rows[address(t, key)] }

// of are the rows of an entity, always in the same order.
func (s *state) of(e *model.Entity) []*row {
	rows, ok := s.sorted[e]
	if !ok {
		for _, at := range slices.Sorted(maps.Keys(s.own[e])) {
			rows = append(rows, s.own[e][at])
		}
		s.sorted[e] = rows
	}
	return rows
}

// guards are the rows that keep the values of a row unique.
func (s *state) guards(r *row) []*row {
	var all []*row
	for _, t := range s.layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity != r.entity {
				continue
			}
			if guard := guardRow(t, g, r.values); guard != nil {
				all = append(all, guard)
			}
		}
	}
	return all
}

// guardRow is a guard's row for an item with these values, or nil if it needs none.
func guardRow(t *model.Table, g *model.Guard, values sample.Values) *row {
	item := access.Item{}
	for _, c := range g.Computed {
		text, ok := sample.Computed(c, values)
		if !ok {
			return nil
		}
		item[c.Name] = attributeValue(text)
	}
	if t.Type != "" {
		item[t.Type] = access.S(g.Entity.Name + "#guard")
	}
	return &row{table: t, item: item}
}

// difference is what differs between an item as it should be and as it is.
func difference(want, got access.Item) string {
	var all []string
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !same(want[name], got[name]) {
			all = append(all, fmt.Sprintf("%s should be %s and is %s", name, describe(want[name]), describe(got[name])))
		}
	}
	return join(all)
}
