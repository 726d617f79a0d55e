package cost

import (
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// heatOf returns the heat of a table under 1000 writes a second of items of one unit.
func heatOf(t *testing.T, key func(e *model.Entity) []model.Part, change func(e *model.Entity, p *model.Pattern)) Heat {
	t.Helper()
	w := newWorld()
	table := w.table("things")
	e := w.entity("Thing", table, 1000)
	e.Attributes = append(e.Attributes, enum("status", "a", "b", "c", "d"), attribute("at", model.Timestamp))
	counts(e, "10000")
	w.put(e, table, computed("PK", key(e)...))
	p, _ := w.write(model.Put, e, "1", resolve.Untouched)
	p.Peak = perSecond("1000")
	change(e, p)
	return w.price(Options{}).Tables[0].Paths[0].Heat
}

func TestHottestPartition(t *testing.T) {
	of := func(name string, filters ...model.Filter) func(e *model.Entity) []model.Part {
		return func(e *model.Entity) []model.Part {
			return []model.Part{literal("K#"), hole(e.Attribute(name), filters...)}
		}
	}
	constant := func(*model.Entity) []model.Part { return []model.Part{literal("ALL")} }
	sharded := func(e *model.Entity) []model.Part {
		return []model.Part{literal("ALL#"), hole(e.Attribute("id"), model.Filter{Name: model.Shard, N: 10})}
	}
	nothing := func(*model.Entity, *model.Pattern) {}
	for _, c := range []struct {
		name               string
		key                func(e *model.Entity) []model.Part
		change             func(e *model.Entity, p *model.Pattern)
		wcu, values, items string
	}{
		{"a constant", constant, nothing, "1000", "1", "10000"},
		{"a constant in ten shards", sharded, nothing, "100", "10", "1000"},
		{"four states", of("status"), nothing, "250", "4", "2500"},
		{"each item alone", of("id"), nothing, "1", "10000", "1"},
		{"today", of("at", model.Filter{Name: model.ByDate}), nothing, "1000", "0", "0"},
		{"groups of unknown size", of("group"), nothing, "10", "0", "0"},
		{"groups of 100, the largest of 500", of("group"), func(e *model.Entity, _ *model.Pattern) {
			e.Per = []*model.Per{per(e.Attribute("group"), "100", "500")}
		}, "50", "100", "500"},
		{"a stated share", of("group"), func(_ *model.Entity, p *model.Pattern) { p.Hot = ptr("0.75") }, "750", "0", "0"},
		{"one hot item", of("id"), func(_ *model.Entity, p *model.Pattern) { p.Hot = ptr("1") }, "1000", "10000", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := heatOf(t, c.key, c.change)
			equal(t, "WCU", h.WCU, c.wcu)
			equal(t, "values", h.Values, c.values)
			equal(t, "bytes", h.Bytes, number(c.items).Times(1000).String())
			if len(h.Contenders) != 1 {
				t.Errorf("contenders are %+v", h.Contenders)
			}
		})
	}
}

func TestHeatOfReads(t *testing.T) {
	w := newWorld()
	e := w.entity("Question", w.table("exams"), 6<<10)
	counts(e, "10000")
	e.Per = []*model.Per{per(e.Attribute("group"), "50", "1000")}
	p, r := w.list(e, "1500")
	p.Peak, p.Hot = perSecond("20"), ptr("1")
	heat := w.price(Options{}).Tables[0].Paths[0].Heat
	equal(t, "a class opens one exam", heat.RCU, "750")
	equal(t, "of a partition", heat.Utilisation(), "0.25")
	r.Queries = 5 // five exams at once: each is another partition
	equal(t, "five exams", w.price(Options{}).Tables[0].Paths[0].Heat.RCU, "750")
	p.Hot = ptr("0.1")
	equal(t, "five cooler exams", w.price(Options{}).Tables[0].Paths[0].Heat.RCU, "375")
	if heat.Key != "GROUP#{group}" {
		t.Errorf("the hottest key is %s", heat.Key)
	}
}

// Keys of two shapes are different partitions; their loads are not added.
func TestHeatOfShapes(t *testing.T) {
	w := newWorld()
	table := w.table("things", "GSI1")
	hot, warm := w.entity("Hot", table, 100), w.entity("Warm", table, 100)
	w.put(hot, table, computed("PK", literal("HOT")), computed("GSI1PK", literal("SAME")))
	w.put(warm, table, computed("PK", literal("WARM")), computed("GSI1PK", literal("SAME")))
	for e, peak := range map[*model.Entity]string{hot: "700", warm: "600"} {
		p, _ := w.write(model.Put, e, "1", resolve.Written)
		p.Peak = perSecond(peak)
	}
	paths := w.price(Options{}).Tables[0].Paths
	equal(t, "the table's hottest key", paths[0].Heat.WCU, "700")
	equal(t, "the index's only key", paths[1].Heat.WCU, "1300")
	if c := paths[1].Heat.Contenders; len(c) != 2 || c[0].Pattern.Entity != hot {
		t.Errorf("contenders are %+v, want the hottest first", c)
	}
}

// A created item with its own partition is not hot even when calls share a key elsewhere.
func TestFreshPartitionsAreCold(t *testing.T) {
	w := newWorld()
	table := w.table("attempts", "GSI1")
	e := w.entity("Attempt", table, 1000)
	w.put(e, table, computed("PK", hole(e.Attribute("id"))), computed("GSI1PK", hole(e.Attribute("group"))))
	p, _ := w.write(model.Create, e, "1", resolve.Written)
	p.Peak, p.Hot = perSecond("20"), ptr("1")
	paths := w.price(Options{}).Tables[0].Paths
	equal(t, "the table", paths[0].Heat.WCU, "0.2")
	equal(t, "the index", paths[1].Heat.WCU, "20")
}

func TestCollectionsUnderLocalIndexes(t *testing.T) {
	w := newWorld()
	table := w.table("messages")
	table.Indexes = []*model.Index{{Name: "by_time", Local: true, Table: table, Project: model.Projection{Kind: model.ProjectAll}}}
	e := w.entity("Message", table, 1000)
	e.Per = []*model.Per{per(e.Attribute("group"), "100", "5000")}
	w.write(model.Put, e, "2628000", resolve.Written)
	heat := w.price(Options{}).Tables[0].Paths[0].Heat
	equal(t, "the largest partition", heat.Bytes, "5000000")
	equal(t, "with its local index", heat.Collection, "10000000")
	equal(t, "writes of both, of unknown groups", heat.WCU, "0.1") // 5 * 2 * 1/100
}
