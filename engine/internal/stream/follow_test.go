package stream

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

func (db *database) follow(arn string, fromOldest bool) *Follower {
	db.t.Helper()
	f, err := db.Follow(db.t.Context(), arn, fromOldest)
	if err != nil {
		db.t.Fatal(err)
	}
	return f
}

// take reads n records, or to the end when n is negative.
func (db *database) take(f *Follower, n int) string {
	db.t.Helper()
	var got []string
	for record, err := range f.Records(db.t.Context()) {
		if err != nil {
			db.t.Fatal(err)
		}
		got = append(got, version(record))
		if n--; n == 0 {
			break
		}
	}
	return strings.Join(got, " ")
}

func TestFollowBeginsWithTheOldestOrTheNext(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 2)
	all, coming := db.follow(arn, true), db.follow(arn, false)
	if err := db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 2); err != nil {
		t.Fatal(err)
	}
	db.put("birds", "owl", 3, 4)
	allOfTwo := db.follow(arn, true) // now it has a parent and children
	db.put("birds", "owl", 5, 5)
	db.switchStream("birds", "")
	db.switchStream("birds", dynamo.ViewNewImage) // another stream
	db.put("birds", "owl", 6, 6)
	for name, test := range map[string]struct {
		follower *Follower
		want     string
	}{
		"from the oldest":                {all, "owl1 owl2 owl3 owl4 owl5"},
		"from the next":                  {coming, "owl3 owl4 owl5"},
		"from the oldest after a split":  {allOfTwo, "owl1 owl2 owl3 owl4 owl5"},
		"from the oldest when it is off": {db.follow(arn, true), "owl1 owl2 owl3 owl4 owl5"},
		"from the next when it is off":   {db.follow(arn, false), ""},
	} {
		if got := db.take(test.follower, -1); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestFollowContinuesWhereItStopped(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 5)
	f := db.follow(arn, true)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, want := range []string{"owl1", "owl2 owl3", "owl4 owl5", "owl6"} {
		for record, err := range f.Records(ended) {
			if record != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%v, %v after the context ended", record, err)
			}
		}
		if want == "owl6" {
			db.put("birds", "owl", 6, 6)
		}
		if got := db.take(f, strings.Count(want, "owl")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFollowWaitsWithoutPolling(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	waitsForEach(t, db, store, db.follow(arn, true), 1)
}

// TestFollowWaitsAfterAGap opens the copy of a store that had reserved sequence numbers: its log
// is far ahead of its last record.
func TestFollowWaitsAfterAGap(t *testing.T) {
	first := openStore(t, t.TempDir(), pebblekv.Relaxed)
	defer first.Close()
	db := openDatabase(t, first, newClock())
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 3)
	dir := filepath.Join(t.TempDir(), "copy")
	if err := first.Checkpoint(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	store := &watchedStore{Store: openStore(t, dir, pebblekv.Relaxed)}
	defer store.Close()
	db = openDatabase(t, store, newClock())
	f := db.follow(arn, true)
	if got := db.take(f, 3); got != "owl1 owl2 owl3" {
		t.Errorf("%q, want owl1 to owl3", got)
	}
	waitsForEach(t, db, store, f, 4)
}

// waitsForEach writes versions of owl one after the other, disables the stream and checks that
// a follower waits once for each, and little more.
func waitsForEach(t *testing.T, db *database, store *watchedStore, f *Follower, first int) {
	t.Helper()
	const n = 50
	got := make(chan string)
	go func() {
		defer close(got)
		for record, err := range f.Records(t.Context()) {
			if err != nil {
				t.Error(err)
				return
			}
			got <- version(record)
		}
	}()
	for v := first; v < first+n; v++ {
		db.put("birds", "owl", v, v)
		if g, want := <-got, fmt.Sprintf("owl%d", v); g != want {
			t.Errorf("%s, want %s", g, want)
		}
	}
	db.switchStream("birds", "")
	if g, more := <-got; more {
		t.Errorf("%s comes after the end", g)
	}
	if waits := store.waits.Load(); waits > n+5 { // the end of four shards may come one by one
		t.Errorf("it waited %d times for %d records", waits, n)
	}
}

func TestFollowEndsWhenTheDatabaseIsClosed(t *testing.T) {
	db, _ := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 1)
	for _, err := range db.follow(arn, true).Records(t.Context()) {
		if err == nil { // owl1
			go db.store.Close()
			continue
		}
		if !errors.Is(err, kv.ErrClosed) {
			t.Error(err)
		}
	}
}

// TestFollowReportsTrimmedRecordsOfAChild has read the end of a shard when the child's records are trimmed.
func TestFollowReportsTrimmedRecordsOfAChild(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 3)
	if err := db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 1); err != nil {
		t.Fatal(err)
	}
	db.put("birds", "owl", 4, 4)
	f := db.follow(arn, true)
	db.take(f, 1)
	db.clock.advance(retention + time.Hour)
	db.put("birds", "owl", 5, 5)
	db.maintain()
	db.switchStream("birds", "")
	var got []string
	for record, err := range f.Records(t.Context()) {
		if err != nil {
			got = append(got, string(code(t, err)))
			break
		}
		got = append(got, version(record))
	}
	if got, want := strings.Join(got, " "), "owl2 owl3 TrimmedDataAccessException"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFollowBeginsWhileAShardIsReplaced begins, and reads, when the end of the shard is in its
// log but not yet in the catalog.
func TestFollowBeginsWhileAShardIsReplaced(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 1)
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	got := make(chan string)
	store.committed = func() {
		f := db.follow(arn, false)
		go func() {
			defer close(got)
			got <- db.take(f, 2)
		}()
		for range 1000 { // give it time to proceed
			runtime.Gosched()
		}
	}
	if err := db.catalog.ReplaceShard(t.Context(), arn, log, 2); err != nil {
		t.Fatal(err)
	}
	store.committed = nil
	db.put("birds", "owl", 2, 3)
	if got := <-got; got != "owl2 owl3" {
		t.Errorf("%q, want owl2 owl3", got)
	}
}

// TestFollowReportsTrimmedRecords lets a day pass between two reads. Records already read from
// the log are still returned, then comes an error if any were missed.
func TestFollowReportsTrimmedRecords(t *testing.T) {
	const early = maxTurn + 50
	for name, test := range map[string]struct {
		closed bool // the shard, before its records are too old
		read   int  // before
		want   string
	}{
		"nothing read":                    {false, 0, "1 records, then the end"},
		"some read":                       {false, 1, "99 records, then TrimmedDataAccessException"},
		"all read":                        {false, early, "1 records, then the end"},
		"nothing read of a closed shard":  {true, 0, "1 records, then the end"},
		"some read of a closed shard":     {true, 1, "99 records, then TrimmedDataAccessException"},
		"all but the end of a closed one": {true, early, "0 records, then TrimmedDataAccessException"},
	} {
		db := newDatabase(t)
		arn := db.createTable("birds", dynamo.ViewNewImage)
		db.put("birds", "owl", 1, early)
		f := db.follow(arn, true)
		if test.read > 0 {
			db.take(f, test.read)
		}
		if test.closed {
			if err := db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 1); err != nil {
				t.Fatal(err)
			}
		}
		db.clock.advance(retention + time.Hour)
		db.put("birds", "owl", early+1, early+1)
		db.maintain()
		db.switchStream("birds", "")
		n, end := 0, "the end"
		for _, err := range f.Records(t.Context()) {
			if err != nil {
				end = string(code(t, err))
				break
			}
			n++
		}
		if got := fmt.Sprintf("%d records, then %s", n, end); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
