package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/request"
)

// An account checks that records are complete and in order.
type account struct {
	t       *testing.T
	last    map[string]int    // last version of an item
	numbers map[string]string // sequence number of an item's last record
	events  map[string]bool
}

func newAccount(t *testing.T) *account {
	return &account{t, map[string]int{}, map[string]string{}, map[string]bool{}}
}

// add adds a record, which must be the next of its item.
func (a *account) add(r *dynamo.Record) {
	a.t.Helper()
	id := string(r.Keys.Get("id").Bytes())
	v, err := strconv.Atoi(string(r.NewImage.Get("v").Bytes()))
	if err != nil || v != a.last[id]+1 {
		a.t.Errorf("%s has version %d after %d: %v", id, v, a.last[id], err)
	}
	if r.SequenceNumber <= a.numbers[id] {
		a.t.Errorf("version %d of %s has the number %s, the one before %s", v, id, r.SequenceNumber, a.numbers[id])
	}
	if a.events[r.EventID] {
		a.t.Errorf("%s comes twice", r.EventID)
	}
	a.last[id], a.numbers[id], a.events[r.EventID] = v, r.SequenceNumber, true
}

func (a *account) expect(items, versions int) {
	a.t.Helper()
	for id, v := range a.last {
		if v != versions {
			a.t.Errorf("%s ends with version %d, want %d", id, v, versions)
		}
	}
	if len(a.last) != items {
		a.t.Errorf("%d items, want %d", len(a.last), items)
	}
}

const (
	writers        = 4
	itemsPerWriter = 5
)

// busy writes versions of items from some goroutines while shards are
// replaced, some because they are old.
func (db *database) busy(table, arn string, first, last, old int) {
	ticks, replaced := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(replaced)
		db.replaceShards(arn, old, ticks)
	}()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for v := first; v <= last; v++ {
				db.writeVersion(table, w, v)
				if w == 0 {
					ticks <- struct{}{}
				}
			}
		})
	}
	all.Wait()
	close(ticks)
	<-replaced
}

// writeVersion writes a version of each item of a writer.
func (db *database) writeVersion(table string, writer, v int) {
	for i := range itemsPerWriter {
		id := fmt.Sprintf("%d-%d", writer, i)
		if err := db.write(db.t.Context(), table, id, item(), item("id="+id, fmt.Sprintf("v=%d", v)), 1); err != nil {
			db.t.Error(err)
		}
	}
}

// replaceShards replaces a random shard with one or two at each tick, and lets some of them
// become old first.
func (db *database) replaceShards(arn string, old int, ticks <-chan struct{}) {
	for range ticks {
		if old > 0 {
			old--
			db.clock.advance(maxShardAge + time.Second)
		}
		if err := db.Maintain(db.t.Context()); err != nil {
			db.t.Error(err)
		}
		open := db.catalog.StreamByARN(arn).Open()
		shard, n := open[rand.IntN(len(open))], 1
		if len(open) < maxOpenShards && shard.First < shard.Last {
			n += rand.IntN(2)
		}
		if err := db.catalog.ReplaceShard(db.t.Context(), arn, shard.Log, n); err != nil {
			db.t.Error(err)
		}
	}
}

// eachStore runs a test in memory and on disk.
func eachStore(t *testing.T, test func(t *testing.T, db *database)) {
	t.Run("memkv", func(t *testing.T) { test(t, newDatabase(t)) })
	for name, sync := range map[string]pebblekv.SyncPolicy{"pebblekv": pebblekv.SyncEveryCommit, "pebblekv relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			store := openStore(t, t.TempDir(), sync)
			defer store.Close()
			test(t, openDatabase(t, store, newClock()))
		})
	}
}

func openStore(t *testing.T, dir string, sync pebblekv.SyncPolicy) kv.Store {
	t.Helper()
	store, err := pebblekv.Open(dir, &pebblekv.Options{Sync: sync})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestFollowSeesEachRecordOnceAndInOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, db *database) {
		const versions = 60
		arn := db.createTable("birds", dynamo.ViewNewImage)
		var all sync.WaitGroup
		for _, fromOldest := range []bool{true, false} {
			f, seen := db.follow(arn, fromOldest), newAccount(t)
			all.Go(func() {
				for record, err := range f.Records(t.Context()) {
					if err != nil {
						t.Error(err)
						return
					}
					seen.add(record)
				}
				seen.expect(writers*itemsPerWriter, versions)
			})
		}
		db.busy("birds", arn, 1, versions, 3)
		db.switchStream("birds", "")
		all.Wait()
		late := newAccount(t)
		for record, err := range db.follow(arn, true).Records(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			late.add(record)
		}
		late.expect(writers*itemsPerWriter, versions)
	})
}

// TestClientsSeeEachRecordOnceAndInOrder reads like a client: a shard from its
// beginning to its end, then its children.
func TestClientsSeeEachRecordOnceAndInOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, db *database) {
		const versions = 40
		arn := db.createTable("birds", dynamo.ViewNewImage)
		written := make(chan struct{})
		go func() {
			defer close(written)
			db.busy("birds", arn, 1, versions, 0) // else iterators become too old
			db.switchStream("birds", "")
		}()
		seen := newAccount(t)
		var shards []string
		for _, shard := range db.describe(arn).Shards {
			if shard.ParentShardId == nil {
				shards = append(shards, *shard.ShardId)
			}
		}
		for len(shards) > 0 {
			it := db.iterator(arn, shards[0], request.TrimHorizon, "")
			for it != "" {
				var records []dynamo.Record
				records, it = db.records(it, 7)
				for i := range records {
					seen.add(&records[i])
				}
			}
			for _, child := range db.children(arn, shards[0]) {
				shards = append(shards, *child.ShardId)
			}
			shards = slices.Delete(shards, 0, 1)
		}
		<-written
		seen.expect(writers*itemsPerWriter, versions)
	})
}

// TestRestart closes the store in the middle and continues with another one: from the last
// number of each item, and from the oldest record.
func TestRestart(t *testing.T) {
	for name, sync := range map[string]pebblekv.SyncPolicy{"every commit": pebblekv.SyncEveryCommit, "relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			dir, now := t.TempDir(), newClock()
			store := openStore(t, dir, sync)
			db := openDatabase(t, store, now)
			arn := db.createTable("birds", dynamo.ViewNewImage)
			db.busy("birds", arn, 1, 20, 2)
			before, closed := newAccount(t), make(chan error, 1)
			for record, err := range db.follow(arn, true).Records(t.Context()) {
				if errors.Is(err, kv.ErrClosed) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				before.add(record)
				if len(before.events) == writers*itemsPerWriter*20 {
					go func() { closed <- store.Close() }()
				}
			}
			before.expect(writers*itemsPerWriter, 20)
			if err := <-closed; err != nil {
				t.Fatal(err)
			}

			store = openStore(t, dir, sync)
			defer store.Close()
			db = openDatabase(t, store, now)
			after := newAccount(t)
			coming := db.follow(arn, false)
			db.busy("birds", arn, 21, 40, 2)
			db.switchStream("birds", "")
			for record, err := range db.follow(arn, true).Records(context.Background()) {
				if err != nil {
					t.Fatal(err)
				}
				after.add(record)
				delete(before.events, record.EventID)
			}
			after.expect(writers*itemsPerWriter, 40)
			if len(before.events) != 0 {
				t.Errorf("%d records had another event id before", len(before.events))
			}
			for record, err := range coming.Records(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				before.add(record)
			}
			before.expect(writers*itemsPerWriter, 40)
		})
	}
}
