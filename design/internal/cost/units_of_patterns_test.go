package cost

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// 500,000 fetches of an exam of 50 questions of 6 KB are not 500,000 read units.
func TestFetchingAnExam(t *testing.T) {
	w := newWorld()
	question := w.entity("Question", w.table("exams"), 6<<10)
	question.Per = []*model.Per{per(question.Attribute("group"), "50", "1000")}
	p, _ := w.list(question, "500000")
	c := w.one(t, p)
	equal(t, "items", c.Items, "50")
	equal(t, "read units", c.Read, "37.5")
	equal(t, "requests", c.Requests, "1")
	money(t, "a month", c.OnDemand, "2.34")
	if c.Uses[0].Why != "50 items of 6 KB, eventually consistent" {
		t.Errorf("it says %q", c.Uses[0].Why)
	}
}

func TestItemsReadByAList(t *testing.T) {
	rangeOf := &model.Condition{Attribute: attribute("at", model.Timestamp), Op: model.Between}
	for _, c := range []struct {
		name   string
		change func(e *model.Entity, p *model.Pattern, r *resolve.Read)
		items  string
		known  bool
		why    string
	}{
		{"nothing is known", func(*model.Entity, *model.Pattern, *resolve.Read) {}, "1", false, "not stated"},
		{"at most one", func(_ *model.Entity, _ *model.Pattern, r *resolve.Read) { r.Unique = true }, "1", true, ""},
		{"what one group has", func(e *model.Entity, _ *model.Pattern, _ *resolve.Read) { known(e) }, "40", true, ""},
		{"what it returns", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); p.Returns = ptr("7") }, "7", true, ""},
		{"a limit below", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); p.Limit = 20 }, "20", true, ""},
		{"a limit above", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); p.Limit = 100 }, "40", true, ""},
		{"only a limit", func(_ *model.Entity, p *model.Pattern, _ *resolve.Read) { p.Limit = 20 }, "20", true, ""},
		{"a range", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); p.Where = append(p.Where, rangeOf) }, "40", true, "range"},
		{"a filter reads all", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); filter(p); p.Returns = ptr("5") }, "40", true, ""},
		{"a filter after a range", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) {
			known(e)
			filter(p)
			p.Where, p.Returns = append(p.Where, rangeOf), ptr("5")
		}, "10", true, "of those in the range"},
		{"a filter after a range of more than the key", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) {
			known(e)
			filter(p)
			p.Where, p.Returns = append(p.Where, rangeOf), ptr("30")
		}, "40", true, ""},
		{"a filter returns more than the average", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); filter(p); p.Returns = ptr("60") }, "60", true, ""},
		{"a filter with a limit", func(e *model.Entity, p *model.Pattern, _ *resolve.Read) { known(e); filter(p); p.Limit = 10 }, "40", true, "before the filter"},
		{"a filter with a limit over the unknown", func(_ *model.Entity, p *model.Pattern, _ *resolve.Read) { filter(p); p.Limit = 10 }, "10", true, "filter removes"},
		{"a filter over the unknown", func(_ *model.Entity, p *model.Pattern, _ *resolve.Read) { filter(p); p.Returns = ptr("5") }, "5", true, "filter removes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			e := w.entity("Thing", w.table("things"), 100)
			p, r := w.list(e, "1")
			c.change(e, p, r)
			r.Filter = p.Filter
			got := w.one(t, p)
			equal(t, "items", got.Items, c.items)
			if got.Known != c.known || !strings.Contains(got.Uses[0].Why, c.why) {
				t.Errorf("known %v, want %v; it says %q", got.Known, c.known, got.Uses[0].Why)
			}
		})
	}
}

func known(e *model.Entity) { e.Per = []*model.Per{per(e.Attribute("group"), "40", "90")} }

func filter(p *model.Pattern) {
	p.Filter = []*model.Condition{{Attribute: attribute("status", model.String), Op: model.Eq}}
}

func TestQueriesShareOrRepeat(t *testing.T) {
	w := newWorld()
	e := w.entity("Thing", w.table("things"), 4<<10)
	known(e)
	fan, fanned := w.list(e, "1")
	fanned.Queries = 5

	sharded := &model.Entity{Name: "Spread", ID: e.ID, Attributes: e.Attributes, Size: e.Size, Per: e.Per}
	w.design.Entities = append(w.design.Entities, sharded)
	w.put(sharded, w.table("spread"), computed("PK", literal("G#"), hole(e.Attribute("group")), literal("#"), hole(e.Attribute("id"), model.Filter{Name: model.Shard, N: 8})))
	spread, spreading := w.list(sharded, "1")
	spreading.Queries = 8

	c := w.one(t, fan)
	equal(t, "items of five groups", c.Items, "200")
	equal(t, "units of five groups", c.Read, "100")
	equal(t, "requests", c.Requests, "5")
	c = w.one(t, spread)
	equal(t, "items over eight shards", c.Items, "40")
	equal(t, "units over eight shards", c.Read, "20")
	equal(t, "requests", c.Requests, "8")
}

func TestPagesAndConsistency(t *testing.T) {
	w := newWorld()
	e := w.entity("Message", w.table("messages"), 1536)
	e.Per = []*model.Per{per(e.Attribute("group"), "60000", "120000")}
	p, r := w.list(e, "1")
	c := w.one(t, p)
	equal(t, "pages", c.Pages, "88") // 682 messages to a page
	equal(t, "requests", c.Requests, "88")
	r.Eventual = false
	strong := w.one(t, p)
	if !strong.Read.Equal(c.Read.Times(2)) {
		t.Errorf("strongly consistent it takes %s units, eventually %s", strong.Read, c.Read)
	}
}

