package cost

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// The assumed share of the hottest key if a pattern does not state hot. Load is never
// uniform, so even among a million keys one is assumed to take a thousandth. Under a larger scale
// they are smaller: there are more keys.
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

// newShape describes the partition key of an entry.
func newShape(items *inventory, e *resolve.Entry) *shape {
	entity := e.Item.Entity
	k := keyValues{entity: entity, few: 1, unknownHot: items.options.shrunk(UnknownHot), leastHot: items.options.shrunk(LeastHot)}
	s := &shape{shards: k.seeKeys(e.PK), text: KeyText(e.PK)}
	s.single = len(entity.ID) > 0 && containsAll(k.whole, entity.ID)
	s.values, s.hot, s.largest = k.result(items.count(entity), e.When(), s.single)
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
	entity  *model.Entity
	holes   int
	times   int                // number of placeholders that are the time of the write
	states  []*model.Attribute // placeholders that are enums and flags
	few     int64              // product of the numbers of their values
	whole   []*model.Attribute // placeholders that contain the attribute's whole value
	per     *model.Per         // of the placeholder with the fewest items per value
	buckets bool               // a placeholder is a day, month or hour: all current writes go to one value
	unknown bool

	unknownHot, leastHot exact.Number // under the workload
}

// seeKeys collects the values of all parts of a partition key and returns the number of
// shards of each value.
func (k *keyValues) seeKeys(keys []*model.Key) (shards int64) {
	shards = 1
	for _, key := range keys {
		for _, part := range key.Parts() {
			if !part.IsHole() {
				continue
			}
			if f, ok := part.Filter(model.Shard); ok {
				shards *= int64(max(f.N, 1))
				continue
			}
			k.see(part)
		}
	}
	return shards
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

func isBucket(part model.Part) bool { return part.Period() != "" }

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
// number of items in the largest partition. The key contains the stored items that meet when.
func (k *keyValues) result(stored exact.Number, when []*model.Condition, single bool) (values, hot, largest exact.Number) {
	part, _ := share(k.entity, when)
	stored = stored.Mul(part)
	switch {
	case single && stored.IsZero():
		return exact.Zero, k.unknownHot, exact.One
	case single:
		return stored, k.floorHot(stored), exact.One
	case k.holes == 0:
		return exact.One, exact.One, stored
	case k.per != nil:
		values, _ = stored.Div(k.per.Avg)
		values = values.Ceil().Max(exact.One)
		hot, known := k.per.Max.Div(stored)
		if !known {
			hot = k.unknownHot
		}
		return values, hot.Max(k.leastHot).Min(exact.One), k.per.Max
	case k.unknown:
		return exact.Zero, k.unknownHot, exact.Zero
	case k.buckets:
		return exact.Zero, exact.Ratio(1, k.few), exact.Zero
	}
	return exact.Int(k.few), exact.Ratio(1, k.few), stored.Over(k.few)
}

// floorHot returns an even share of the load, but at least leastHot.
func (k *keyValues) floorHot(values exact.Number) exact.Number {
	even, ok := exact.One.Div(values)
	if !ok {
		return k.unknownHot
	}
	return even.Max(k.leastHot).Min(exact.One)
}
