package engine

import (
	"context"
	"testing"
	"time"

	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/rowformat"
	"sortkey.dev/internal/effort"
)

// TestPowerLossWhileTrimming cuts the power while the shards of streams are replaced
// and trimmed, and streams are dropped.
func TestPowerLossWhileTrimming(t *testing.T) {
	effort.SkipUnderRace(t)
	c := newCrashes(t, pebblekv.SyncEveryCommit, 1, 0, oneIn(1, 8))
	c.run(c.load.runDays, func(w *crashedDisk, n int) bool { return c.check(w, n) && checkTrimmed(t, w) })
}

// runDays writes to a table with a stream over some days, and runs the maintenance of streams.
func (l *load) runDays(ctx context.Context) error {
	if err := l.open(); err != nil {
		return err
	}
	a, w := l.admin, l.workers[0]
	days := []func() *step{
		func() *step { return a.createTable("main", true, "by-rank") },
		func() *step { return a.createTable("temp", true) },
		func() *step { return a.fill("temp") },
	}
	write := func(n int) {
		for range n {
			days = append(days, func() *step { return w.putOrDelete() })
		}
	}
	wait := func(d time.Duration) {
		days = append(days, func() *step {
			l.ticks.Add(int64(d / (100 * time.Millisecond)))
			return a.maintain(l.db)
		})
	}
	write(20)
	wait(5 * time.Hour) // the shards are replaced
	write(10)
	days = append(days, func() *step { return a.deleteTable("temp") })
	wait(20 * time.Hour) // the first records are trimmed
	write(10)
	days = append(days, func() *step { return a.switchStream("main", false) }, func() *step { return a.switchStream("main", true) })
	write(10)
	wait(30 * time.Hour) // two streams are removed
	write(5)
	for _, next := range days {
		s := next()
		actor := a.actor
		if s.what == "put" || s.what == "delete" {
			actor = w.actor
		}
		if err := l.do(ctx, l.db, actor, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) putOrDelete() *step {
	s := &step{next: w.last().clone()}
	if w.rnd.IntN(4) == 0 {
		w.delete(s)
	} else {
		w.put(s)
	}
	return s
}

// maintain runs the maintenance of streams, as the engine does once a minute.
func (a *admin) maintain(db *DB) *step {
	return &step{what: "maintain", next: a.last().clone(), run: func(ctx context.Context, _ *API) error {
		return db.api.ops.streams.Maintain(ctx)
	}}
}

// checkTrimmed runs the maintenance of streams on a crashed disk that was checked. Afterwards
// no shard holds expired records, and no log without a shard holds any.
func checkTrimmed(t *testing.T, w *crashedDisk) bool {
	c := &check{crashedDisk: w, t: t}
	if !c.open() {
		return false
	}
	if err := c.db.api.ops.streams.Maintain(context.Background()); err != nil {
		c.fail("maintain: %v", err)
	}
	c.checkWhole(c.look())
	known := map[uint32]bool{}
	for _, s := range c.db.api.ops.catalog.Streams() {
		for _, shard := range s.Shards {
			known[shard.Log] = true
		}
	}
	for log := range uint32(100) {
		err := c.db.store.ReadLog(context.Background(), log, 1, func(seq uint64, record []byte) bool {
			change, err := rowformat.ParseChange(record)
			if err != nil || !known[log] || c.now.Sub(change.Time) > 24*time.Hour && change.Kind != rowformat.ShardEnd {
				c.fail("log %d, of a shard: %v, has record %d of %v", log, known[log], seq, change.Time)
			}
			return !c.failed
		})
		if err != nil {
			c.fail("log %d: %v", log, err)
		}
	}
	c.close()
	return !c.failed
}
