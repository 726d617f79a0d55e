package engine

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/internal/effort"
)

// To reproduce a failure pass its seed and its crash point. The operations are then the same,
// but not how the workers interleave: -artifacts keeps the disk as it is after the check.
var (
	crashSeed  = flag.Uint64("crash.seed", 0, "seed of the crash tests; 0 takes a new one")
	crashPoint = flag.Int("crash.point", 0, "check only the crash before this change of the disk; 0 checks all")
)

func newSeed() uint64 {
	if *crashSeed != 0 {
		return *crashSeed
	}
	return rand.Uint64()
}

// crashes takes an image of a disk before each operation that changes it.
type crashes struct {
	t       *testing.T
	seed    uint64
	every   int // takes every n-th image
	load    *load
	disk    *vfs.MemFS
	crashed chan *crashedDisk

	mu     sync.Mutex
	seen   int // changes of the disk
	points int
}

func (c *crashes) tap(op errorfs.Op) error {
	if !changesDisk(op) || c.t.Failed() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen++
	if c.seen%c.every == 0 && (*crashPoint == 0 || *crashPoint == c.seen) {
		c.points++
		c.crash(op)
	}
	return nil
}

// crash adds the disk of a crash at this moment. How much of the unsynced data survives varies.
func (c *crashes) crash(op errorfs.Op) {
	rnd := rand.New(rand.NewPCG(c.seed, uint64(c.seen))) // the same for -crash.point
	survives := []int{0, 100, rnd.IntN(101)}[rnd.IntN(3)]
	w := &crashedDisk{
		label: fmt.Sprintf("-crash.seed=%d -crash.point=%d (%d workers, before operation %d on %s, %d%% of what was not synced survives)",
			c.seed, c.seen, len(c.load.workers), op.Kind, op.Path, survives),
		sync:  c.load.sync,
		acked: c.load.ackedSteps(),
	}
	if w.sync == pebblekv.Relaxed {
		clear(w.acked) // no write is guaranteed to survive
	}
	w.disk = c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: survives, RNG: rnd})
	w.pasts = c.load.pasts()
	w.now = c.load.now()
	c.crashed <- w
}

// newCrashes returns a load on a disk that loses unsynced data.
func newCrashes(t *testing.T, sync pebblekv.SyncPolicy, workers, steps, every int) *crashes {
	seed := newSeed()
	c := &crashes{t: t, seed: seed, every: every, disk: vfs.NewCrashableMem(), crashed: make(chan *crashedDisk, 4)}
	c.load = newLoad(tapDisk(c.disk, c.tap), sync, seed, workers, steps)
	return c
}

// run runs the load and checks the disk of every crash. Each check gets a number.
func (c *crashes) run(load func(context.Context) error, check func(w *crashedDisk, n int) bool) (points int) {
	done := c.checkAll(check)
	if err := load(c.t.Context()); err != nil {
		c.t.Errorf("seed %d: %v", c.seed, err)
	}
	if c.load.db != nil {
		if err := c.load.db.Close(); err != nil {
			c.t.Errorf("seed %d: close: %v", c.seed, err)
		}
	}
	close(c.crashed)
	done.Wait()
	c.t.Logf("seed %d: %d workers, %d crashes", c.seed, len(c.load.workers), c.points)
	return c.points
}

// checkAll checks crashed disks as they arrive.
func (c *crashes) checkAll(check func(w *crashedDisk, n int) bool) *sync.WaitGroup {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			n := 0
			for w := range c.crashed {
				if c.t.Failed() {
					continue
				}
				n++
				if !check(w, n) {
					c.t.Logf("the disk as it is after the check: %s", keepImage(c.t, w.disk))
				}
			}
		})
	}
	return &wg
}

// check checks one crashed disk, and some of them again after another restart or crash.
func (c *crashes) check(w *crashedDisk, n int) bool {
	again := func(vfs.FS) vfs.FS { return w.disk }
	if n%8 == 4 {
		again = func(disk vfs.FS) vfs.FS { return disk.(*vfs.MemFS).CrashClone(vfs.CrashCloneCfg{}) }
	}
	return checkCrashed(c.t, w) && (n%4 != 0 || reopenCrashed(c.t, w, again))
}

// oneIn selects how many crashes are checked: one in all, or one in hurried when there is
// little time. A check runs without concurrency, so the race detector learns most from
// the load and little from many checks.
func oneIn(all, hurried int) int {
	switch {
	case *crashPoint != 0:
		return 1
	case effort.UnderRace || testing.Short():
		return hurried
	}
	return all
}

// TestPowerLoss cuts the power before every change of the disk. The number of changes
// depends on how many commits share a sync.
func TestPowerLoss(t *testing.T) {
	every, want := oneIn(1, 60), 1000
	if every > 1 || *crashPoint != 0 {
		want = 0
	}
	sizes := []struct{ workers, steps int }{{1, 90}, {4, 45}}
	points := 0
	for i := 0; (i < len(sizes) || points < want) && !t.Failed(); i++ {
		size := sizes[i%len(sizes)]
		c := newCrashes(t, pebblekv.SyncEveryCommit, size.workers, size.steps, every)
		points += c.run(c.load.run, c.check)
	}
}

// TestPowerLossOfARelaxedDatabase checks that only whole and latest writes are lost.
func TestPowerLossOfARelaxedDatabase(t *testing.T) {
	c := newCrashes(t, pebblekv.Relaxed, 4, 45, oneIn(3, 60))
	c.run(c.load.run, c.check)
}
