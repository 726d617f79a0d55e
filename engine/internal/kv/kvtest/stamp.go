package kvtest

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
)

// testLogStamps checks which records a stamp is called with, and that it changes the store's copy.
func testLogStamps(t *testing.T, s kv.Store) {
	mine := []byte("?a")
	update(t, s, "log", func(tx kv.Txn) error {
		tx.Stamp(func([]byte) { t.Error("a stamp that was replaced is called") })
		tx.Log(1, mine)
		tx.Log(2, []byte("?b"))
		next := byte('0')
		tx.Stamp(func(record []byte) {
			record[0] = next
			next++
		})
		tx.Log(1, []byte("?c"))
		return nil
	})
	if string(mine) != "?a" {
		t.Errorf("the caller's record has become %q", mine)
	}
	if diff := cmp.Diff([]string{"1 0a", "2 2c"}, readLog(t, s, 1, 1)); diff != "" {
		t.Errorf("first shard (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 1b"}, readLog(t, s, 2, 1)); diff != "" {
		t.Errorf("second shard (-want +got):\n%s", diff)
	}
	appendLog(t, s, 1, "plain") // a stamp belongs to one update
	if diff := cmp.Diff([]string{"3 plain"}, readLog(t, s, 1, 3)); diff != "" {
		t.Errorf("an update without a stamp (-want +got):\n%s", diff)
	}
}

// testLogStampOrder logs to common shards from updates without a common latch: their stamps
// are in the order of their sequences.
func testLogStampOrder(t *testing.T, s kv.Store) {
	const workers, each, shards = 8, 50, 2
	var clock atomic.Uint64
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := range each {
				err := s.Update(t.Context(), [][]byte{key(string(rune('a' + worker)))}, func(tx kv.Txn) error {
					tx.Log(uint32(i%shards), make([]byte, 8))
					tx.Log(uint32((i+1)%shards), make([]byte, 8))
					tx.Stamp(func(record []byte) { binary.BigEndian.PutUint64(record, clock.Add(1)) })
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for shard := range uint32(shards) {
		last, records := uint64(0), 0
		err := s.ReadLog(t.Context(), shard, 1, func(seq uint64, record []byte) bool {
			if stamp := binary.BigEndian.Uint64(record); stamp <= last {
				t.Errorf("shard %d: record %d has stamp %d after %d", shard, seq, stamp, last)
			} else {
				last = stamp
			}
			records++
			return true
		})
		if err != nil || records != workers*each {
			t.Errorf("shard %d: %d records, error %v", shard, records, err)
		}
	}
}
