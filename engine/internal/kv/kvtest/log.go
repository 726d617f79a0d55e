package kvtest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
)

// readLog returns the records of a shard as "sequence text".
func readLog(t *testing.T, s kv.Store, shard uint32, from uint64) (records []string) {
	t.Helper()
	err := s.ReadLog(t.Context(), shard, from, func(seq uint64, record []byte) bool {
		records = append(records, fmt.Sprintf("%d %s", seq, record))
		return true
	})
	if err != nil {
		t.Fatalf("read log: %v", err)
	}
	return records
}

func horizon(t *testing.T, s kv.Store, shard uint32) uint64 {
	t.Helper()
	seq, err := s.LogHorizon(t.Context(), shard)
	if err != nil {
		t.Fatalf("log horizon: %v", err)
	}
	return seq
}

func appendLog(t *testing.T, s kv.Store, shard uint32, records ...string) {
	t.Helper()
	update(t, s, "log", func(tx kv.Txn) error {
		for _, r := range records {
			tx.Log(shard, []byte(r))
		}
		return nil
	})
}

func testLogRead(t *testing.T, s kv.Store) {
	if got := horizon(t, s, 1); got != 0 {
		t.Errorf("horizon of an empty log is %d", got)
	}
	if got := readLog(t, s, 1, 0); got != nil {
		t.Errorf("an empty log has %q", got)
	}
	appendLog(t, s, 1, "a", "", "c")
	appendLog(t, s, 2, "other shard")
	appendLog(t, s, 1, "d")
	for from, want := range map[uint64][]string{
		0: {"1 a", "2 ", "3 c", "4 d"},
		1: {"1 a", "2 ", "3 c", "4 d"},
		3: {"3 c", "4 d"},
		5: nil,
	} {
		if diff := cmp.Diff(want, readLog(t, s, 1, from)); diff != "" {
			t.Errorf("from %d (-want +got):\n%s", from, diff)
		}
	}
	if diff := cmp.Diff([]string{"1 other shard"}, readLog(t, s, 2, 1)); diff != "" {
		t.Errorf("the other shard (-want +got):\n%s", diff)
	}
	if got := horizon(t, s, 1); got != 4 {
		t.Errorf("horizon is %d, want 4", got)
	}
	calls := 0
	err := s.ReadLog(t.Context(), 1, 1, func(uint64, []byte) bool { calls++; return false })
	if err != nil || calls != 1 {
		t.Errorf("reading continued for %d calls after it was stopped, error %v", calls, err)
	}
}

// testLogAmongWrites mixes records with other writes in one commit, in sizes at which stores
// may change their length encoding.
func testLogAmongWrites(t *testing.T, s kv.Store) {
	want := map[uint32][]string{}
	update(t, s, "a", func(tx kv.Txn) error {
		for i, size := range []int{0, 1, 127, 128, 1000, 16383, 16384, 1 << 20, 5} {
			shard, record := uint32(i%3)<<30, strings.Repeat(fmt.Sprint(i), size)
			tx.Set(key(strings.Repeat("k", size/1000)), []byte(record))
			tx.Log(shard, []byte(record))
			tx.Delete(key("never there"))
			want[shard] = append(want[shard], fmt.Sprintf("%d %s", len(want[shard])+1, record))
		}
		return nil
	})
	for shard, records := range want {
		if !slices.Equal(records, readLog(t, s, shard, 1)) {
			t.Errorf("shard %d has other records than were written", shard)
		}
	}
	if got := get(t, storeGetter{t.Context(), s, kv.Latest}, "k"); got != strings.Repeat("4", 1000) {
		t.Errorf("a value among the records is %.20q", got)
	}
}

func testLogTrim(t *testing.T, s kv.Store) {
	appendLog(t, s, 1, "a", "b", "c", "d")
	appendLog(t, s, 2, "other shard")
	for _, c := range []struct {
		below uint64
		want  []string
	}{
		{0, []string{"1 a", "2 b", "3 c", "4 d"}},
		{1, []string{"1 a", "2 b", "3 c", "4 d"}},
		{3, []string{"3 c", "4 d"}},
		{2, []string{"3 c", "4 d"}},
		{1 << 40, nil},
	} {
		if err := s.TrimLog(t.Context(), 1, c.below); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, readLog(t, s, 1, 1)); diff != "" {
			t.Errorf("trimmed below %d (-want +got):\n%s", c.below, diff)
		}
		if got := horizon(t, s, 1); got != 4 {
			t.Errorf("trimmed below %d: horizon is %d, want 4", c.below, got)
		}
	}
	appendLog(t, s, 1, "e")
	if diff := cmp.Diff([]string{"5 e"}, readLog(t, s, 1, 1)); diff != "" {
		t.Errorf("after trimming everything (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 other shard"}, readLog(t, s, 2, 1)); diff != "" {
		t.Errorf("the other shard (-want +got):\n%s", diff)
	}
	if err := s.TrimLog(t.Context(), 3, 10); err != nil || horizon(t, s, 3) != 0 {
		t.Errorf("trimming an empty log: error %v, horizon %d", err, horizon(t, s, 3))
	}
}

