package oracle

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
)

// A Model is the expected state of the database.
type Model struct {
	tables  map[string]*table
	streams []*stream // including removed ones
	tokens  map[string]token
	now     time.Time
}

// start is the start time of the clock of every sequence.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newModel() *Model {
	return &Model{tables: map[string]*table{}, tokens: map[string]token{}, now: start}
}

// names returns the names of the tables, sorted.
func (m *Model) names() []string { return slices.Sorted(maps.Keys(m.tables)) }

// arn is the prefix of table ARNs. Data operations accept an ARN as the name.
const arn = "arn:aws:dynamodb:us-east-1:123456789012:table/"

// find returns a table by its name or its ARN.
func (m *Model) find(name string) *table { return m.tables[strings.TrimPrefix(name, arn)] }

// write replaces an item, or deletes it when next is nil. It returns the
// cost, and the size of the larger of the items before and after. It applies all
// consequences of a change.
func (m *Model) write(t *table, key, next Item, byService bool) (cost bill, size int) {
	id := t.id(key)
	old := t.items[id]
	size = max(itemSize(old), itemSize(next))
	cost.table = writeUnits(size)
	if equalItems(old, next) {
		return cost, size
	}
	for i := range t.indexes {
		if units := t.indexUnits(&t.indexes[i], old, next); units > 0 {
			cost.index(&t.indexes[i], units)
		}
	}
	if next == nil {
		delete(t.items, id)
	} else {
		t.items[id] = next
	}
	if t.stream != nil {
		t.stream.changes = append(t.stream.changes, streamChange{at: m.now, key: canonicalItem(only(key, t.key()...)), old: old, next: next, byService: byService})
	}
	return cost, size
}

// indexUnits returns the cost of a change on one index.
func (t *table) indexUnits(x *Index, old, next Item) float64 {
	before, after := t.entry(x, old), t.entry(x, next)
	switch {
	case before == nil && after == nil, equalItems(before, after):
		return 0
	case before == nil:
		return writeUnits(itemSize(after))
	case after == nil:
		return writeUnits(itemSize(before))
	case !equalItems(only(before, x.key()...), only(after, x.key()...)):
		return writeUnits(itemSize(before)) + writeUnits(itemSize(after))
	}
	return writeUnits(max(itemSize(before), itemSize(after)))
}

// An expiry is an item that expired.
type expiry struct {
	table string
	key   Item
}

// expire deletes the due items.
func (m *Model) expire() (gone []expiry) {
	for _, name := range m.names() {
		t := m.tables[name]
		if t.ttl == "" {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(t.items)) {
			it := t.items[id]
			if kind(it[t.ttl]) == "N" && m.expired(text(it[t.ttl])) {
				key := only(it, t.key()...)
				m.write(t, key, nil, true)
				gone = append(gone, expiry{name, key})
			}
		}
	}
	return gone
}

// expired reports whether a time has passed, in whole seconds, but not so long ago that it counts as a mistake.
func (m *Model) expired(seconds string) bool {
	whole, _, _ := strings.Cut(seconds, ".")
	at := rat(whole)
	now := new(big.Rat).SetInt64(m.now.Unix())
	longAgo := new(big.Rat).SetInt64(m.now.Unix() - 5*365*24*60*60)
	return at.Cmp(now) < 0 && at.Cmp(longAgo) >= 0
}
