package stream

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/access/internal/lease"
	"sortkey.dev/access/internal/share"
)

// retention is the time for which DynamoDB keeps records and closed shards.
const retention = 24 * time.Hour

// A follower is a consumer that runs. It looks after the shards: which there are, which
// can be read, and which of them this process reads, each in a worker.
type follower struct {
	Consumer
	ledger ledger
	since  time.Time // records from before are not handled
	fresh  bool      // the consumer has never run before, and this is the first round
	slots  chan struct{}
	pace   share.Pace

	// Of the rounds only:
	listing  listing
	watch    *lease.Watch
	attempts map[string]int64 // which lease was to be had of a shard, when it seemed lost

	workers  sync.WaitGroup
	mu       sync.Mutex
	held     map[string]bool // shards that have a worker
	finished map[string]bool // shards that a worker has read to their end
	stale    bool            // shards have to be listed again
	wake     context.CancelFunc
	failure  error
}

// A finding is the result of a round.
type finding struct {
	share.Finding
	ended bool // the stream has, and everything in it was handled
}

func newFollower(ctx context.Context, c Consumer) (*follower, error) {
	f := &follower{
		Consumer: c, slots: make(chan struct{}, c.Workers),
		pace:  share.Pace{Lease: c.LeaseTime, Poll: c.Poll},
		watch: lease.NewWatch(c.Now, c.LeaseTime), attempts: map[string]int64{},
		held: map[string]bool{}, finished: map[string]bool{}, stale: true,
	}
	f.ledger = ledger{&f.Consumer}
	var err error
	f.since, f.fresh, err = f.ledger.begin(ctx)
	return f, err
}

// run does one round after the other: at once when a worker has ended, soon when a shard
// has no reader, else often enough to see in time that another process is gone.
func (f *follower) run(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	var found finding
	for !found.ended && working.Err() == nil && f.failed() == nil {
		rest, wake := context.WithCancel(working)
		f.mu.Lock()
		f.wake = wake // before the round, so that no end of a worker is missed
		f.mu.Unlock()
		var err error
		if found, err = f.round(working); err != nil && working.Err() == nil {
			f.fail(err)
			break
		}
		if !found.ended && f.failed() == nil {
			f.rest(rest, found)
		}
		wake()
	}
	stop()
	f.workers.Wait()
	return f.failed()
}

// rest waits for the next round. One that is in a hurry does without a new list of the
// shards: DynamoDB lists those of all streams of an account ten times a second only.
func (f *follower) rest(ctx context.Context, found finding) {
	pause, hurry := f.pace.Next(found.Finding)
	_ = f.Sleep(ctx, pause) // that it was cut short is no error
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale = f.stale || !hurry
}

// fail keeps the first thing that went wrong.
func (f *follower) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure = cmp.Or(f.failure, err)
}

func (f *follower) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failure
}

// round looks at all shards once and starts workers.
func (f *follower) round(ctx context.Context) (found finding, err error) {
	if err := f.list(ctx); err != nil {
		return found, err
	}
	shards := f.listing.shards
	rows, err := f.ledger.rows(ctx)
	if err != nil {
		return found, err
	}
	if f.fresh && f.From == Newest {
		if err := f.skipClosed(ctx, shards, rows); err != nil {
			return found, err
		}
	}
	f.observe(rows)
	ready, left := f.ready(shards, rows)
	if f.listing.disabled && left == 0 {
		return finding{ended: true}, nil
	}
	if found, err = f.claim(ctx, ready, rows); err != nil {
		return found, err
	}
	found.Empty = len(shards) == 0
	f.fresh = false
	return found, f.clean(ctx, shards, rows)
}

// list lists the shards, if they may have changed.
func (f *follower) list(ctx context.Context) (err error) {
	f.mu.Lock()
	stale := f.stale
	f.stale = false // before the request: a worker may end while it is on its way
	f.mu.Unlock()
	if stale {
		f.listing, err = f.shards(ctx)
	}
	return err
}