func testLogOfFailedUpdate(t *testing.T, s kv.Store) {
	failed := errors.New("condition failed")
	err := s.Update(t.Context(), keys("a"), func(tx kv.Txn) error {
		tx.Log(1, []byte("never happened"))
		return failed
	})
	if err != failed {
		t.Errorf("update returned %v", err)
	}
	appendLog(t, s, 1, "a")
	if diff := cmp.Diff([]string{"1 a"}, readLog(t, s, 1, 1)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func testDeleteSpanAndLog(t *testing.T, s kv.Store) {
	fill(t, s, "a")
	appendLog(t, s, 1, "a")
	if err := s.DeleteSpan(t.Context(), []byte{0}, []byte{0xFF, 0xFF}); err != nil {
		t.Fatal(err)
	}
	if got := all(t, s); got != nil {
		t.Errorf("keys left: %q", got)
	}
	if diff := cmp.Diff([]string{"1 a"}, readLog(t, s, 1, 1)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// testLogOrder increments one counter from many goroutines and logs the new value: the log
// of a shard must have the values in the order in which they became visible. A reader
// follows it at the same time and must see each sequence once and in order.
func testLogOrder(t *testing.T, s kv.Store) {
	const workers, rounds, total = 8, 100, 800
	ctx, stop := context.WithCancel(t.Context())
	var follower sync.WaitGroup
	follower.Go(func() { followLog(ctx, t, s) })
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				if err := incrementAndLog(t.Context(), s); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	stop()
	follower.Wait()
	got := readLog(t, s, 1, 1)
	if len(got) != total || horizon(t, s, 1) != total {
		t.Fatalf("%d records, horizon %d, want %d of both", len(got), horizon(t, s, 1), total)
	}
	for i, record := range got {
		if want := fmt.Sprintf("%d %d", i+1, i+1); record != want {
			t.Fatalf("record %d is %q, want %q", i, record, want)
		}
	}
}

func incrementAndLog(ctx context.Context, s kv.Store) error {
	k := key("counter")
	return s.Update(ctx, [][]byte{k}, func(tx kv.Txn) error {
		var n uint64
		if _, err := tx.Get(k, func(v []byte) error {
			n = binary.BigEndian.Uint64(v)
			return nil
		}); err != nil {
			return err
		}
		tx.Set(k, binary.BigEndian.AppendUint64(nil, n+1))
		tx.Log(1, fmt.Append(nil, n+1))
		return nil
	})
}

// followLog reads the log of shard 1 repeatedly, and checks that it is never ahead of a
// durable read of the counter that it describes.
func followLog(ctx context.Context, t *testing.T, s kv.Store) {
	next := uint64(1)
	for ctx.Err() == nil {
		err := s.ReadLog(t.Context(), 1, next, func(seq uint64, record []byte) bool {
			if seq != next || string(record) != fmt.Sprint(seq) {
				t.Errorf("the follower expected %d and got %d %s", next, seq, record)
			}
			next = seq + 1
			return true
		})
		var counter uint64
		if err == nil {
			_, err = s.Get(t.Context(), kv.Durable, key("counter"), func(v []byte) error {
				counter = binary.BigEndian.Uint64(v)
				return nil
			})
		}
		if err != nil || counter < next-1 {
			t.Errorf("log shows %d, counter %d, error %v", next-1, counter, err)
			return
		}
	}
}

// testLogAgrees logs to several shards from commits with different latches: per shard the
// record with the highest sequence must belong to the write that is visible in the end.
func testLogAgrees(t *testing.T, s kv.Store) {
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for n := range 50 {
				err := s.Update(t.Context(), keys(fmt.Sprint(worker)), func(tx kv.Txn) error {
					record := fmt.Appendf(nil, "%d/%d", worker, n)
					for _, shard := range []uint32{uint32(worker % 2), 5, uint32(worker % 2)} {
						tx.Log(shard, record)
						tx.Set(key(fmt.Sprint("last of ", shard)), record)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for shard, want := range map[uint32]uint64{0: 400, 1: 400, 5: 400} {
		got := readLog(t, s, shard, 1)
		if uint64(len(got)) != want {
			t.Errorf("shard %d has %d records, want %d", shard, len(got), want)
			continue
		}
		last := fmt.Sprintf("%d %s", want, get(t, storeGetter{t.Context(), s, kv.Latest}, fmt.Sprint("last of ", shard)))
		if got[len(got)-1] != last {
			t.Errorf("shard %d ends with %q, the data with %q", shard, got[len(got)-1], last)
		}
	}
}