func TestGettingOneItem(t *testing.T) {
	w := newWorld()
	e := w.entity("Big", w.table("things"), 4097)
	r := &resolve.Read{Entry: w.entries[e][0], Operation: resolve.GetItem, Entities: []*model.Entity{e}, Queries: 1, Unique: true}
	p := w.pattern(model.Get, e, "1", &resolve.Plan{Read: r})
	equal(t, "strongly consistent", w.one(t, p).Read, "2")
	r.Eventual = true
	equal(t, "eventually consistent", w.one(t, p).Read, "1")
	e.Size.Avg = 4096
	equal(t, "one byte less", w.one(t, p).Read, "0.5")
}

func TestCollectReadsAllItsEntities(t *testing.T) {
	w := newWorld()
	table := w.table("planner")
	user, promise := w.entity("User", table, 200), w.entity("Promise", table, 400)
	user.ID = []*model.Attribute{user.Attribute("group")}
	promise.Per = []*model.Per{per(promise.Attribute("group"), "99", "500")}
	p, r := w.list(user, "1")
	p.Verb, r.Entities = model.Collect, []*model.Entity{user, promise}
	c := w.one(t, p)
	equal(t, "items", c.Items, "100")
	equal(t, "units", c.Read, "5") // 200 + 99 * 400 bytes are 9.7 times 4 KB
	p.Limit = 10
	equal(t, "items with a limit", w.one(t, p).Items, "10")
}

func TestLocalIndexFetchesFromTheTable(t *testing.T) {
	w := newWorld()
	table := w.table("messages")
	table.Indexes = []*model.Index{{Name: "by_time", Local: true, Table: table, Project: model.Projection{Kind: model.ProjectKeys}}}
	e := w.entity("Message", table, 5000)
	known(e)
	p, r := w.list(e, "1")
	r.Entry = w.entries[e][1]
	r.Missing = []*model.Attribute{e.Attributes[0]}
	c := w.one(t, p)
	if len(c.Uses) != 2 || !c.Uses[1].Path.IsTable() {
		t.Fatalf("it uses %+v, want the index and its table", c.Uses)
	}
	equal(t, "fetching 40 items of 5000 bytes", c.Uses[1].Read, "40")
	if local := w.price(Options{}).Path(r.Entry.Path); !local.Reads.IsZero() {
		t.Errorf("the local index is booked %s reads of its own", local.Reads)
	}
}

func TestWriteUnitsOfPatterns(t *testing.T) {
	for _, c := range []struct {
		name          string
		size          int64
		verb          model.Verb
		change        resolve.IndexChange
		units         string
		amplification string
	}{
		{"a message of 1.5 KB and its entry", 1536, model.Create, resolve.Written, "4", "2"},
		{"1 KB", 1024, model.Put, resolve.Written, "2", "2"},
		{"one byte more", 1025, model.Put, resolve.Written, "4", "2"},
		{"the entry moves", 900, model.Update, resolve.Moved, "3", "3"},
		{"the index does not notice", 900, model.Update, resolve.Untouched, "1", "1"},
		{"in a transaction the index is charged once", 1536, model.Transact, resolve.Written, "6", "1.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			table := w.table("things", "GSI1")
			e := w.entity("Thing", table, c.size)
			w.put(e, table, append(table.Items[0].Computed, computed("GSI1PK", literal("ALL")))...)
			p, _ := w.write(c.verb, e, "1", c.change)
			got := w.one(t, p)
			equal(t, "units", got.Write, c.units)
			equal(t, "amplification", got.Amplification, c.amplification)
			equal(t, "requests", got.Requests, "1")
		})
	}
}

// TestPutsOfNewItems: an index entry moves only where a put replaces an item. How many puts write
// new items follows from the growth of the entity.
func TestPutsOfNewItems(t *testing.T) {
	for _, c := range []struct{ name, growth, creates, units string }{
		{"growth is not stated", "", "0", "3"},
		{"every put is a new item", "1000", "0", "2"},
		{"a quarter of them are", "250", "0", "2.75"},
		{"the items grow faster than they are put", "5000", "0", "2"},
		{"creates make some of the new items", "1000", "600", "2.6"},
		{"creates make all of them", "1000", "1000", "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			table := w.table("things", "GSI1")
			e := w.entity("Thing", table, 900)
			w.put(e, table, append(table.Items[0].Computed, computed("GSI1PK", literal("ALL")))...)
			if c.growth != "" {
				growth := perMonth(c.growth)
				e.Volume.Growth = &growth
			}
			w.write(model.Create, e, c.creates, resolve.Written)
			p, _ := w.write(model.Put, e, "1000", resolve.Moved)
			equal(t, "units", w.one(t, p).Write, c.units)
		})
	}
}

func TestGuardsAndChecksArePaidFor(t *testing.T) {
	w := newWorld()
	e := w.entity("User", w.table("users"), 1500)
	p, action := w.write(model.Create, e, "1", resolve.Written)
	plan := w.plans[p]
	row := &model.Item{Entity: &model.Entity{Name: "guard of User"}, Table: action.Item.Table, Computed: []*model.Computed{computed("PK", literal("EMAIL#a@b"))}}
	guard := &resolve.PlannedWrite{Step: action.Step, Operation: resolve.PutItem, Item: row, Guard: &model.Guard{Entity: e}, Implied: "guard User.email"}
	check := &resolve.PlannedWrite{Operation: resolve.ConditionCheck, Item: action.Item}
	plan.Writes = append(plan.Writes, guard, check)
	equal(t, "user, guard and check", w.one(t, p).Write, "10") // 2*2 + 2*1 + 2*2
	action.Step.Each = 3
	equal(t, "three users with guards, one check", w.one(t, p).Write, "22")
}
