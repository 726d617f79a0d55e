package stream

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func (db *database) maintain() {
	db.t.Helper()
	if err := db.Maintain(db.t.Context()); err != nil {
		db.t.Fatal(err)
	}
}

// logged counts the records of a log in the store.
func (db *database) logged(log uint32) (n int) {
	db.t.Helper()
	err := db.store.ReadLog(db.t.Context(), log, 0, func(uint64, []byte) bool { n++; return true })
	if err != nil {
		db.t.Fatal(err)
	}
	return n
}

// TestRecordsAreKeptForADay writes some records and, two hours later, some more, and reads
// them a day after each. It does so with many numbers of records, because the
// first record to keep is found by a search.
func TestRecordsAreKeptForADay(t *testing.T) {
	for early := range 6 {
		for late := range 6 {
			t.Run(fmt.Sprintf("%d and %d", early, late), func(t *testing.T) { keptForADay(t, early, late) })
		}
	}
}

func keptForADay(t *testing.T, early, late int) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	expect := func(first int) {
		t.Helper()
		db.maintain()
		all, got, want := early+late, "", ""
		for v := first; v <= all; v++ {
			want += fmt.Sprintf("owl%d ", v)
		}
		records, next := db.records(db.iterator(arn, shard, request.TrimHorizon, ""), 100)
		for _, r := range records {
			got += version(&r) + " "
		}
		if got != want || next != "" || db.logged(log) != len(records)+1 {
			t.Errorf("%q and next %q of %d in the log, want %q", got, next, db.logged(log), want)
		}
	}
	db.put("birds", "owl", 1, early)
	db.clock.advance(2 * time.Hour)
	db.put("birds", "owl", early+1, early+late)
	db.clock.advance(time.Hour)
	db.switchStream("birds", "")
	db.clock.advance(21 * time.Hour)
	expect(1)
	db.clock.advance(time.Millisecond)
	expect(early + 1)
	expectTrimmed(t, db, arn, shard, early, early+late)
	db.clock.advance(2 * time.Hour)
	expect(early + late + 1)
	db.clock.advance(time.Hour)
	db.maintain()
	if _, err := db.DescribeStream(t.Context(), &request.DescribeStream{Stream: arn, Limit: 1}); code(t, err) != dynamo.ResourceNotFound {
		t.Errorf("a day after it was disabled the stream still exists: %v", err)
	}
	if db.logged(log) != 0 {
		t.Errorf("%d records are left of a removed stream", db.logged(log))
	}
}

// expectTrimmed reads each record by its number. Those up to gone are trimmed.
func expectTrimmed(t *testing.T, db *database, arn, shard string, gone, all int) {
	t.Helper()
	log := db.catalog.StreamByARN(arn).Shards[0].Log
	for _, s := range db.catalog.StreamByARN(arn).Shards {
		if shardID(s) == shard {
			log = s.Log
		}
	}
	for sequence := range all + 1 {
		for from, lost := range map[request.IteratorType]bool{
			request.FromSequence:  gone > 0 && sequence <= gone,
			request.AfterSequence: sequence < gone,
		} {
			want := dynamo.Code("")
			if lost {
				want = dynamo.TrimmedDataAccess
			}
			_, err := db.GetShardIterator(t.Context(), &request.GetShardIterator{
				Stream: arn, Shard: shard, From: from, Sequence: sequenceNumber(log, uint64(sequence)),
			})
			if got := code(t, err); got != want {
				t.Errorf("iterator of type %d with record %d, %d are trimmed: %v, want %q", from, sequence, gone, err, want)
			}
		}
	}
}

func TestIteratorWhoseRecordsWereTrimmed(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 3)
	db.clock.advance(23*time.Hour + 55*time.Minute)
	db.put("birds", "owl", 4, 4)
	_, second := db.records(db.iterator(arn, shard, request.TrimHorizon, ""), 1)
	_, fourth := db.records(db.iterator(arn, shard, request.TrimHorizon, ""), 3)
	first := db.iterator(arn, shard, request.TrimHorizon, "")
	db.clock.advance(10 * time.Minute)
	db.maintain()
	_, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: second, Limit: 1})
	if want := "TrimmedDataAccessException: The data you are trying to access has been trimmed"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for name, it := range map[string]string{"behind the trimmed ones": fourth, "at the oldest": first} {
		if records, _ := db.records(it, 100); versions(records) != "owl4" {
			t.Errorf("an iterator %s reads %q", name, versions(records))
		}
	}
}

