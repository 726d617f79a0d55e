package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/engine/internal/clock"
	"sortkey.dev/engine/internal/kv"
)

// maintenanceInterval is the interval of trimming streams and removing expired tokens,
// whose lifetimes are hours or tens of minutes.
const maintenanceInterval = time.Minute

// countsInterval is the interval of saving the counts that are shown after a crash.
const countsInterval = 10 * time.Second

// background runs the background jobs: it expires items, builds indexes, counts rows
// after a crash and saves counts, delivers changes to Kinesis destinations, runs bulk operations, and
// trims streams and tokens. A job starts only when there is work for it, so an unused
// feature costs nothing.
type background struct {
	ops      *operations
	clock    Clock
	interval time.Duration // of expiry
	log      *slog.Logger

	ctx    context.Context
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	maintaining atomic.Bool // items are expired, streams and tokens are maintained
	delivering  atomic.Bool // changes are delivered to Kinesis destinations

	mu       sync.Mutex
	stopped  bool
	timers   map[*timer]struct{} // of the jobs that wait for their time
	building bool                // the builder runs …
	again    bool                // … and has to run once more
	counted  bool                // the counters are correct, or will be when running writes have ended
	lastErr  string
}

func newBackground(ops *operations, o Options) *background {
	b := &background{ops: ops, clock: o.Clock, interval: o.ExpiryInterval, log: o.Logger, timers: map[*timer]struct{}{}, counted: true}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// resume starts the jobs that a newly opened database needs.
func (b *background) resume() {
	for _, t := range b.ops.catalog.Tables() {
		if t.Building != "" || t.Expiry != nil {
			b.build()
		}
	}
	if len(b.ops.catalog.Streams()) > 0 {
		b.startMaintenance()
	}
	if sinks, _ := b.ops.catalog.Sinks(); len(sinks) > 0 {
		b.deliver()
	}
	if b.ops.catalog.Uncounted() {
		b.counted = false
		b.start(b.recount)
	}
}

// start runs a job, unless the database is being closed. The caller holds mu, except
// while the database is being opened.
func (b *background) start(job func()) bool {
	if b.stopped {
		return false
	}
	b.jobs.Add(1)
	go func() {
		defer b.jobs.Done()
		job()
	}()
	return true
}

// stop stops all jobs and reports whether the counters are correct.
func (b *background) stop() (counted bool) {
	b.mu.Lock()
	b.stopped = true
	for t := range b.timers {
		t.stop()
	}
	b.mu.Unlock()
	b.cancel()
	b.jobs.Wait()
	return b.counted
}

// A timer is a job that waits for its time.
type timer struct{ stop func() bool }

// every runs a job again and again, each time when an interval has passed since its end. The
// caller holds mu.
func (b *background) every(interval time.Duration, job func(context.Context) error) {
	if b.stopped {
		return
	}
	t := &timer{}
	b.timers[t] = struct{}{}
	t.stop = b.clock.AfterFunc(interval, func() {
		b.mu.Lock()
		delete(b.timers, t)
		if b.stopped {
			b.mu.Unlock()
			return
		}
		b.jobs.Add(1)
		b.mu.Unlock()
		defer b.jobs.Done()
		b.report(job(b.ctx))
		b.mu.Lock()
		defer b.mu.Unlock()
		b.every(interval, job)
	})
}

// startMaintenance starts the jobs that expire items, and that remove expired tokens and
// maintain streams, unless they run.
func (b *background) startMaintenance() {
	if b.maintaining.Load() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.maintaining.Load() {
		return
	}
	b.maintaining.Store(true)
	b.every(b.interval, func(ctx context.Context) error {
		_, err := b.ops.tables.Expire(ctx)
		return err
	})
	b.every(maintenanceInterval, func(ctx context.Context) error {
		b.report(b.ops.tables.ForgetTokens(ctx))
		return b.ops.streams.Maintain(ctx)
	})
}

// bulk runs a bulk operation.
func (b *background) bulk(run func(context.Context) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(func() { b.report(run(b.ctx)) })
}

// keepCounts starts saving the counts that are shown after a crash.
func (b *background) keepCounts() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.every(countsInterval, b.ops.catalog.NoteCounts)
}

// deliver starts the delivery of changes to Kinesis destinations, unless it runs.
func (b *background) deliver() {
	if b.delivering.Load() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.delivering.Load() {
		b.delivering.Store(b.start(b.deliverAll))
	}
}

// deliveryRetry is the backoff of delivery after a failure, such as a full disk.
const deliveryRetry = time.Second

func (b *background) deliverAll() {
	for b.ctx.Err() == nil {
		err := b.ops.sinks.Run(b.ctx)
		if err == nil {
			continue // the sinks have changed
		}
		b.report(err)
		_ = clock.Sleep(b.ctx, b.clock, deliveryRetry) // an error ends the loop
	}
}

// build starts building new indexes and expiries, and the maintenance job.
func (b *background) build() {
	b.startMaintenance()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.again = true
	if !b.building {
		b.building = b.start(b.buildAll)
	}
}

func (b *background) buildAll() {
	for b.moreToBuild() {
		b.report(b.ops.tables.Build(b.ctx))
	}
}

// moreToBuild reports whether a build was requested since the last call.
func (b *background) moreToBuild() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	more := b.again && !b.stopped
	b.again = false
	b.building = more
	return more
}

func (b *background) recount() {
	err := b.ops.tables.Recount(b.ctx)
	b.report(err)
	b.counted = err == nil
	b.report(b.ops.catalog.NoteCounts(b.ctx))
}

// report logs an error that no caller sees. A failed store returns the same error to every
// job, so report logs only changes.
func (b *background) report(err error) {
	if err == nil || b.ctx.Err() != nil || errors.Is(err, kv.ErrClosed) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := err.Error(); text != b.lastErr {
		b.lastErr = text
		b.log.Error("background job failed", slog.Any("error", err))
	}
}
