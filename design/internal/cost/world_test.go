package cost

import (
	"testing"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A world is a small hand-made layout with the plans under test.
type world struct {
	design  *model.Design
	entries map[*model.Entity][]*resolve.Entry
	plans   map[*model.Pattern]*resolve.Plan
}

func (w *world) Design() *model.Design                    { return w.design }
func (w *world) Entries(e *model.Entity) []*resolve.Entry { return w.entries[e] }
func (w *world) Plan(p *model.Pattern) *resolve.Plan      { return w.plans[p] }

// GuardItem returns a row that has only its key.
func (w *world) GuardItem(t *model.Table, g *model.Guard) *model.Item {
	return &model.Item{Entity: &model.Entity{Name: g.Entity.Name}, Table: t, Computed: g.Computed}
}

func (w *world) price(o Options) *Estimate { return newPricer(w, o).estimate() }

// newWorld returns an empty design without a free tier.
func newWorld() *world {
	w := &world{
		design:  &model.Design{Region: "us-east-1"},
		entries: map[*model.Entity][]*resolve.Entry{},
		plans:   map[*model.Pattern]*resolve.Plan{},
	}
	w.design.FreeTier.Place.Line = 1
	return w
}

// entity adds an entity with the keys GROUP#{group} and ID#{id} to a table.
func (w *world) entity(name string, t *model.Table, size int64) *model.Entity {
	id, group := attribute("id", model.ULID), attribute("group", model.ULID)
	e := &model.Entity{Name: name, ID: []*model.Attribute{id}, Attributes: []*model.Attribute{id, group}, Size: model.Size{Avg: size}}
	w.design.Entities = append(w.design.Entities, e)
	w.put(e, t, computed("PK", literal("GROUP#"), hole(group)), computed("SK", literal("ID#"), hole(id)))
	return e
}

// put adds an entity to a table; it has an entry in every index whose keys it has.
func (w *world) put(e *model.Entity, t *model.Table, keys ...*model.Computed) *model.Item {
	item := &model.Item{Entity: e, Table: t, Computed: keys}
	t.Items = append(t.Items, item)
	w.entries[e] = nil
	w.enter(item, resolve.Path{Table: t}, t.PK.Name)
	for _, x := range t.Indexes {
		pk := t.PK.Name
		if !x.Local {
			pk = x.PK[0].Name
		}
		w.enter(item, resolve.Path{Table: t, Index: x}, pk)
	}
	return item
}

func (w *world) enter(item *model.Item, path resolve.Path, pk string) {
	if key := item.Key(pk); key != nil {
		w.entries[item.Entity] = append(w.entries[item.Entity], &resolve.Entry{Path: path, Item: item, PK: []*model.Key{key}})
	}
}

// table adds a table with global indexes that project everything.
func (w *world) table(name string, indexes ...string) *model.Table {
	t := &model.Table{Name: name, PK: model.KeyName{Name: "PK"}, SK: model.KeyName{Name: "SK"}}
	for _, x := range indexes {
		t.Indexes = append(t.Indexes, &model.Index{Name: x, Table: t, PK: []model.KeyName{{Name: x + "PK"}}, Project: model.Projection{Kind: model.ProjectAll}})
	}
	w.design.Tables = append(w.design.Tables, t)
	return t
}

func perMonth(n string) model.Rate { return model.Rate{PerMonth: number(n)} }

func perSecond(n string) *model.Rate {
	return &model.Rate{PerMonth: number(n).Times(secondsPerMonth)}
}

func (w *world) pattern(verb model.Verb, e *model.Entity, rate string, plan *resolve.Plan) *model.Pattern {
	p := &model.Pattern{Name: string(verb) + e.Name, Verb: verb, Action: model.Action{Entity: e}, Rate: perMonth(rate)}
	plan.Pattern = p
	w.design.Patterns = append(w.design.Patterns, p)
	w.plans[p] = plan
	return p
}

// list adds an eventually consistent query for all items of one group.
func (w *world) list(e *model.Entity, rate string) (*model.Pattern, *resolve.Read) {
	r := &resolve.Read{Entry: w.entries[e][0], Operation: resolve.Query, Entities: []*model.Entity{e}, Queries: 1, Eventual: true}
	p := w.pattern(model.List, e, rate, &resolve.Plan{Read: r})
	p.Where = []*model.Condition{{Attribute: e.Attribute("group"), Op: model.Eq, Values: []model.Operand{{Param: "group"}}}}
	return p, r
}

// write adds a write of one item that makes the same change to each of its index entries.
func (w *world) write(verb model.Verb, e *model.Entity, rate string, change resolve.IndexChange) (*model.Pattern, *resolve.PlannedWrite) {
	entries := w.entries[e]
	action := &resolve.PlannedWrite{Step: &model.Step{Verb: verb, Each: 1}, Operation: resolve.PutItem, Item: entries[0].Item}
	for _, entry := range entries[1:] {
		action.Indexes = append(action.Indexes, &resolve.IndexWrite{Entry: entry, Change: change})
	}
	return w.pattern(verb, e, rate, &resolve.Plan{Writes: []*resolve.PlannedWrite{action}}), action
}

func per(a *model.Attribute, avg, most string) *model.Per {
	return &model.Per{Attribute: a, Avg: number(avg), Max: number(most)}
}

func counts(e *model.Entity, n string) {
	count := number(n)
	e.Volume.Count = &count
}

func ptr(n string) *exact.Number { m := number(n); return &m }

func (w *world) one(t *testing.T, p *model.Pattern) *PatternCost {
	t.Helper()
	c := w.price(Options{}).Pattern(p)
	if c == nil {
		t.Fatalf("%s was not priced", p.Name)
	}
	return c
}

func money(t *testing.T, what string, got exact.Number, want string) {
	t.Helper()
	if got.Fixed(2) != want {
		t.Errorf("%s is $%s, want $%s", what, got.Fixed(6), want)
	}
}
