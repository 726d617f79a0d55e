package kv_test

import (
	"slices"
	"testing"

	"sortkey.dev/engine/internal/kv"
)

// notified returns the indexes of the waits that were notified.
func notified(waits []*kv.LogWait) (all []int) {
	for i, w := range waits {
		if len(w.Notified()) > 0 {
			all = append(all, i)
		}
	}
	return all
}

func TestNotifyFindsExactlyTheWaiters(t *testing.T) {
	var shard kv.LogWaiters
	shard.Notify(7) // without waiters
	var waits []*kv.LogWait
	for _, after := range []uint64{1, 2, 3, 4, 5} {
		w := kv.NewLogWait([]kv.LogPosition{{Sequence: after}})
		w.Join(0, &shard)
		waits = append(waits, w)
	}
	waits[0].Leave() // the oldest
	shard.Notify(2)
	if got := notified(waits); got != nil {
		t.Errorf("sequence 2 notified %v", got)
	}
	shard.Notify(4)
	if got := notified(waits); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("sequence 4 notified %v, want 1 and 2", got)
	}
	waits[2].Leave() // already removed
	waits[4].Leave() // the newest
	shard.Notify(9)
	if got := notified(waits); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("sequence 9 notified %v, want 1, 2 and 3", got)
	}
}

func TestOneMessageForManyShards(t *testing.T) {
	var shards [3]kv.LogWaiters
	w := kv.NewLogWait(make([]kv.LogPosition, 3))
	for i := range shards[:2] {
		w.Join(i, &shards[i])
	}
	for i := range shards {
		shards[i].Notify(1) // would hang if each sent a message
	}
	if n := len(w.Notified()); n != 1 {
		t.Errorf("%d messages", n)
	}
	<-w.Notified()
	w.Leave() // one shard was never joined
	for i := range shards {
		shards[i].Notify(2)
	}
	if n := len(w.Notified()); n != 0 {
		t.Errorf("%d messages after it has left", n)
	}
}
