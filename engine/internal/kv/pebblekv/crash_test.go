package pebblekv_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/internal/effort"
)

// Each of crashWorkers writes commits of one row per part and one log record, all with the same
// number, and records the last acknowledged number.
const (
	crashWorkers = 8
	crashParts   = 4
)

type crashLoad struct {
	wg    sync.WaitGroup
	stop  context.CancelFunc
	mu    sync.Mutex
	acked [crashWorkers]uint64
}

func partKey(worker, part int) []byte { return rowKey(fmt.Sprintf("worker%d/part%d", worker, part)) }

// numbered returns a value that starts with n and is large enough to cause flushes.
func numbered(n uint64) []byte {
	return append(binary.BigEndian.AppendUint64(nil, n), bytes.Repeat([]byte{byte(n)}, 300)...)
}

// startCrashLoad starts the workers, each after its last number in s.
func startCrashLoad(t *testing.T, s kv.Store) *crashLoad {
	ctx, stop := context.WithCancel(t.Context())
	l := &crashLoad{stop: stop}
	for worker := range crashWorkers {
		l.acked[worker] = partNumber(t, s, worker, 0)
		l.wg.Go(func() {
			for n := l.acked[worker] + 1; ctx.Err() == nil; n++ {
				if err := commitParts(s, worker, n); err != nil {
					t.Errorf("worker %d: %v", worker, err)
					return
				}
				l.mu.Lock()
				l.acked[worker] = n
				l.mu.Unlock()
			}
		})
	}
	return l
}

func commitParts(s kv.Store, worker int, n uint64) error {
	return s.Update(context.Background(), [][]byte{partKey(worker, 0)}, func(tx kv.Txn) error {
		for part := range crashParts {
			tx.Set(partKey(worker, part), numbered(n))
		}
		tx.Log(uint32(worker%2), binary.BigEndian.AppendUint64([]byte{byte(worker)}, n))
		return nil
	})
}

// acknowledged returns the numbers that must survive a crash from now on.
func (l *crashLoad) acknowledged() [crashWorkers]uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acked
}

func partNumber(t *testing.T, s kv.Store, worker, part int) (n uint64) {
	t.Helper()
	_, err := s.Get(t.Context(), kv.Durable, partKey(worker, part), func(v []byte) error {
		n = binary.BigEndian.Uint64(v)
		return nil
	})
	if err != nil {
		t.Errorf("read worker %d part %d: %v", worker, part, err)
	}
	return n
}

// lastLogged returns the last number of each worker in the log, and checks its order.
func lastLogged(t *testing.T, s kv.Store) (last [crashWorkers]uint64) {
	t.Helper()
	for shard := range uint32(2) {
		next := uint64(1)
		err := s.ReadLog(t.Context(), shard, 1, func(seq uint64, record []byte) bool {
			worker, n := record[0], binary.BigEndian.Uint64(record[1:])
			if seq != next || n != last[worker]+1 {
				t.Errorf("shard %d: sequence %d, want %d; worker %d goes from %d to %d", shard, seq, next, worker, last[worker], n)
			}
			next, last[worker] = seq+1, n
			return !t.Failed()
		})
		if err != nil {
			t.Errorf("log of shard %d: %v", shard, err)
		}
	}
	return last
}

// checkCrash opens a disk after a power loss. At least min must have survived, no commit may
// have survived in part, and the log must agree with the data.
func checkCrash(t *testing.T, disk vfs.FS, min [crashWorkers]uint64) {
	t.Helper()
	s := open(t, "/data/db", pebblekv.Tuned(pebblekv.Options{FS: disk}, pebblekv.Small))
	logged := lastLogged(t, s)
	for worker := range crashWorkers {
		n := partNumber(t, s, worker, 0)
		for part := range crashParts {
			if other := partNumber(t, s, worker, part); other != n {
				t.Errorf("worker %d has a torn commit: part 0 is %d, part %d is %d", worker, n, part, other)
			}
		}
		if n < min[worker] {
			t.Errorf("worker %d: commit %d was acknowledged, %d survived", worker, min[worker], n)
		}
		if n != logged[worker] {
			t.Errorf("worker %d: data is at %d, log at %d", worker, n, logged[worker])
		}
		if err := commitParts(s, worker, n+1); err != nil {
			t.Errorf("worker %d cannot continue: %v", worker, err)
		}
	}
	lastLogged(t, s)
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestPowerLoss takes images of the disk under load, as power losses at these moments would
// leave it with some of the unsynced data, and opens them.
func TestPowerLoss(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	disk := vfs.NewCrashableMem()
	s := open(t, "/data/db", pebblekv.Tuned(pebblekv.Options{FS: disk}, pebblekv.Small))
	checkCrash(t, disk.CrashClone(vfs.CrashCloneCfg{}), [crashWorkers]uint64{})
	load := startCrashLoad(t, s)
	rounds := 15
	if testing.Short() || effort.UnderRace {
		rounds = 5
	}
	for range rounds {
		// Let a random number of commits pass between two crashes.
		for target := load.acknowledged()[0] + 1 + rnd.Uint64N(200); load.acknowledged()[0] < target; {
			if t.Failed() {
				t.FailNow()
			}
			if err := write(t.Context(), s, "filler", numbered(0)); err != nil {
				t.Fatal(err)
			}
		}
		min := load.acknowledged()
		image := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rnd.IntN(101), RNG: rnd})
		checkCrash(t, image, min)
		// A second crash, right after the recovery from the first.
		checkCrash(t, image.CrashClone(vfs.CrashCloneCfg{}), min)
	}
	load.stop()
	load.wg.Wait()
}

// TestPowerLossOfRelaxedStore checks that a relaxed store loses only the last commits, and
// does not reuse their log sequences.
func TestPowerLossOfRelaxedStore(t *testing.T) {
	disk := vfs.NewCrashableMem()
	relaxed := &pebblekv.Options{FS: disk, Sync: pebblekv.Relaxed}
	s := open(t, "/data/db", relaxed)
	var seen uint64
	for n := range uint64(100) {
		if err := commitParts(s, 0, n+1); err != nil {
			t.Fatal(err)
		}
	}
	if seen = horizon(t, s, 0); seen != 100 {
		t.Errorf("a relaxed store has %d log records, want all 100", seen)
	}
	image := disk.CrashClone(vfs.CrashCloneCfg{})
	again := open(t, "/data/db", &pebblekv.Options{FS: image})
	if n := partNumber(t, again, 0, 0); n == 100 {
		t.Error("nothing was lost: the test proves nothing")
	}
	if err := commitParts(again, 0, 1000); err != nil {
		t.Fatal(err)
	}
	if got := horizon(t, again, 0); got <= seen {
		t.Errorf("after the crash sequence %d was assigned, but %d had been seen", got, seen)
	}
	// A clean close leaves no gap.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, "/data/db", relaxed)
	if err := commitParts(s, 0, 101); err != nil {
		t.Fatal(err)
	}
	if got := horizon(t, s, 0); got != 101 {
		t.Errorf("the first sequence after a clean restart is %d, want 101", got)
	}
}

func horizon(t *testing.T, s kv.Store, shard uint32) uint64 {
	t.Helper()
	seq, err := s.LogHorizon(t.Context(), shard)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}
