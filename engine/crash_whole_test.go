package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/rowformat"
)

// checkWhole checks that everything the engine derives from items agrees with them: indexes,
// expiries, counts and streams; and that nothing is left of what was dropped.
func (c *check) checkWhole(p snapshot) {
	rows := map[rowformat.Path]int{} // wanted, by path
	for _, t := range c.db.api.ops.catalog.Tables() {
		items := p[t.Name()]
		rows[t.Path] = len(items)
		for _, x := range t.Indexes {
			want := entries(indexRules[x.Name], items)
			rows[x.Path] = len(want)
			if problem := differs(want, c.scan(t.Name(), x.Name)); problem != "" {
				c.fail("index %s: %s", x.Name, problem)
			}
		}
		if t.Expiry != nil {
			rows[t.Expiry.Path] = expiring(items)
		}
		if c.failed {
			continue
		}
		if problem := eventually(func() string { return miscounted(t, rows) }); problem != "" {
			c.fail("%s", problem)
		}
	}
	c.checkRows(rows)
	c.checkStreams(p)
}

// entries returns the entries that an index must hold.
func entries(r indexRule, items map[itemID]string) map[itemID]string {
	names := append([]string{"pk", "sk"}, append(r.key, r.projected...)...)
	slices.Sort(names)
	names = slices.Compact(names)
	want := map[itemID]string{}
	for id, item := range items {
		fits := true
		for _, name := range r.key {
			fits = fits && dynamo.Item(item).Get(name).Kind().String() == string(attributeKinds[name])
		}
		switch {
		case fits && r.all:
			want[id] = item
		case fits:
			want[id] = string(dynamo.Item(item).Only(names))
		}
	}
	return want
}

// expiring counts the items with an expiry time.
func expiring(items map[itemID]string) (n int) {
	for _, item := range items {
		if _, has := numberOf(item, "until"); has {
			n++
		}
	}
	return n
}

// miscounted says which counter of a table is wrong.
func miscounted(t *catalog.Table, rows map[rowformat.Path]int) string {
	if got, _ := t.Counter.Sum(); int(got) != rows[t.Path] {
		return fmt.Sprintf("table %s counts %d items, it has %d", t.Name(), got, rows[t.Path])
	}
	for _, x := range t.Indexes {
		if got, _ := x.Counter.Sum(); int(got) != rows[x.Path] {
			return fmt.Sprintf("index %s of table %s counts %d items, it has %d", x.Name, t.Name(), got, rows[x.Path])
		}
	}
	return ""
}

// checkRows counts the rows of the store and finds rows that belong to nothing.
func (c *check) checkRows(want map[rowformat.Path]int) {
	got := map[rowformat.Path]int{}
	err := c.db.store.View(context.Background(), kv.Latest, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(key, _ []byte) bool {
			switch name := string(key[1:]); key[0] {
			case 1:
				if strings.HasPrefix(name, "drop/") || strings.HasPrefix(name, "build/") {
					c.fail("there is a catalog row %s", name)
				}
			case 2:
				got[rowformat.Path{Table: binary.BigEndian.Uint32(key[1:]), Index: binary.BigEndian.Uint16(key[5:])}]++
			}
			return true
		})
	})
	if err != nil {
		c.fail("read all rows: %v", err)
	}
	maps.DeleteFunc(want, func(_ rowformat.Path, n int) bool { return n == 0 })
	if !maps.Equal(got, want) {
		c.fail("rows by path: %v, want %v", got, want)
	}
}

// checkStreams replays all streams.
func (c *check) checkStreams(p snapshot) {
	for _, s := range c.db.api.ops.catalog.Streams() {
		r := &replay{check: c, stream: s, items: map[itemID]string{}}
		for _, shard := range s.Shards {
			r.readShard(shard)
		}
		t := c.db.api.ops.catalog.Lookup(s.Table)
		if t == nil || t.Stream != s {
			if s.Disabled == nil {
				c.fail("stream %s is open, but not of its table", s.ARN)
			}
			continue
		}
		r.compare(p[s.Table])
	}
}

