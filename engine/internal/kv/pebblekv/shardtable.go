package pebblekv

import (
	"sync"
	"sync/atomic"
)

// shardTable maps numbers to shards. Shards are never removed, so a lookup takes
// no lock: every commit with a record does one, and a follower does one for each of its shards.
// The table does not grow; it is sized for thousands of shards, and with many more each
// lookup takes a few steps.
type shardTable struct {
	mu      sync.Mutex // held to add a shard
	buckets [1 << shardTableBits]atomic.Pointer[shard]
}

const shardTableBits = 12

// get returns the shard with a number, and creates it if it does not exist yet.
func (t *shardTable) get(id uint32) *shard {
	const spread = 0x9E3779B1 // spreads consecutive numbers and multiples
	bucket := &t.buckets[id*spread>>(32-shardTableBits)]
	if sh := bucket.Load().find(id); sh != nil {
		return sh
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	first := bucket.Load()
	if sh := first.find(id); sh != nil {
		return sh
	}
	sh := &shard{id: id, next: first}
	bucket.Store(sh)
	return sh
}

// find searches a bucket from sh on.
func (sh *shard) find(id uint32) *shard {
	for sh != nil && sh.id != id {
		sh = sh.next
	}
	return sh
}

// all calls yield with every shard until it returns false.
func (t *shardTable) all(yield func(*shard) bool) {
	for i := range t.buckets {
		for sh := t.buckets[i].Load(); sh != nil; sh = sh.next {
			if !yield(sh) {
				return
			}
		}
	}
}
