package kv_test

import (
	"slices"
	"testing"

	"sortkey.dev/engine/internal/kv"
)

// woken returns which of the waits have news.
func woken(waits []*kv.LogWait) (all []int) {
	for i, w := range waits {
		if len(w.News()) > 0 {
			all = append(all, i)
		}
	}
	return all
}

func TestWakeFindsExactlyWhoWaits(t *testing.T) {
	var shard kv.LogWaiters
	shard.Wake(7) // nobody is there
	var waits []*kv.LogWait
	for _, after := range []uint64{1, 2, 3, 4, 5} {
		w := kv.NewLogWait([]kv.LogPosition{{Sequence: after}})
		w.Join(0, &shard)
		waits = append(waits, w)
	}
	waits[0].Leave() // the oldest
	shard.Wake(2)
	if got := woken(waits); got != nil {
		t.Errorf("sequence 2 woke %v", got)
	}
	shard.Wake(4)
	if got := woken(waits); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("sequence 4 woke %v, want 1 and 2", got)
	}
	waits[2].Leave() // is out already
	waits[4].Leave() // the newest
	shard.Wake(9)
	if got := woken(waits); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("sequence 9 woke %v, want 1, 2 and 3", got)
	}
}

func TestOneMessageForManyShards(t *testing.T) {
	var shards [3]kv.LogWaiters
	w := kv.NewLogWait(make([]kv.LogPosition, 3))
	for i := range shards[:2] {
		w.Join(i, &shards[i])
	}
	for i := range shards {
		shards[i].Wake(1) // would hang if each sent a message
	}
	if n := len(w.News()); n != 1 {
		t.Errorf("%d messages", n)
	}
	<-w.News()
	w.Leave() // one shard was never joined
	for i := range shards {
		shards[i].Wake(2)
	}
	if n := len(w.News()); n != 0 {
		t.Errorf("%d messages after it has left", n)
	}
}