// A replay applies the records of a stream.
type replay struct {
	*check
	stream *catalog.Stream
	items  map[itemID]string // empty: removed
}

func (r *replay) readShard(shard catalog.Shard) {
	next, ended := uint64(1), false
	if shard.Trimmed > 0 {
		next = r.firstOf(shard)
	}
	err := r.db.store.ReadLog(context.Background(), shard.Log, 1, func(seq uint64, record []byte) bool {
		change, err := rowformat.ParseChange(record)
		switch {
		case err != nil:
			r.fail("record %d of shard %d: %v", seq, shard.Log, err)
		case seq != next && !(seq > next && r.sync == pebblekv.Relaxed) || ended: // only a relaxed store leaves gaps
			r.fail("shard %d: record %d, want %d; ended: %v", shard.Log, seq, next, ended)
		case change.Kind == rowformat.ShardEnd:
			ended = true
		default:
			r.apply(&change)
		}
		next = seq + 1
		return true
	})
	if err != nil {
		r.fail("read shard %d: %v", shard.Log, err)
	}
	forgotten := shard.Closed != nil && r.now.Sub(*shard.Closed) >= 24*time.Hour // or will be soon
	if ended != (shard.Closed != nil) && !forgotten {
		r.fail("shard %d of %s: closed %v, mark of its end: %v", shard.Log, r.stream.ARN, shard.Closed, ended)
	}
}

// firstOf returns the first sequence number in the log of a shard, which may be trimmed soon.
func (r *replay) firstOf(shard catalog.Shard) (first uint64) {
	err := r.db.store.ReadLog(context.Background(), shard.Log, 1, func(seq uint64, _ []byte) bool {
		first = seq
		return false
	})
	if err != nil || first > shard.Trimmed+1 {
		r.fail("shard %d is trimmed up to %d, its first record is %d, error %v", shard.Log, shard.Trimmed, first, err)
	}
	return first
}

// apply applies one change, which must continue the previous change of the same item.
func (r *replay) apply(change *rowformat.Change) {
	keys := string(change.Keys)
	id := itemID{r.stream.Table, textOf(keys, "pk"), textOf(keys, "sk")}
	was, is := string(change.Old), string(change.New)
	if before, known := r.items[id]; known && before != was {
		r.fail("stream: %v went from %s, but was %s", id, showItem(was), showItem(before))
	}
	kind := rowformat.Modify
	switch {
	case was == "":
		kind = rowformat.Insert
	case is == "":
		kind = rowformat.Remove
	}
	_, mayfly := numberOf(was, "until")
	if change.Kind != kind || was == is || change.ByService != (kind == rowformat.Remove && mayfly) {
		r.fail("stream: %v went from %s to %s as kind %d, by the service: %v", id, showItem(was), showItem(is), change.Kind, change.ByService)
	}
	r.items[id] = is
}

// compare compares the table with the replay of its stream.
func (r *replay) compare(items map[itemID]string) {
	for id, is := range r.items {
		if items[id] != is {
			r.fail("stream: %v became %s, it is %s", id, showItem(is), showItem(items[id]))
		}
	}
	for id, item := range items {
		if _, recorded := r.items[id]; !recorded && r.mustKnow(id, item) {
			r.fail("stream: %v is %s, no record tells", id, showItem(item))
		}
	}
}

// mustKnow reports whether the stream must have a record of an item: it was written after the
// stream was enabled, and less than 24 hours ago.
func (r *replay) mustKnow(id itemID, item string) bool {
	i := slices.IndexFunc(r.pasts, func(a actor) bool { return a.name == id.owner() })
	op, has := numberOf(item, "op")
	if i < 0 || !has || id.owner() == "stock" {
		return false
	}
	if r.now.Sub(r.pasts[i].steps[op].at) >= 24*time.Hour {
		return false
	}
	admin := r.pasts[0]
	for n := len(admin.steps) - 1; n >= 0; n-- {
		if admin.steps[n].what == "stream true of "+id.table {
			return n < len(admin.fences) && op >= admin.fences[n][i]
		}
	}
	return true // the stream is as old as the table
}
