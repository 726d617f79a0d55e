package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

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

// typical is up to how many items one parent has as many as the design says.
const typical = 100

// load invents items, puts them into the tables and remembers them. Some of each entity
// are held back: creates write those.
func (v *verifier) load(ctx context.Context) error {
	v.state = newState(v.layout)
	items := sample.Items(v.layout, sample.Options{Seed: v.o.Seed, Roots: v.o.Roots, Children: v.o.Children, Typical: typical})
	var writes []access.Write
	add := func(r *row) {
		v.state.put(r)
		writes = append(writes, access.Write{Action: access.Put, Name: "load", Table: r.table.Name, Item: r.item, KeyNames: keyNames(r.table)})
	}
	v.fit(items)
	for _, item := range items {
		if item.Table == nil {
			continue
		}
		r := v.state.row(item.Entity, inBounds(item.Entity, v.filled(item)))
		rows := append(v.state.guards(r), r)
		if slices.ContainsFunc(rows, func(r *row) bool { return v.state.at(r.table, r.item) != nil }) {
			continue // made to fit a read, it is the same as another
		}
		for _, r := range rows {
			add(r)
		}
	}
	v.report.Items = len(writes)
	return access.BatchWrite(ctx, v.client, &access.Pattern{Name: "load"}, writes)
}

// inBounds are values with every counter between its bounds. What the items add up to may be
// outside; a table that only the design's own patterns wrote holds no such item, and whether
// one that is outside already may change further the design does not say.
func inBounds(e *model.Entity, values sample.Values) sample.Values {
	for _, c := range e.Counters {
		if have, ok := values[c.Attribute]; ok {
			values[c.Attribute] = sample.Value{Kind: sample.Number, Text: resolve.Digits(sample.Inside(c, numberOf(have)))}
		}
	}
	return values
}

// fit changes a few items so that every read finds something: with constants in its
// conditions that no item fulfils all of, or attributes that no item has all of, it never
// would.
func (v *verifier) fit(items []*sample.Item) {
	const few = 3
	for _, c := range v.program.Calls {
		if c.Read == nil {
			continue
		}
		for _, e := range c.Read.Entities {
			constants, compared := constantConditions(c, e), comparedAttributes(c, e)
			own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
			if slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(constants) && hasAll(i.Values(), compared) }) {
				continue
			}
			for range min(few, len(own)) {
				item := own[v.rng.IntN(len(own))]
				item.Fulfil(constants)
				v.complete(item, own, compared)
			}
		}
	}
}

// complete gives an item the attributes it lacks: the values of another, or new ones.
func (v *verifier) complete(item *sample.Item, others []*sample.Item, attributes []*model.Attribute) {
	for _, a := range attributes {
		if _, ok := item.Get(a.Stored); ok {
			continue
		}
		value := v.invent(a, sample.Value{})
		for _, other := range others {
			if theirs, ok := other.Values()[a]; ok && !isUnique(item.Entity, a) {
				value = theirs
				break
			}
		}
		item.Attributes = append(item.Attributes, sample.Attribute{Name: a.Stored, Origin: a, Value: value})
	}
}

// isUnique reports whether no two items may have the same value of an attribute.
func isUnique(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return slices.Contains(u.Attributes, a) })
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

// compareAll compares every row of every table with what it should be.
func (v *verifier) compareAll(ctx context.Context) error {
	seen := map[string]bool{}
	for _, t := range v.layout.Design().Tables {
		var start access.Item
		for {
			name := v.client.Table(t.Name)
			consistent := true
			page, err := v.api.Scan(ctx, &dynamodb.ScanInput{TableName: &name, ConsistentRead: &consistent, ExclusiveStartKey: start})
			if err != nil {
				return fmt.Errorf("reading all of %s: %w", t.Name, err)
			}
			for _, item := range page.Items {
				key := address(t, item)
				seen[key] = true
				v.compareRow(key, v.state.rows[key], item)
			}
			if start = page.LastEvaluatedKey; len(start) == 0 {
				break
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.state.rows)) {
		if !seen[key] {
			v.report.Leftover = append(v.report.Leftover, Difference{Kind: "missing", Detail: key + " is not there"})
		}
	}
	return nil
}

func (v *verifier) compareRow(key string, want *row, got access.Item) {
	switch {
	case want == nil:
		v.report.Leftover = append(v.report.Leftover, Difference{Kind: "surplus", Detail: key + " is there: " + describeItem(got)})
	case describeItem(want.item) != describeItem(got):
		v.report.Leftover = append(v.report.Leftover, Difference{Kind: "content", Detail: difference(want.item, got)})
	}
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
