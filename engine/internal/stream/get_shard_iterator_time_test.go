package stream

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// at reads all records from an iterator at a time.
func (db *database) at(arn, shard string, t time.Time) (string, error) {
	out, err := db.GetShardIterator(db.t.Context(), &request.GetShardIterator{Stream: arn, Shard: shard, From: request.FromTime, Time: t})
	if err != nil {
		return "", err
	}
	records, _ := db.records(*out.ShardIterator, 1000)
	return versions(records), nil
}

func TestIteratorsByTime(t *testing.T) {
	second := func(s float64) time.Time { return noon.Add(time.Duration(s * float64(time.Second))) }
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	for v, at := range []float64{10, 20.5, 20.5, 30} {
		db.clock.now.Store(second(at).UnixMilli())
		db.put("birds", "owl", v+1, v+1)
	}
	db.clock.now.Store(second(35).UnixMilli())
	expect := func(from float64, want string) {
		t.Helper()
		if got, err := db.at(arn, shard, second(from)); got != want || err != nil {
			t.Errorf("from %v: %q, error %v, want %q", from, got, err, want)
		}
	}
	const all = "owl1 owl2 owl3 owl4"
	expect(-1000, all)
	expect(1, all)
	expect(10, all)
	expect(10.001, "owl2 owl3 owl4")
	expect(20.5, "owl2 owl3 owl4")
	expect(20.501, "owl4")
	expect(30, "owl4")
	expect(30.001, "")
	expect(35, "")
	for _, from := range []float64{35.001, 40, 1e9} {
		if _, err := db.at(arn, shard, second(from)); code(t, err) != dynamo.Validation {
			t.Errorf("from %v, which is in the future: error %v", from, err)
		}
	}

	// The end of a closed shard is not a record, and trimmed records are not found.
	db.switchStream("birds", "")
	expect(20.501, "owl4")
	expect(35, "")
	db.clock.advance(retention - 10*time.Second) // to 25 seconds after a day
	db.maintain()
	expect(1, "owl4")
	expect(20.5, "owl4")
	expect(30, "owl4")
	expect(30.001, "")
}

// TestIteratorsByTimeAgainstAScan writes records at random times, and
// compares the search with a scan of every record.
func TestIteratorsByTimeAgainstAScan(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 40 {
		db := newDatabase(t)
		arn := db.createTable("birds", dynamo.ViewNewImage)
		shard := db.shardOf("birds", "owl")
		start := db.clock.now.Load()
		var times []int64
		for v := range rnd.IntN(30) {
			db.clock.now.Add(rnd.Int64N(5) - 1) // sometimes back
			db.put("birds", "owl", v+1, v+1)
			times = append(times, max(db.clock.now.Load(), append([]int64{start}, times...)[len(times)]))
		}
		db.clock.now.Store(start + 200)
		trimmed := 0
		if len(times) > 0 {
			trimmed = rnd.IntN(len(times))
			log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
			if err := db.catalog.TrimStream(t.Context(), arn, map[uint32]uint64{log: uint64(trimmed)}, time.Time{}); err != nil {
				t.Fatal(err)
			}
			if rnd.IntN(2) == 0 { // else the trim was interrupted
				if err := db.store.TrimLog(t.Context(), log, uint64(trimmed)+1); err != nil {
					t.Fatal(err)
				}
			}
		}
		for ms := start - 5; ms < start+130; ms++ {
			var want []string
			for i, at := range times {
				if i >= trimmed && at >= ms {
					want = append(want, fmt.Sprintf("owl%d", i+1))
				}
			}
			if got, err := db.at(arn, shard, time.UnixMilli(ms)); got != strings.Join(want, " ") || err != nil {
				t.Fatalf("%d milliseconds after the start: %q, error %v, want %q; records at %v, %d trimmed", ms-start, got, err, want, times, trimmed)
			}
		}
	}
}

// TestASearchByTimeReadsFewRecords counts the records that a search reads.
func TestASearchByTimeReadsFewRecords(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewKeysOnly)
	shard := db.shardOf("birds", "owl")
	for range 50 {
		db.burst("birds", "owl", 1000)
		db.clock.advance(time.Second)
	}
	store.reads.Store(0)
	_, err := db.GetShardIterator(t.Context(), &request.GetShardIterator{Stream: arn, Shard: shard, From: request.FromTime, Time: noon.Add(25 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	if n := store.reads.Load(); n > 40 {
		t.Errorf("%d reads of a log of 50,000 records", n)
	}
}
