package oracle

import (
	"math/rand/v2"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Generate returns a sequence of random steps, always the same for a seed. They fit
// together, because the generator plays them on its own model. Keys come from
// small pools, so that they repeat, and some requests are invalid.
func Generate(seed uint64, length int) []Step {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), model: newModel(), rarelyLarge: 200}
	switch g.IntN(4) {
	case 0:
		g.rarelyLarge = 2 // so that pages end at their size
	case 1:
		g.bulk = 5
	}
	steps := []Step{g.createTable("tab0"), g.createTable("tab1")}
	for _, s := range steps {
		g.follow(s)
	}
	for len(steps) < length {
		s := g.step()
		g.follow(s)
		steps = append(steps, s)
	}
	return append(steps, Restart{}, Compare{}, ReadStreams{})
}

// A generator generates steps that suit its model.
type generator struct {
	*rand.Rand
	model       *Model
	tokens      []TransactWriteItems // that were sent with a token
	advanced    int                  // seconds
	rarelyLarge int                  // one in this many items is large
	bulk        int                  // frequency of Bulk steps
	careful     bool                 // values of index keys suit
	then        []func() Step        // the next steps
}

// follow plays a step on the model.
func (g *generator) follow(s Step) {
	s.expect(g.model)
	g.model.expire()
}

// A choice is an action and its relative frequency.
type choice struct {
	weight int
	make   func() Step
}

func (g *generator) step() Step {
	if len(g.then) > 0 {
		next := g.then[0]
		g.then = g.then[1:]
		return next()
	}
	if len(g.model.tables) < 2 && g.oneIn(4) {
		return g.createTable(pick(g, tableNames...))
	}
	return g.choose([]choice{
		{150, g.putItem},
		{200, g.updateItem},
		{40, g.deleteItem},
		{30, g.getItem},
		{30, g.batchGetItem},
		{40, g.batchWriteItem},
		{80, g.transactWriteItems},
		{20, g.transactGetItems},
		{60, g.statement},
		{90, g.query},
		{45, g.scan},
		{20, g.interleave},
		{g.bulk, g.manyItems},
		{20, func() Step { return DescribeTable{g.tableName()} }},
		{5, func() Step { return SetProtection{g.tableName(), g.oneIn(3)} }},
		{5, func() Step { return SetTag{g.tableName(), pick(g, "k1", "k2"), pick(g, "", "v1", "v2")} }},
		{4, func() Step { return g.createTable(pick(g, tableNames...)) }},
		{2, func() Step { return DeleteTable{g.tableName()} }},
		{8, g.addIndex},
		{5, g.dropIndex},
		{8, g.setStream},
		{8, g.setExpiry},
		{10, g.advance},
		{4, func() Step { return Restart{Crash: g.oneIn(2)} }},
		{5, func() Step { return Compare{} }},
		{4, func() Step { return ReadStreams{Limit: pick[int32](g, 0, 1, 7)} }},
	})
}

func (g *generator) choose(choices []choice) Step {
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	n := g.IntN(total)
	for _, c := range choices {
		if n -= c.weight; n < 0 {
			return c.make()
		}
	}
	return Compare{}
}

// oneIn returns true once in n times.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// pick returns one of several values.
func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

var tableNames = []string{"tab0", "tab1", "tab2"}

// tableName returns a name that is mostly that of an existing table.
func (g *generator) tableName() string {
	if names := g.model.names(); len(names) > 0 && !g.oneIn(60) {
		return pick(g, names...)
	}
	absent := []string{"missing"}
	for _, name := range tableNames {
		if g.model.tables[name] == nil {
			absent = append(absent, name)
		}
	}
	return pick(g, absent...)
}

// table returns a table for a step, and its name. If there is none, the step
// is generated for one that might exist.
func (g *generator) table() (string, *table) {
	name := g.tableName()
	if t := g.model.tables[name]; t != nil {
		return name, t
	}
	return name, &table{name: name, hash: "p", types: map[string]string{"p": "S"}}
}

// maybeARN returns name itself or, sometimes, an ARN.
func (g *generator) maybeARN(name string) string {
	if g.oneIn(60) {
		return arn + name
	}
	return name
}

func (g *generator) detail() types.ReturnConsumedCapacity {
	return pick(g, "", "", types.ReturnConsumedCapacityNone, types.ReturnConsumedCapacityTotal, types.ReturnConsumedCapacityIndexes)
}

// spoil returns one of the ways to spoil a request, mostly none.
func (g *generator) spoil(ways ...string) string {
	if g.oneIn(40) {
		return pick(g, ways...)
	}
	return ""
}

// retention is the retention period of streams. Sequences stay well below it.
const retention = 24 * 60 * 60

func (g *generator) advance() Step {
	s := Advance{pick(g, 1, 30, 100, 300, 601, 3600)}
	if g.advanced+s.Seconds > retention*3/4 {
		return Compare{}
	}
	g.advanced += s.Seconds
	if len(g.tokens) > 0 && g.oneIn(2) {
		g.then = append(g.then, g.replay)
	}
	return s
}

// manyItems puts many items and mostly uses all of them afterwards.
func (g *generator) manyItems() Step {
	s := Bulk{Table: g.tableName(), Items: pick(g, 30, 260, 260, 600), Seconds: pick(g, 0, 50)}
	switch g.IntN(4) {
	case 0:
		g.then = append(g.then, g.addIndex)
	case 1:
		g.then = append(g.then, func() Step { return SetExpiry{Table: s.Table, Attribute: "t", On: true} }, g.advance)
	case 2:
		g.then = append(g.then, g.query, g.scan)
	}
	return s
}

