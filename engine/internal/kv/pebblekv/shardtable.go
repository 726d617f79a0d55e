package pebblekv

import (
	"sync"
	"sync/atomic"
)

// shardTable finds shards by their number. Shards are only ever added, so finding one takes
// no lock: every commit with a record does that, and a follower does it for all its shards.
// The table does not grow; it has its size for thousands of shards, and with many more each
// search takes a few steps.
type shardTable struct {
	mu      sync.Mutex // held to add a shard
	buckets [1 << shardTableBits]atomic.Pointer[shard]
}

const shardTableBits = 12

// get returns the shard with a number, and makes it if it is not there yet.
func (t *shardTable) get(id uint32) *shard {
	const spread = 0x9E3779B1 // numbers that follow each other, or are multiples, get apart
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
