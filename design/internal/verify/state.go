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
}

// A state is what the tables should hold.
type state struct {
	layout *resolve.Layout
	rows   map[string]*row          // by table and primary key
	sorted map[*model.Entity][]*row // by primary key; nil after a change
}

func newState(l *resolve.Layout) *state { return &state{layout: l, rows: map[string]*row{}} }

// address is a table and a primary key as one text.
func address(t *model.Table, item access.Item) string {
	return t.Name + " " + describeItem(keyOf(t, item))
}

// row makes the row of an entity with these values.
func (s *state) row(e *model.Entity, values sample.Values) *row {
	item := sample.Stored(s.layout, e, values)
	return &row{table: item.Table, entity: e, values: values, item: stored(item)}
}

func (s *state) put(r *row) {
	s.rows[address(r.table, r.item)] = r
	s.sorted = nil
}

func (s *state) remove(r *row) {
	delete(s.rows, address(r.table, r.item))
	s.sorted = nil
}

// at is the row with a primary key, or nil.
func (s *state) at(t *model.Table, key access.Item) *row { return s.rows[address(t, key)] }

// of are the rows of an entity, always in the same order.
func (s *state) of(e *model.Entity) []*row {
	if s.sorted == nil {
		s.sorted = map[*model.Entity][]*row{}
		for _, key := range slices.Sorted(maps.Keys(s.rows)) {
			r := s.rows[key]
			s.sorted[r.entity] = append(s.sorted[r.entity], r)
		}
	}
	return s.sorted[e]
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
		r := v.state.row(item.Entity, v.filled(item))
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

// fit changes a few items so that every read finds something: with constants in its
// conditions that no item fulfils all of, it never would.
func (v *verifier) fit(items []*sample.Item) {
	const few = 3
	for _, c := range v.program.Calls {
		if c.Read == nil {
			continue
		}
		for _, e := range c.Read.Entities {
			constants := constantConditions(c, e)
			own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
			if len(constants) == 0 || slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(constants) }) {
				continue
			}
			for range min(few, len(own)) {
				own[v.rng.IntN(len(own))].Fulfil(constants)
			}
		}
	}
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
