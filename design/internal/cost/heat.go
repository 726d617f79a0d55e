package cost

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// The assumed share of the hottest key if a pattern does not state hot. Load is never
// uniform, so even among a million keys one is assumed to take a thousandth.
var (
	UnknownHot = exact.Ratio(1, 100)  // if the number of keys is unknown
	LeastHot   = exact.Ratio(1, 1000) // for any number of keys
)

// A shape describes the partition key of an entry for the heat estimate.
type shape struct {
	text    string       // CHAT#{chatId}: entries with the same text share partitions
	values  exact.Number // number of partition key values; 0: unknown
	hot     exact.Number // share of the load on the hottest value, all shards together
	shards  int64        // number of partitions of one value
	single  bool         // each value has one item of the entity
	largest exact.Number // items of the entity in the largest partition; 0: unknown
	// states lists the enums and flags of a key that otherwise contains only times and
	// shards: current writes go to the values of these attributes.
	states []*model.Attribute
	now    bool         // the key contains a time, so all new items go to one value of it
	newest exact.Number // with now: share of new items on one value
	even   bool         // with states: no per gives more information
}

// A partition is the hottest partition of a shape on one path. Loads are compared as floats
// first and added exactly only for the hottest partition of the path.
type partition struct {
	text     string
	value    string // value of the shape's states, "" if it has none
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

func (p *pricer) shape(e *resolve.Entry) *shape {
	s, ok := p.shapes[e]
	if !ok {
		s = p.newShape(e)
		p.shapes[e] = s
	}
	return s
}

func (p *pricer) newShape(e *resolve.Entry) *shape {
	entity := e.Item.Entity
	s := &shape{shards: 1, text: KeyText(e.PK)}
	k := keyValues{pricer: p, entity: entity, few: 1}
	for _, key := range e.PK {
		for _, part := range key.Parts() {
			if !part.IsHole() {
				continue
			}
			if f, ok := part.Filter(model.Shard); ok {
				s.shards *= int64(max(f.N, 1))
				continue
			}
			k.see(part)
		}
	}
	s.single = len(entity.ID) > 0 && containsAll(k.whole, entity.ID)
	s.values, s.hot, s.largest = k.result(e, s.single)
	if k.few <= mostValues && k.holes == len(k.states)+k.times {
		s.now, s.newest, s.even = k.times > 0, exact.Ratio(1, k.few), k.per == nil && !k.unknown
		if !s.single {
			s.states = k.states
		}
	}
	if s.shards > 1 {
		s.values, s.largest = s.values.Times(s.shards), s.largest.Over(s.shards)
	}
	return s
}

// KeyText returns a partition key in the form of Heat.Key.
func KeyText(keys []*model.Key) string {
	var b strings.Builder
	for i, key := range keys {
		if i > 0 {
			b.WriteString(" + ")
		}
		if key.Template != nil {
			b.WriteString(key.Template.Text)
		} else {
			b.WriteString("{" + key.Name + "}")
		}
	}
	return b.String()
}

// keyValues collects what is known about the values of a partition key.
type keyValues struct {
	pricer  *pricer
	entity  *model.Entity
	holes   int
	times   int                // number of placeholders that are the time of the write
	states  []*model.Attribute // placeholders that are enums and flags
	few     int64              // product of the numbers of their values
	whole   []*model.Attribute // placeholders that contain the attribute's whole value
	per     *model.Per         // of the placeholder with the fewest items per value
	buckets bool               // a placeholder is a day, month or hour: all current writes go to one value
	unknown bool
}

func (k *keyValues) see(part model.Part) {
	k.holes++
	a := part.Attribute
	if isTime(part) && isOfNow(k.entity, a) {
		k.times++
	}
	switch {
	case isBucket(part):
		k.buckets = true
		return
	case possible(a.Type) > 0:
		k.few *= possible(a.Type)
		k.states = append(k.states, a)
		k.whole = append(k.whole, a)
		return
	}
	if _, cut := part.Filter(model.Prefix); cut {
		k.unknown = true
		return
	}
	k.whole = append(k.whole, a)
	switch per := k.entity.PerOf(a); {
	case per == nil:
		k.unknown = true
	case k.per == nil || per.Max.Less(k.per.Max):
		k.per = per
	}
}

func isBucket(part model.Part) bool {
	return slices.ContainsFunc(part.Filters, func(f model.Filter) bool {
		return f.Name == model.ByDate || f.Name == model.ByMon || f.Name == model.ByHour
	})
}

// isTime reports whether a placeholder is a period of time: a day, a week, a month.
func isTime(part model.Part) bool {
	base := part.Attribute.Type.Base
	return isBucket(part) || base == model.Date || base == model.Week
}

// notNow lists words in the names of times that are not the time of the write.
var notNow = []string{"birth", "due", "deadline", "expir", "valid", "schedul", "appointment", "booking", "departure", "arrival", "check", "delivery", "target"}

// isOfNow reports whether new items most likely have the current time in an attribute.
func isOfNow(entity *model.Entity, a *model.Attribute) bool {
	name := strings.ToLower(a.Name)
	return a != entity.Deadline && a != entity.TTL &&
		!slices.ContainsFunc(notNow, func(word string) bool { return strings.Contains(name, word) })
}

// result returns the number of values of the key, the share of the hottest value and the
// number of items in the largest partition.
func (k *keyValues) result(e *resolve.Entry, single bool) (values, hot, largest exact.Number) {
	stored := k.pricer.count(k.entity)
	part, _ := share(k.entity, e.When())
	stored = stored.Mul(part)
	switch {
	case single && stored.IsZero():
		return exact.Zero, UnknownHot, exact.One
	case single:
		return stored, floorHot(stored), exact.One
	case k.holes == 0:
		return exact.One, exact.One, stored
	case k.per != nil:
		values, _ = stored.Div(k.per.Avg)
		values = values.Ceil().Max(exact.One)
		hot, known := k.per.Max.Div(stored)
		if !known {
			hot = UnknownHot
		}
		return values, hot.Max(LeastHot).Min(exact.One), k.per.Max
	case k.unknown:
		return exact.Zero, UnknownHot, exact.Zero
	case k.buckets:
		return exact.Zero, exact.Ratio(1, k.few), exact.Zero
	}
	return exact.Int(k.few), exact.Ratio(1, k.few), stored.Over(k.few)
}

// floorHot returns an even share of the load, but at least LeastHot.
func floorHot(values exact.Number) exact.Number {
	even, ok := exact.One.Div(values)
	if !ok {
		return UnknownHot
	}
	return even.Max(LeastHot).Min(exact.One)
}

// partitionOf returns the partition of an entry on the path whose capacity it uses; for a shape
// with states, the partition of one of their values.
func (p *pricer) partitionOf(e *resolve.Entry, value string) *partition {
	path := capacityPath(e.Path)
	byShape := p.partitions[path]
	if byShape == nil {
		return nil
	}
	s := p.shape(e)
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

// grow adds the bytes of an entity to the largest partition of its shape.
func (p *pricer) grow(e *resolve.Entry) {
	if hottest := p.partitionOf(e, ""); hottest != nil {
		s := p.shape(e)
		hottest.values = hottest.values.Max(s.values)
		bytes := s.largest.Times(p.size(e).Avg)
		if e.Path == capacityPath(e.Path) {
			hottest.bytes = hottest.bytes.Add(bytes)
		}
		if account := p.paths[e.Path]; account != nil && account.Path.Index != nil && account.Path.Index.Local {
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

// settleHeat sets the heat of every path to that of its hottest partition.
func (p *pricer) settleHeat(tables []*TableCost) {
	for _, table := range tables {
		locals := exact.Zero
		for _, path := range table.Paths {
			byShape := p.partitions[path.Path]
			p.settlePath(path, byShape)
			if path.Path.Index != nil && path.Path.Index.Local {
				locals = locals.Add(path.Heat.Bytes)
			}
		}
		if slices.ContainsFunc(table.Table.Indexes, func(x *model.Index) bool { return x.Local }) {
			table.Paths[0].Heat.Collection = table.Paths[0].Heat.Bytes.Add(locals)
		}
	}
}

func (p *pricer) settlePath(path *PathCost, byShape map[string]*partition) {
	var hottest *partition
	for _, text := range sortedKeys(byShape) {
		t := byShape[text]
		path.Heat.Bytes = path.Heat.Bytes.Max(t.bytes)
		if hottest == nil || hottest.weight() < t.weight() {
			hottest = t
		}
	}
	if hottest == nil {
		return
	}
	h := &path.Heat
	h.Key, h.Values = hottest.text, hottest.values
	if whole := byShape[hottest.text]; whole != nil {
		h.Values = whole.values
	}
	if standsOut(hottest, byShape) {
		h.Value = hottest.value
	}
	h.Contenders, h.RCU, h.WCU = hottest.contenders()
}

// standsOut reports whether one value of a key is hotter than all its other values.
func standsOut(hottest *partition, byShape map[string]*partition) bool {
	for _, t := range byShape {
		if t != hottest && t.text == hottest.text && !(t.weight() < hottest.weight()) {
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
