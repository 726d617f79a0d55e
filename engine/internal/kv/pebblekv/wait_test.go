package pebblekv_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// waitLog starts to wait for a record of a shard after a sequence.
func waitLog(t *testing.T, s kv.Store, shard uint32, after uint64) *call {
	return start(func() error {
		return s.WaitLog(t.Context(), []kv.LogPosition{{Shard: shard, Sequence: after}})
	})
}

// TestFailureEndsWaits breaks the disk under an unrelated commit.
func TestFailureEndsWaits(t *testing.T) {
	for name, policy := range map[string]pebblekv.SyncPolicy{"synced": pebblekv.SyncEveryCommit, "relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fault{match: onFiles("*.log", errorfs.OpFileWrite), err: errBroken}
				s := open(t, "/db", &pebblekv.Options{FS: newFaultyDisk(vfs.NewMem(), f), Sync: policy})
				mustLog(t, s, 1, "old")
				waiting := waitLog(t, s, 1, 1)
				if waiting.returned() {
					t.Errorf("it did not wait, and returned %v", waiting.wait())
				}
				f.armed.Store(true)
				for range 1000 { // a relaxed store sees the failure late
					if write(t.Context(), s, "row", make([]byte, 1000)) != nil {
						break
					}
				}
				if err := waiting.wait(); !errors.Is(err, kv.ErrFailed) || !errors.Is(err, errBroken) {
					t.Errorf("the call that waited: %v", err)
				}
				if err := waitLog(t, s, 1, 1).wait(); !errors.Is(err, errBroken) {
					t.Errorf("a later call: %v", err)
				}
				if err := waitLog(t, s, 1, 0).wait(); err != nil {
					t.Errorf("a call with a new record: %v", err)
				}
				if err := s.Close(); !errors.Is(err, errBroken) {
					t.Errorf("close: %v", err)
				}
			})
		})
	}
}

// TestWaitAfterARestart waits in a store whose records are on disk only.
func TestWaitAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := vfs.NewMem()
		s := open(t, "/db", &pebblekv.Options{FS: disk})
		mustLog(t, s, 1, "a", "b")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, "/db", &pebblekv.Options{FS: disk})
		if err := waitLog(t, s, 1, 1).wait(); err != nil {
			t.Errorf("after an existing record: %v", err)
		}
		waiting := waitLog(t, s, 1, 2)
		if waiting.returned() {
			t.Errorf("at the end: it did not wait, and returned %v", waiting.wait())
		}
		mustLog(t, s, 1, "c")
		if err := waiting.wait(); err != nil {
			t.Error(err)
		}
		_ = s.Close()
	})
}

// TestWaitAfterACrashOfARelaxedStore checks that the sequences that were reserved before the
// crash are used but do not count as records, or followers would read nothing in a loop.
func TestWaitAfterACrashOfARelaxedStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := vfs.NewCrashableMem()
		s := open(t, "/db", &pebblekv.Options{FS: disk, Sync: pebblekv.Relaxed})
		mustLog(t, s, 1, "a")
		mustLog(t, s, 2, "its reservation is synced, and the first record with it")
		mustLog(t, s, 1, "lost")
		image := disk.CrashClone(vfs.CrashCloneCfg{})
		_ = s.Close()
		s = open(t, "/db", &pebblekv.Options{FS: image, Sync: pebblekv.Relaxed})
		var last uint64
		err := s.ReadLog(t.Context(), 1, 1, func(seq uint64, _ []byte) bool { last = seq; return true })
		if used := horizon(t, s, 1); err != nil || last != 1 || used <= 2 {
			t.Fatalf("the last record is %d, the last sequence used %d, error %v; the test proves nothing", last, used, err)
		}
		if err := waitLog(t, s, 1, 0).wait(); err != nil {
			t.Errorf("after the last record: %v", err)
		}
		waiting := waitLog(t, s, 1, last)
		if waiting.returned() {
			t.Errorf("there is no record, but it returned %v", waiting.wait())
		}
		mustLog(t, s, 1, "next")
		if err := waiting.wait(); err != nil {
			t.Error(err)
		}
		_ = s.Close()
	})
}
