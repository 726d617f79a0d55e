package oracle

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// source returns the table or one of its indexes, mostly an existing one.
func (g *generator) source(t *table) *Index {
	switch {
	case g.oneIn(60):
		return &Index{Name: "missing", Hash: []string{t.hash}}
	case len(t.indexes) > 0 && !g.oneIn(3):
		return t.index(pick(g, t.indexes...).Name)
	}
	return t.index("")
}

func (g *generator) query() Step {
	name, t := g.table()
	x := g.source(t)
	s := Query{Table: g.maybeARN(name), Index: x.Name, Backward: g.oneIn(3), Page: g.page(t, x)}
	var model Item
	if entries := t.entries(x); len(entries) > 0 {
		model = pick(g, entries...)
	}
	value := func(name string) types.AttributeValue {
		if v := model[name]; v != nil && !g.oneIn(5) {
			return v
		}
		return g.keyValue(t.types[name], 8)
	}
	for _, name := range x.Hash {
		s.Where = append(s.Where, KeyCondition{name, "=", []types.AttributeValue{value(name)}})
	}
	if len(x.Sort) > 0 && !g.oneIn(3) {
		prefix := g.IntN(len(x.Sort))
		for _, name := range x.Sort[:prefix] {
			s.Where = append(s.Where, KeyCondition{name, "=", []types.AttributeValue{value(name)}})
		}
		s.Where = append(s.Where, g.rangeCondition(x.Sort[prefix], t.types[x.Sort[prefix]], value))
	}
	if g.oneIn(6) {
		s.Page.After = g.startKey(t, x)
	}
	if s.Older = g.oneIn(4); s.Older && g.oneIn(2) {
		g.makeOlder(t, x, &s.Page)
	}
	if g.oneIn(40) {
		g.spoilConditions(s.Where)
	}
	return s
}

// spoilConditions changes key conditions so that they do not fit the key.
func (g *generator) spoilConditions(where []KeyCondition) {
	c := &where[g.IntN(len(where))]
	switch g.IntN(3) {
	case 0:
		c.Name = "z"
	case 1:
		c.Op, c.Values = "<", c.Values[:1]
	default:
		c.Values = []types.AttributeValue{g.keyValue(pick(g, "S", "N", "B"), 4)}
		if c.Op == "BETWEEN" || c.Op == "begins_with" {
			c.Op = "="
		}
	}
}

func (g *generator) rangeCondition(name, kind string, value func(string) types.AttributeValue) KeyCondition {
	switch n := g.IntN(8); {
	case n == 0 && kind != "N":
		return KeyCondition{name, "begins_with", []types.AttributeValue{value(name)}}
	case n <= 1:
		low, high := value(name), value(name)
		if c, _ := order(low, high); c > 0 {
			low, high = high, low
		}
		return KeyCondition{name, "BETWEEN", []types.AttributeValue{low, high}}
	}
	return KeyCondition{name, pick(g, "=", "<", "<=", ">", ">="), []types.AttributeValue{value(name)}}
}

// startKey returns a key to start a page after: of a row, or on the table itself of one that may be missing, or an invalid one.
func (g *generator) startKey(t *table, x *Index) Item {
	key := g.key(t)
	if entries := t.entries(x); len(entries) > 0 && !(x.Name == "" && g.oneIn(3)) {
		key = only(pick(g, entries...), t.rowKey(x)...)
	}
	if g.oneIn(12) {
		key = maps.Clone(key)
		name := pick(g, slices.Sorted(maps.Keys(key))...)
		if delete(key, name); g.oneIn(2) {
			key[name] = Bool(true)
		}
	}
	return key
}

// interleave returns a read with writes between its pages.
func (g *generator) interleave() Step {
	var s Interleave
	limit := func(table string) Page {
		if t := g.model.find(table); t != nil && len(t.items) > 60 {
			return Page{Limit: 50}
		}
		return Page{Limit: 1 + g.Int32N(4)}
	}
	if g.oneIn(2) {
		q := g.query().(Query)
		q.Page = limit(q.Table)
		s.Query = &q
	} else {
		scan := g.scan().(Scan)
		scan.Page, scan.Segments = limit(scan.Table), 0
		s.Scan = &scan
	}
	for range 1 + g.IntN(6) {
		s.Writes = append(s.Writes, g.write())
	}
	return s
}

func (g *generator) scan() Step {
	name, t := g.table()
	x := g.source(t)
	s := Scan{Table: g.maybeARN(name), Index: x.Name, Page: g.page(t, x)}
	if g.oneIn(3) {
		s.Segments = 1 + g.Int32N(5)
	}
	if g.oneIn(8) {
		s.Page.After = g.startKey(t, x)
	}
	if g.oneIn(4) {
		g.makeOlder(t, x, &s.Page)
	}
	return s
}

// page returns the parameters that queries and scans share.
func (g *generator) page(t *table, x *Index) Page {
	p := Page{Project: g.projection(t), Capacity: g.detail(), Consistent: g.oneIn(3), Spoil: g.spoil(unusedName, unusedValue, undefinedValue, zeroLimit)}
	if x.Name != "" && !x.Local {
		p.Consistent = g.oneIn(50)
		if x.Project != "ALL" && !g.oneIn(10) {
			p.Project = nil
		}
	}
	if g.oneIn(2) {
		p.Limit = 1 + g.Int32N(9)
		if len(t.items) > 60 {
			p.Limit *= 20
		}
	}
	if g.oneIn(3) {
		p.Filter = g.condition(t, g.filterAttributes(t, x), 2)
	}
	switch {
	case p.Project != nil:
		p.Select = pick(g, "", types.SelectSpecificAttributes)
	case g.oneIn(3):
		p.Select = pick(g, types.SelectCount, types.SelectAllAttributes, types.SelectAllProjectedAttributes)
	}
	return p
}

// filterAttributes returns attributes for a filter: sometimes a key, which queries
// reject. A local index gives only its projected attributes; what a filter sees of other
// attributes is unknown.
func (g *generator) filterAttributes(t *table, x *Index) []string {
	all := slices.Concat(t.key(), keyAttributes, documentAttributes)
	if x.Local && x.Project != "ALL" {
		all = slices.Concat(t.rowKey(x), x.Include)
	}
	if g.oneIn(20) {
		return all
	}
	if all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(x.key(), name) }); len(all) == 0 {
		return t.key()
	}
	return all
}
