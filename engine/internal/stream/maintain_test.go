package stream

import (
	"testing"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// children lists the children of a shard.
func (db *database) children(arn, shard string) []dynamo.Shard {
	db.t.Helper()
	out, err := db.DescribeStream(db.t.Context(), &request.DescribeStream{Stream: arn, ChildrenOf: shard, Limit: 100})
	if err != nil {
		db.t.Fatal(err)
	}
	return out.StreamDescription.Shards
}

// burst writes many records of one item.
func (db *database) burst(table, id string, n int) {
	db.t.Helper()
	if err := db.write(db.t.Context(), table, id, nil, item("id="+id), n); err != nil {
		db.t.Fatal(err)
	}
}

func TestBusyShardsAreSplit(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewKeysOnly)
	shard := db.shardOf("birds", "owl")
	db.burst("birds", "owl", 20_000) // their rate is unknown
	db.maintain()
	db.burst("birds", "owl", 10_000) // as many as a shard can take
	db.clock.advance(10 * time.Second)
	db.maintain()
	if n := len(db.children(arn, shard)); n != 0 {
		t.Errorf("a shard that is not too busy has %d children", n)
	}
	db.burst("birds", "owl", 10_001)
	db.clock.advance(5 * time.Second)
	db.maintain() // too early for a rate
	if n := len(db.children(arn, shard)); n != 0 {
		t.Errorf("after 5 seconds there are %d children", n)
	}
	db.clock.advance(5 * time.Second)
	db.maintain()
	if n := len(db.children(arn, shard)); n != 2 {
		t.Errorf("a busy shard has %d children, want 2", n)
	}
	if n := len(db.catalog.Lookup("birds").Stream.Open()); n != 5 {
		t.Errorf("%d shards are open, want 5", n)
	}
}

func TestSplittingIsLimited(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewKeysOnly)
	split := func(log uint32) {
		t.Helper()
		if err := db.catalog.ReplaceShard(t.Context(), arn, log, 2); err != nil {
			t.Fatal(err)
		}
	}
	shardOf := func(id string) (shard catalog.Shard) {
		stream := db.catalog.StreamByARN(arn)
		shard, _ = stream.Shard(stream.LogOf(hashOf(id)))
		return shard
	}
	for owl := shardOf("owl"); owl.First < owl.Last; owl = shardOf("owl") {
		split(owl.Log)
	}
	expect := func(id string, open int) {
		t.Helper()
		db.maintain()
		db.burst("birds", id, 10_001)
		db.clock.advance(10 * time.Second)
		db.maintain()
		if n := len(db.catalog.StreamByARN(arn).Open()); n != open {
			t.Errorf("%d shards are open, want %d", n, open)
		}
	}
	expect("owl", 4+30) // its shard has one hash left and cannot be split
	for len(db.catalog.StreamByARN(arn).Open()) < maxOpenShards-1 {
		split(shardOf("eagle").Log)
	}
	next := uint32(0) // the shards cover all hashes, each once
	for i, shard := range db.catalog.StreamByARN(arn).Open() {
		if shard.First != next || shard.Last < shard.First {
			t.Errorf("shard %d has the hashes %x to %x, want them from %x", i, shard.First, shard.Last, next)
		}
		next = shard.Last + 1
	}
	if next != 0 {
		t.Errorf("no shard has the hashes from %x on", next)
	}
	expect("crow", maxOpenShards)
	expect("crow", maxOpenShards)
}

func TestOldShardsAreReplaced(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 1)
	db.clock.advance(maxShardAge)
	db.maintain()
	if n := len(db.children(arn, shard)); n != 0 {
		t.Errorf("after 4 hours the shard has %d children", n)
	}
	db.clock.advance(time.Minute)
	db.maintain()
	db.put("birds", "owl", 2, 2)
	if n := len(db.children(arn, shard)); n != 1 {
		t.Fatalf("after more than 4 hours the shard has %d children, want 1", n)
	}
	if n := len(db.catalog.StreamByARN(arn).Shards); n != 5 {
		t.Errorf("there are %d shards; those without records stay", n)
	}
	child := *db.children(arn, shard)[0].ShardId
	for id, want := range map[string]string{shard: "owl1", child: "owl2"} {
		if records, _ := db.records(db.iterator(arn, id, request.TrimHorizon, ""), 100); versions(records) != want {
			t.Errorf("shard %s has %q, want %q", id, versions(records), want)
		}
	}
}

func TestMaintenanceWritesNothingWhenThereIsNothingToDo(t *testing.T) {
	db, store := watch(t)
	db.createTable("quiet", dynamo.ViewNewImage)
	db.createTable("birds", dynamo.ViewNewImage)
	db.createTable("gone", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 100)
	db.switchStream("gone", "")
	rounds := func(n int, step time.Duration) {
		t.Helper()
		before := store.writes.Load()
		for range n {
			db.clock.advance(step)
			db.maintain()
		}
		if wrote := store.writes.Load() - before; wrote != 0 {
			t.Errorf("%d writes", wrote)
		}
	}
	db.maintain()
	rounds(200, time.Minute)
	db.clock.advance(time.Hour)
	db.maintain() // replaces owl's shard
	rounds(200, time.Minute)
	db.clock.advance(retention)
	db.maintain() // trims, and removes a shard and a stream
	rounds(100, time.Hour)
}
