package stream

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func TestPagesOfRecords(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	start := db.iterator(arn, db.shardOf("birds", "owl"), request.TrimHorizon, "")
	if records, next := db.records(start, 10); records == nil || len(records) > 0 || next == "" {
		t.Errorf("an empty shard has the page %v, next %q", records, next)
	}
	db.put("birds", "owl", 1, 5)
	read := func(pages ...string) (next string) {
		t.Helper()
		next = start
		for i, want := range pages {
			if next == "" {
				t.Fatalf("there are only %d pages, want %q", i, pages)
			}
			var records []dynamo.Record
			records, next = db.records(next, 2)
			if got := versions(records); got != want {
				t.Errorf("page %d is %q, want %q", i, got, want)
			}
		}
		return next
	}
	next := read("owl1 owl2", "owl3 owl4", "owl5", "", "")
	if next == "" {
		t.Fatal("an open shard has an end")
	}
	db.put("birds", "owl", 6, 6)
	if records, _ := db.records(next, 2); versions(records) != "owl6" {
		t.Errorf("the last record cannot be read: %q", versions(records))
	}
	db.switchStream("birds", "")
	// The last page has no next iterator, though it is full.
	if next := read("owl1 owl2", "owl3 owl4", "owl5 owl6"); next != "" {
		t.Error("the closed shard has no end")
	}
}

func TestAPageHasAtMostAMegabyte(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("whales", dynamo.ViewNewAndOldImages)
	whale := func(size int) dynamo.Item { return item("id=blue", "fat="+strings.Repeat("x", size)) }
	// Keys and ids take 6 bytes each, the attribute's name 3.
	for _, size := range []int{100 << 10, 1<<20 - 100<<10 - 2*15, 1, 390 << 10, 1<<20 - 390<<10 - 15 - 15 - 16 + 1, 1100 << 10, 1} {
		if err := db.write(t.Context(), "whales", "blue", nil, whale(size), 1); err != nil {
			t.Fatal(err)
		}
	}
	next := db.iterator(arn, db.shardOf("whales", "blue"), request.TrimHorizon, "")
	for _, want := range []int{2, 2, 1, 1, 1, 0} {
		var records []dynamo.Record
		records, next = db.records(next, 1000)
		total := int64(0)
		for _, r := range records {
			total += r.SizeBytes
		}
		if len(records) != want {
			t.Errorf("a page has %d records of %d bytes, want %d", len(records), total, want)
		}
	}
}

func TestIteratorsExpire(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 2)
	it := db.iterator(arn, db.shardOf("birds", "owl"), request.TrimHorizon, "")
	db.clock.advance(15 * time.Minute)
	_, next := db.records(it, 1)
	db.clock.advance(time.Millisecond)
	_, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: it, Limit: 1})
	if want := "ExpiredIteratorException: The provided iterator exceeds the maximum age allowed."; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if records, _ := db.records(next, 1); versions(records) != "owl2" {
		t.Errorf("the next iterator, which is younger, reads %q", versions(records))
	}
}

func TestIteratorsOfMissingShardsAndStreams(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	for name, test := range map[string]struct {
		stream string
		log    uint32
		want   string
	}{
		"shard":  {arn, 99, "ResourceNotFoundException: Requested resource not found: Shard does not exist"},
		"stream": {arn[:len(arn)-1] + "1", 1, "ResourceNotFoundException: Requested resource not found: Stream: " + arn[:len(arn)-1] + "1 not found"},
	} {
		it := iterator{stream: test.stream, log: test.log, issued: noon}.String()
		if _, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: it, Limit: 1}); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// TestReaderOfTheEndOfAShardFindsItsChildren reads while the end
// of a shard can be read but is not yet in the catalog.
func TestReaderOfTheEndOfAShardFindsItsChildren(t *testing.T) {
	db, store := watch(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 1)
	start := db.iterator(arn, shard, request.TrimHorizon, "")
	committed, release := make(chan struct{}), make(chan struct{})
	store.committed = func() { close(committed); <-release }
	replaced := make(chan error)
	go func() {
		replaced <- db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 2)
	}()
	<-committed
	for _, described := range db.describe(arn).Shards {
		if described.SequenceNumberRange.EndingSequenceNumber != nil {
			t.Error("a shard is described as closed before it is")
		}
	}
	children := make(chan int)
	go func() {
		defer close(children)
		out, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: start, Limit: 1})
		if err != nil || out.NextShardIterator != nil || versions(out.Records) != "owl1" {
			t.Errorf("%v, %v", out, err)
			return
		}
		described, err := db.DescribeStream(t.Context(), &request.DescribeStream{Stream: arn, ChildrenOf: shard, Limit: 100})
		if err != nil {
			t.Error(err)
			return
		}
		children <- len(described.StreamDescription.Shards)
	}()
	for range 1000 { // give the reader time to proceed
		runtime.Gosched()
	}
	close(release)
	if n := <-children; n != 2 {
		t.Errorf("the closed shard has %d children", n)
	}
	if err := <-replaced; err != nil {
		t.Error(err)
	}
}
