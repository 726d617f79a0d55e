package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/engine/internal/kv"
)

// maintenanceInterval is how often streams and tokens are looked after. What
// depends on it counts in hours or tens of minutes.
const maintenanceInterval = time.Minute

// background does what no caller waits for: it expires items, builds indexes,
// counts rows after a crash, delivers changes to Kinesis destinations, runs bulk operations, and
// looks after streams and tokens. Nothing runs
// until there is something to do, so a database without such things costs nothing.
type background struct {
	ops      *operations
	interval time.Duration // of expiry
	log      *slog.Logger

	ctx    context.Context
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	keeping    atomic.Bool // the housekeeper runs
	delivering atomic.Bool // changes are delivered to Kinesis destinations

	mu       sync.Mutex
	stopped  bool
	building bool // the builder runs …
	again    bool // … and has to look once more
	counted  bool // the counters are right, or will be as soon as no write is under way
	lastErr  string
}

func newBackground(ops *operations, o Options) *background {
	b := &background{ops: ops, interval: o.ExpiryInterval, log: o.Logger, counted: true}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// resume takes up what a database that was opened needs.
func (b *background) resume() {
	for _, t := range b.ops.catalog.Tables() {
		if t.Building != "" || t.Expiry != nil {
			b.build()
		}
	}
	if len(b.ops.catalog.Streams()) > 0 {
		b.keepHouse()
	}
	if sinks, _ := b.ops.catalog.Sinks(); len(sinks) > 0 {
		b.deliver()
	}
	if b.ops.catalog.Uncounted() {
		b.counted = false
		b.start(b.recount)
	}
}

// start runs a job, unless the database is being closed. The caller holds mu, but
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

// stop ends all jobs and reports whether the counters are right.
func (b *background) stop() (counted bool) {
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.cancel()
	b.jobs.Wait()
	return b.counted
}

// keepHouse makes sure that the housekeeper runs.
func (b *background) keepHouse() {
	if b.keeping.Load() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.keeping.Load() {
		b.keeping.Store(b.start(b.housekeeping))
	}
}

// housekeeping is the loop of the housekeeper.
func (b *background) housekeeping() {
	expiry, maintenance := time.NewTicker(b.interval), time.NewTicker(maintenanceInterval)
	defer expiry.Stop()
	defer maintenance.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-expiry.C:
			_, err := b.ops.tables.Expire(b.ctx)
			b.report(err)
		case <-maintenance.C:
			b.report(b.ops.tables.ForgetTokens(b.ctx))
			b.report(b.ops.streams.Maintain(b.ctx))
		}
	}
}

// bulk runs a bulk operation.
func (b *background) bulk(run func(context.Context) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(func() { b.report(run(b.ctx)) })
}

// deliver makes sure that changes are delivered to Kinesis destinations.
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

// deliveryRetry is the pause of delivery after a failure, such as a full disk.
const deliveryRetry = time.Second

func (b *background) deliverAll() {
	for b.ctx.Err() == nil {
		err := b.ops.sinks.Run(b.ctx)
		if err == nil {
			continue // there are other sinks now
		}
		b.report(err)
		select {
		case <-b.ctx.Done():
		case <-time.After(deliveryRetry):
		}
	}
}

// build makes sure that new indexes and expiries get built, and the housekeeper runs.
func (b *background) build() {
	b.keepHouse()
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

// moreToBuild reports whether somebody has asked for a build since the last look.
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
}

// report logs an error that no caller will see. A store that has failed says so
// at every attempt, which is worth one line.
func (b *background) report(err error) {
	if err == nil || b.ctx.Err() != nil || errors.Is(err, kv.ErrClosed) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := err.Error(); text != b.lastErr {
		b.lastErr = text
		b.log.Error("work in the background failed", slog.Any("error", err))
	}
}