// keyTypes maps the attributes that may be keys of indexes to their types.
var keyTypes = map[string]string{"a": "S", "b": "N", "c": "B", "d": "S", "e": "N"}

var keyAttributes = []string{"a", "b", "c", "d", "e"}

func (g *generator) createTable(name string) CreateTable {
	s := CreateTable{Table: name, Hash: "p", Types: map[string]string{"p": pick(g, "S", "N", "B")}}
	if !g.oneIn(4) {
		s.Sort, s.Types["s"] = "s", pick(g, "S", "N", "B")
	}
	if !g.oneIn(3) {
		s.View = g.view()
	}
	for i := range g.IntN(4) {
		x := g.globalIndex(s.Sort != "")
		if s.Sort != "" && g.oneIn(2) {
			x = g.localIndex()
		}
		x.Name = indexNames[i]
		s.Indexes = append(s.Indexes, x)
		for _, name := range x.key() {
			if s.Types[name] == "" {
				s.Types[name] = keyTypes[name]
			}
		}
	}
	return s
}

var indexNames = []string{"ix3", "ix1", "ix2", "ix0"}

func (g *generator) view() types.StreamViewType {
	return pick(g, types.StreamViewTypeNewAndOldImages, types.StreamViewTypeNewAndOldImages, types.StreamViewTypeNewImage, types.StreamViewTypeOldImage, types.StreamViewTypeKeysOnly)
}

// globalIndex returns an index with one or several attributes in each part of its key.
func (g *generator) globalIndex(sorted bool) Index {
	attributes := append([]string{"p"}, keyAttributes...)
	if sorted {
		attributes = append(attributes, "s")
	}
	g.Shuffle(len(attributes), func(i, j int) { attributes[i], attributes[j] = attributes[j], attributes[i] })
	hash, sort := 1, g.IntN(2)
	if g.oneIn(3) {
		hash, sort = 1+g.IntN(3), g.IntN(4)
	}
	x := Index{Hash: attributes[:hash:hash], Project: pick(g, "ALL", "KEYS_ONLY", "INCLUDE")}
	if sort > 0 {
		x.Sort = attributes[hash : hash+sort]
	}
	g.include(&x)
	return x
}

func (g *generator) localIndex() Index {
	x := Index{Local: true, Hash: []string{"p"}, Sort: []string{pick(g, keyAttributes...)}, Project: pick(g, "ALL", "KEYS_ONLY", "INCLUDE")}
	g.include(&x)
	return x
}

func (g *generator) include(x *Index) {
	if x.Project == "INCLUDE" {
		x.Include = pick(g, []string{"n"}, []string{"z", "m"}, []string{"a", "value"}, []string{"large", "n"})
		x.Include = slices.DeleteFunc(slices.Clone(x.Include), func(name string) bool { return slices.Contains(x.key(), name) })
	}
}

func (g *generator) addIndex() Step {
	name, t := g.table()
	if len(t.indexes) >= 5 {
		return g.dropIndex()
	}
	x := g.globalIndex(t.sort != "")
	x.Name = pick(g, indexNames...)
	s := AddIndex{Table: name, Index: x, Types: map[string]string{}}
	for _, name := range x.key() {
		if s.Types[name] = t.types[name]; s.Types[name] == "" {
			s.Types[name] = keyTypes[name]
		}
	}
	g.meanwhile(&s, t)
	return s
}

// meanwhile adds steps that run while an index is built. Values that do not suit the
// index are accepted until it is complete, which happens at an unknown time.
func (g *generator) meanwhile(s *AddIndex, t *table) {
	future := &table{hash: t.hash, sort: t.sort, types: s.Types, indexes: []Index{s.Index}}
	for _, it := range t.items {
		if future.indexComplaint(it, nil) != nil {
			return
		}
	}
	g.careful = true
	defer func() { g.careful = false }()
	for range g.IntN(6) {
		s.Meanwhile = append(s.Meanwhile, g.write())
	}
	if g.oneIn(3) {
		s.Restart = &Restart{Crash: g.oneIn(2)}
	}
}

// write returns a write that does not request its cost.
func (g *generator) write() Step {
	switch s := g.choose([]choice{{4, g.putItem}, {4, g.updateItem}, {2, g.deleteItem}, {2, g.batchWriteItem}, {2, g.transactWriteItems}}).(type) {
	case PutItem:
		s.Capacity = ""
		return s
	case UpdateItem:
		s.Capacity = ""
		return s
	case DeleteItem:
		s.Capacity = ""
		return s
	case BatchWriteItem:
		s.Capacity = ""
		return s
	case TransactWriteItems:
		s.Capacity = ""
		return s
	default:
		return s
	}
}

func (g *generator) dropIndex() Step {
	name, t := g.table()
	if len(t.indexes) > 0 && !g.oneIn(5) {
		return DropIndex{name, pick(g, t.indexes...).Name}
	}
	return DropIndex{name, "missing"}
}

func (g *generator) setStream() Step {
	name, t := g.table()
	if (t.stream == nil) != g.oneIn(6) {
		return SetStream{name, g.view()}
	}
	return SetStream{Table: name}
}

func (g *generator) setExpiry() Step {
	name, t := g.table()
	attribute := "t"
	if g.oneIn(6) {
		attribute = pick(g, "n", "e")
	}
	return SetExpiry{Table: name, Attribute: attribute, On: (t.ttl == "") != g.oneIn(6)}
}
