package stream

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestSplitShards(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	for generation, open := 0, 8; open <= maxOpenShards; generation, open = generation+1, open*2 {
		parents := db.catalog.Lookup("birds").Stream.Open()
		db.put("birds", "owl", generation+1, generation+1)
		if err := db.SplitShards(t.Context(), "birds"); err != nil {
			t.Fatal(err)
		}
		if n := len(db.catalog.Lookup("birds").Stream.Open()); n != open {
			t.Errorf("%d shards are open, want %d", n, open)
		}
		for _, parent := range parents {
			if n := len(db.children(arn, shardID(parent))); n != 2 {
				t.Errorf("a shard of generation %d has %d children", generation, n)
			}
		}
	}
	if err := db.SplitShards(t.Context(), "birds"); code(t, err) != dynamo.LimitExceeded {
		t.Errorf("more than %d shards: error %v", maxOpenShards, err)
	}
	follower, err := db.Follow(t.Context(), arn, true)
	if err != nil {
		t.Fatal(err)
	}
	db.switchStream("birds", "")
	var seen []dynamo.Record
	for record, err := range follower.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, *record)
	}
	if got := versions(seen); got != "owl1 owl2 owl3 owl4" {
		t.Errorf("the records of four generations are %q", got)
	}
	if err := db.SplitShards(t.Context(), "birds"); code(t, err) != dynamo.Validation {
		t.Errorf("a table without a stream: error %v", err)
	}
	if err := db.SplitShards(t.Context(), "fish"); code(t, err) != dynamo.ResourceNotFound {
		t.Errorf("no table: error %v", err)
	}
}
