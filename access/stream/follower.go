package stream

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// retention is how long DynamoDB keeps records, and shards that are closed.
const retention = 24 * time.Hour

// A follower is a consumer that runs. It looks after the shards: which there are, which
// can be read, and which of them this process reads, each in a worker.
type follower struct {
	Consumer
	ledger ledger
	since  time.Time // records from before are not handled
	fresh  bool      // the consumer has never run before, and this is the first round
	slots  chan struct{}
	seen   map[string]observation // by shard; of the rounds only

	workers sync.WaitGroup
	mu      sync.Mutex
	held    map[string]bool // shards that have a worker
	wake    context.CancelFunc
	failure error
}

// An observation is since when a row has shown no sign of life, by the own clock: clocks of
// other processes need not agree with it.
type observation struct {
	owner, wanted string
	lease, beat   int64
	since         time.Time
}

func newFollower(ctx context.Context, c Consumer) (*follower, error) {
	f := &follower{
		Consumer: c, slots: make(chan struct{}, c.Workers),
		seen: map[string]observation{}, held: map[string]bool{},
	}
	f.ledger = ledger{&f.Consumer}
	var err error
	f.since, f.fresh, err = f.ledger.begin(ctx)
	return f, err
}

// run does one round after the other: soon when a worker has ended, else often enough to
// see in time that another process is gone.
func (f *follower) run(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	for ended := false; !ended && working.Err() == nil && f.failed() == nil; {
		rest, wake := context.WithCancel(working)
		f.mu.Lock()
		f.wake = wake // before the round, so that no end of a worker is missed
		f.mu.Unlock()
		var err error
		if ended, err = f.round(working); err != nil && working.Err() == nil {
			f.fail(err)
			break
		}
		if !ended && f.failed() == nil {
			_ = f.Sleep(rest, f.LeaseTime/3) // that it was cut short is no error
		}
		wake()
	}
	stop()
	f.workers.Wait()
	return f.failed()
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

// round looks at all shards once and starts workers. It reports whether the stream has
// ended and everything in it was handled.
func (f *follower) round(ctx context.Context) (ended bool, err error) {
	shards, disabled, err := f.shards(ctx)
	if err != nil {
		return false, err
	}
	rows, err := f.ledger.rows(ctx)
	if err != nil {
		return false, err
	}
	if f.fresh && f.From == Newest {
		if err := f.skipClosed(ctx, shards, rows); err != nil {
			return false, err
		}
	}
	f.observe(rows)
	candidates, left := f.candidates(shards, rows)
	if disabled && left == 0 {
		return true, nil
	}
	if err := f.claim(ctx, candidates); err != nil {
		return false, err
	}
	f.fresh = false
	return false, f.clean(ctx, shards, rows)
}

// shards lists the shards of the stream, and whether it was switched off.
func (f *follower) shards(ctx context.Context) (all []streamtypes.Shard, disabled bool, err error) {
	input := &dynamodbstreams.DescribeStreamInput{StreamArn: &f.StreamARN}
	for {
		var out *dynamodbstreams.DescribeStreamOutput
		err := f.try(ctx, "describe the stream", func(ctx context.Context) (err error) {
			out, err = f.Streams.DescribeStream(ctx, input)
			return err
		})
		if err != nil {
			return nil, false, err
		}
		all = append(all, out.StreamDescription.Shards...)
		input.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId
		if input.ExclusiveStartShardId == nil {
			return all, out.StreamDescription.StreamStatus == streamtypes.StreamStatusDisabled, nil
		}
	}
}

// skipClosed notes that a consumer that begins now wants nothing of the shards that have
// ended.
func (f *follower) skipClosed(ctx context.Context, shards []streamtypes.Shard, rows map[string]row) error {
	for _, shard := range shards {
		id := text(shard.ShardId)
		if r := rows[id]; r.exists || shard.SequenceNumberRange == nil || shard.SequenceNumberRange.EndingSequenceNumber == nil {
			continue
		}
		err := f.ledger.skip(ctx, row{shard: id})
		if err != nil && !errors.Is(err, errLost) {
			return err
		}
		if err == nil {
			rows[id] = row{shard: id, done: true, exists: true, at: f.Now()}
		}
	}
	return nil
}

// observe notes which rows have changed since the last round.
func (f *follower) observe(rows map[string]row) {
	now := f.Now()
	for shard, r := range rows {
		is := observation{r.owner, r.wanted, r.lease, r.beat, now}
		if was, known := f.seen[shard]; known {
			is.since = was.since
			if is != was {
				is.since = now
			}
		}
		f.seen[shard] = is
	}
	for shard := range f.seen {
		if _, there := rows[shard]; !there {
			delete(f.seen, shard)
		}
	}
}

// live reports whether somebody has the shard, or is about to take it.
func (f *follower) live(r row) bool {
	return (r.owner != "" || r.wanted != "") && f.Now().Sub(f.seen[r.shard].since) < f.LeaseTime
}

// candidates are the shards that can be read now: not done, and their parents are. It also
// counts all that are not done.
func (f *follower) candidates(shards []streamtypes.Shard, rows map[string]row) (ready []candidate, left int) {
	listed := make(map[string]bool, len(shards))
	for _, shard := range shards {
		listed[text(shard.ShardId)] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
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
		r.shard = id
		ready = append(ready, candidate{row: r, live: f.live(r), held: f.held[id]})
	}
	return ready, left
}

// claim takes a fair share of the shards and starts their workers.
func (f *follower) claim(ctx context.Context, candidates []candidate) error {
	take, want := share(f.Owner, candidates)
	for _, seen := range take {
		sent := f.Now()
		taken, err := f.ledger.take(ctx, seen)
		switch {
		case errors.Is(err, errLost):
			continue // another process was faster
		case err != nil:
			return err
		}
		f.start(ctx, newWorker(f, taken, sent))
	}
	for _, seen := range want {
		if err := f.ledger.want(ctx, seen); err != nil && !errors.Is(err, errLost) {
			return err
		}
	}
	return nil
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
		if f.live(r) || f.Now().Sub(r.at) < retention {
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