// TestAShardWithAllRecordsTrimmed reads an open shard that has no records left.
func TestAShardWithAllRecordsTrimmed(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 3)
	db.clock.advance(retention + time.Hour)
	// A whole round would also replace the shard.
	if err := db.trim(t.Context(), db.catalog.StreamByARN(arn), db.clock.Now().Add(-retention)); err != nil {
		t.Fatal(err)
	}
	follower := db.follow(arn, true)
	next := db.iterator(arn, db.shardOf("birds", "owl"), request.TrimHorizon, "")
	for range 3 {
		var records []dynamo.Record
		if records, next = db.records(next, 10); len(records) > 0 || next == "" {
			t.Fatalf("%q, next %q", versions(records), next)
		}
	}
	followed := make(chan string)
	go func() { followed <- db.take(follower, 1) }()
	db.put("birds", "owl", 4, 4)
	if records, _ := db.records(next, 10); versions(records) != "owl4" {
		t.Errorf("%q, want owl4", versions(records))
	}
	if got := <-followed; got != "owl4" {
		t.Errorf("followed: %q, want owl4", got)
	}
}

// TestInterruptedTrimming fails between the catalog's record of a trim and the removal.
func TestInterruptedTrimming(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	db.put("birds", "owl", 1, 3)
	db.clock.advance(retention)
	db.put("birds", "owl", 4, 5)
	db.clock.advance(time.Minute)
	store.failTrim = errors.New("no power")
	// A whole round would also replace the shard.
	trim := func() error { return db.trim(t.Context(), db.catalog.StreamByARN(arn), db.clock.Now().Add(-retention)) }
	if err := trim(); !errors.Is(err, store.failTrim) {
		t.Fatalf("trimming a failing store: %v", err)
	}
	db = openDatabase(t, store, db.clock)
	check := func(left int) {
		t.Helper()
		expectTrimmed(t, db, arn, shard, 3, 4)
		if records, _ := db.records(db.iterator(arn, shard, request.TrimHorizon, ""), 100); versions(records) != "owl4 owl5" {
			t.Errorf("readable: %q", versions(records))
		}
		if n := db.logged(log); n != left {
			t.Errorf("%d records are in the log, want %d", n, left)
		}
	}
	check(5)
	store.failTrim = nil
	if err := trim(); err != nil {
		t.Fatal(err)
	}
	check(2)
}

// TestTheEndOfAShardIsNotTrimmed fails between the catalog's record of a trim and the removal of a closed shard.
func TestTheEndOfAShardIsNotTrimmed(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 3)
	f := db.follow(arn, true)
	db.take(f, 3)
	db.switchStream("birds", "")
	db.clock.advance(retention + time.Hour)
	store.failTrim = errors.New("no power")
	if err := db.Maintain(t.Context()); !errors.Is(err, store.failTrim) {
		t.Fatalf("maintenance of a failing store: %v", err)
	}
	if got := db.take(f, -1); got != "" {
		t.Errorf("after all records come %q", got)
	}
}

func TestClosedShardsAreRemovedAfterADay(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	first := db.shardOf("birds", "owl")
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	it := db.iterator(arn, first, request.TrimHorizon, "")
	db.put("birds", "owl", 1, 3)
	if err := db.catalog.ReplaceShard(t.Context(), arn, log, 1); err != nil {
		t.Fatal(err)
	}
	second := db.shardOf("birds", "owl")
	listed := func() (ids string) {
		for _, shard := range db.describe(arn).Shards {
			switch *shard.ShardId {
			case first:
				ids += "first "
			case second:
				ids += "second "
				if shard.ParentShardId != nil {
					ids += "of " + *shard.ParentShardId
				}
			}
		}
		return ids
	}
	db.clock.advance(retention)
	db.maintain()
	if got, want := listed(), "first second of "+first; got != want {
		t.Errorf("after a day: %s, want %s", got, want)
	}
	db.clock.advance(time.Millisecond)
	db.maintain()
	if got, want := listed(), "second "; got != want {
		t.Errorf("after more than a day: %s, want %s", got, want)
	}
	if n := db.logged(log); n != 0 {
		t.Errorf("%d records are left of the removed shard", n)
	}
	_, err := db.GetShardIterator(t.Context(), &request.GetShardIterator{Stream: arn, Shard: first})
	if code(t, err) != dynamo.ResourceNotFound {
		t.Errorf("an iterator for it: %v", err)
	}
	db.clock.now.Store(noon.UnixMilli()) // so that the iterator is not too old
	if _, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: it, Limit: 1}); code(t, err) != dynamo.ResourceNotFound {
		t.Errorf("an iterator from before: %v", err)
	}
}
