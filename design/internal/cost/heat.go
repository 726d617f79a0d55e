package cost

import (
	"cmp"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A partition is the hottest partition of a shape on one path. Loads are compared as floats
// first and added exactly only for the hottest partition of the path.
type partition struct {
	text     string
	value    string // value of the shape's states, or one that patterns state; "": any
	stated   bool   // a pattern states the value
	values   exact.Number
	bytes    exact.Number // the largest one
	loads    []load
	rcu, wcu float64
}

// A load is the load of one pattern on a partition: units per call, and calls in the busiest
// second.
type load struct {
	cost        *PatternCost
	read, write exact.Number
}

// A heatMap collects the load on the hottest partitions of every path.
type heatMap struct {
	design     *model.Design
	items      *inventory
	partitions map[resolve.Path]map[string]*partition // by shape and value
	shapes     map[*resolve.Entry]*shape
}

func newHeatMap(d *model.Design, items *inventory) *heatMap {
	return &heatMap{
		design: d, items: items,
		partitions: map[resolve.Path]map[string]*partition{},
		shapes:     map[*resolve.Entry]*shape{},
	}
}

// open prepares the partitions of a path.
func (m *heatMap) open(path resolve.Path) { m.partitions[path] = map[string]*partition{} }

func (m *heatMap) shape(e *resolve.Entry) *shape {
	s, ok := m.shapes[e]
	if !ok {
		s = newShape(m.items, e)
		m.shapes[e] = s
	}
	return s
}

// partitionOf returns the partition of an entry on the path whose capacity it uses: that of a
// value, or the hottest one if value is "".
func (m *heatMap) partitionOf(e *resolve.Entry, value string) *partition {
	path := capacityPath(e.Path)
	byShape := m.partitions[path]
	if byShape == nil {
		return nil
	}
	s := m.shape(e)
	key := s.text
	if value != "" {
		key += "\x00" + value
	}
	hottest := byShape[key]
	if hottest == nil {
		hottest = &partition{text: s.text, value: value}
		byShape[key] = hottest
	}
	return hottest
}

// grow adds the bytes of an entity to the largest partition of its shape. The account is that
// of the entry's path, or nil.
func (m *heatMap) grow(e *resolve.Entry, account *PathCost) {
	if hottest := m.partitionOf(e, ""); hottest != nil {
		s := m.shape(e)
		hottest.values = hottest.values.Max(s.values)
		bytes := s.largest.Times(m.items.size(e).Avg)
		if e.Path == capacityPath(e.Path) {
			hottest.bytes = hottest.bytes.Add(bytes)
		}
		if account != nil && account.Path.Index != nil && account.Path.Index.Local {
			account.Heat.Bytes = account.Heat.Bytes.Max(bytes)
		}
	}
}

func (t *partition) add(c *PatternCost, read, write exact.Number) {
	t.loads = append(t.loads, load{c, read, write})
	if !read.IsZero() {
		t.rcu += c.peak * read.Float64()
	}
	if !write.IsZero() {
		t.wcu += c.peak * write.Float64()
	}
}

func (t *partition) weight() float64 { return weigh(t.rcu, t.wcu) }

func weigh(rcu, wcu float64) float64 { return max(rcu/PartitionRCU, wcu/PartitionWCU) }

// contenders returns the patterns that load the partition, hottest first, and their total.
// Patterns are priced in sequence, so the loads of one pattern are adjacent.
func (t *partition) contenders() (list []Contender, rcu, wcu exact.Number) {
	for i := 0; i < len(t.loads); {
		c, read, write := t.loads[i].cost, exact.Zero, exact.Zero
		for ; i < len(t.loads) && t.loads[i].cost == c; i++ {
			read, write = read.Add(t.loads[i].read), write.Add(t.loads[i].write)
		}
		contender := Contender{Pattern: c.Pattern, RCU: read.Mul(c.Peak), WCU: write.Mul(c.Peak)}
		rcu, wcu = rcu.Add(contender.RCU), wcu.Add(contender.WCU)
		list = append(list, contender)
	}
	return ranked(list), rcu, wcu
}

// Utilisation returns the load as a share of a partition's limit: the larger of reads and
// writes, which have separate limits.
func (h Heat) Utilisation() exact.Number {
	return h.RCU.Over(PartitionRCU).Max(h.WCU.Over(PartitionWCU))
}

// settle sets the heat of every path to that of its hottest partition.
func (m *heatMap) settle(tables []*TableCost) {
	for _, table := range tables {
		locals := exact.Zero
		for _, path := range table.Paths {
			settlePath(path, m.partitions[path.Path])
			if path.Path.Index != nil && path.Path.Index.Local {
				locals = locals.Add(path.Heat.Bytes)
			}
		}
		if slices.ContainsFunc(table.Table.Indexes, func(x *model.Index) bool { return x.Local }) {
			table.Paths[0].Heat.Collection = table.Paths[0].Heat.Bytes.Add(locals)
		}
	}
}

// settlePath sets the heat of a path to that of the hottest of its partitions, and lists those
// above half of their limits.
func settlePath(path *PathCost, byShape map[string]*partition) {
	all := make([]*partition, 0, len(byShape))
	for _, text := range sortedKeys(byShape) {
		path.Heat.Bytes = path.Heat.Bytes.Max(byShape[text].bytes)
		all = append(all, byShape[text])
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b *partition) int { return cmp.Compare(b.weight(), a.weight()) })
	bytes := path.Heat.Bytes
	path.Heat = all[0].heat(byShape)
	path.Heat.Bytes = bytes
	alike := map[string]bool{} // keys of which no value stands out
	for _, t := range all {
		if t.weight() <= 0.5 {
			break
		}
		if alike[t.text] && !t.stated && t.value != "" {
			continue
		}
		h := t.heat(byShape)
		alike[t.text] = alike[t.text] || h.Value == "" && t.value != ""
		path.Hot = append(path.Hot, h)
	}
}

// heat returns the load on the partition.
func (t *partition) heat(byShape map[string]*partition) Heat {
	h := Heat{Key: t.text, Values: t.values}
	if whole := byShape[t.text]; whole != nil {
		h.Values = whole.values
	}
	if t.stated || standsOut(t, byShape) {
		h.Value = t.value
	}
	h.Contenders, h.RCU, h.WCU = t.contenders()
	return h
}

// standsOut reports whether no other value of its key has the same load as a partition.
func standsOut(of *partition, byShape map[string]*partition) bool {
	for _, t := range byShape {
		if t != of && t.text == of.text && t.weight() == of.weight() {
			return false
		}
	}
	return true
}

// ranked returns the contenders with a load, hottest first. It compares floats, which is a
// hundred times faster.
func ranked(all []Contender) []Contender {
	type weighed struct {
		Contender
		weight float64
	}
	list := make([]weighed, 0, len(all))
	for _, c := range all {
		if weight := weigh(c.RCU.Float64(), c.WCU.Float64()); weight > 0 {
			list = append(list, weighed{c, weight})
		}
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	sorted := make([]Contender, len(list))
	for i, w := range list {
		sorted[i] = w.Contender
	}
	return sorted
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