// skipClosed notes that a consumer that begins now wants nothing of the shards that have
// ended.
func (f *follower) skipClosed(ctx context.Context, shards []streamtypes.Shard, rows map[string]row) error {
	for _, shard := range shards {
		id := text(shard.ShardId)
		if r := rows[id]; r.Exists || !closed(shard) {
			continue
		}
		err := f.ledger.skip(ctx, id)
		if err != nil && !errors.Is(err, errLost) {
			return err
		}
		if err == nil {
			rows[id] = row{shard: id, done: true, Row: lease.Row{Exists: true, At: f.Now()}}
		}
	}
	return nil
}

// observe notes which rows have changed since the last round.
func (f *follower) observe(rows map[string]row) {
	now := f.Now()
	for shard, r := range rows {
		f.watch.See(shard, r.Row, now)
	}
	f.watch.Forget(func(shard string) bool { _, there := rows[shard]; return there }, func(shard string) { delete(f.attempts, shard) })
}

// live reports whether a process holds the shard or is about to take it.
func (f *follower) live(r row) bool { return f.watch.Live(r.shard, r.Row) }

// ready returns the shards that can be read now: not done, and their parents are. It also
// counts all that are not done.
func (f *follower) ready(shards []streamtypes.Shard, rows map[string]row) (ready []share.Shard, left int) {
	listed := make(map[string]bool, len(shards))
	for _, shard := range shards {
		listed[text(shard.ShardId)] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.finished, func(shard string, _ bool) bool { return !listed[shard] })
	for _, shard := range shards {
		id, parent := text(shard.ShardId), text(shard.ParentShardId)
		r := rows[id]
		if r.done {
			continue
		}
		left++
		if above := rows[parent]; parent != "" && !above.done && (listed[parent] || f.live(above)) {
			continue
		}
		ready = append(ready, share.Shard{
			ID: id, Owner: r.Owner, Wanted: r.Wanted, Live: f.live(r), Held: f.held[id],
			Heir: f.finished[parent] || r.Owner == f.Owner && f.attempts[id] == r.Lease,
		})
	}
	return ready, left
}

// claim takes a fair share of the shards and starts their workers.
func (f *follower) claim(ctx context.Context, ready []share.Shard, rows map[string]row) (found finding, err error) {
	take, want, unsettled := share.Divide(f.Owner, ready, f.pace.Greedy())
	found.Unsettled = unsettled
	for _, id := range take {
		seen, sent := rowOf(id, rows), f.Now()
		taken, err := f.ledger.take(ctx, seen)
		if errors.Is(err, errLost) {
			// Another process was faster, or this one was and has not heard of it.
			found.Unsettled = true
			f.attempts[seen.shard] = seen.Lease + 1
			continue
		}
		if err != nil {
			return found, err
		}
		found.Taken = true
		delete(f.attempts, seen.shard)
		f.start(ctx, newWorker(f, taken, sent))
	}
	for _, id := range want {
		if err := f.ledger.want(ctx, rowOf(id, rows)); err != nil && !errors.Is(err, errLost) {
			return found, err
		}
	}
	return found, nil
}

// rowOf returns the row of a shard, which may have none yet.
func rowOf(id string, rows map[string]row) row {
	r := rows[id]
	r.shard = id
	return r
}

// start runs a worker. When it ends, the next round comes at once: the shard may have
// children.
func (f *follower) start(ctx context.Context, w *worker) {
	f.mu.Lock()
	f.held[w.lease.shard] = true
	f.mu.Unlock()
	f.workers.Go(func() {
		f.fail(w.work(ctx))
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.held, w.lease.shard)
		if w.ended {
			f.finished[w.lease.shard] = true
		}
		f.stale = true
		f.wake()
	})
}

// clean forgets shards that have left the stream. If one was not read to its end, what was
// left is gone.
func (f *follower) clean(ctx context.Context, shards []streamtypes.Shard, rows map[string]row) error {
	for _, shard := range shards {
		delete(rows, text(shard.ShardId))
	}
	for _, r := range rows {
		if f.live(r) || f.Now().Sub(r.At) < retention {
			continue
		}
		err := f.ledger.remove(ctx, r)
		switch {
		case errors.Is(err, errLost):
		case err != nil:
			return err
		case !r.done:
			f.OnTrimmed(Trimmed{Table: f.Table, Shard: r.shard, After: r.checkpoint})
		}
	}
	return nil
}
