package pebblekv

import (
	"sync"
	"testing"
)

// TestShardTable gets more shards than there are buckets, from several goroutines: all
// of them must get the same shards.
func TestShardTable(t *testing.T) {
	const shards, apart = 3 << shardTableBits, 1 << 16
	var table shardTable
	var got [4][]*shard
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			for n := range uint32(shards) {
				got[i] = append(got[i], table.get(n*apart), table.get(n))
			}
		})
	}
	wg.Wait()
	seen := map[*shard]bool{}
	for n, sh := range got[0] {
		for i := range got {
			if got[i][n] != sh {
				t.Fatalf("two goroutines got different shards %d and %d", sh.id, got[i][n].id)
			}
		}
		if want := uint32(n/2) * []uint32{apart, 1}[n%2]; sh.id != want {
			t.Fatalf("asked for shard %d, got %d", want, sh.id)
		}
		seen[sh] = true
	}
	for sh := range table.all {
		if !seen[sh] {
			t.Errorf("shard %d is listed twice, or was never requested", sh.id)
		}
		delete(seen, sh)
	}
	if len(seen) > 0 {
		t.Errorf("%d shards are missing", len(seen))
	}
}
