package stream

import (
	"context"
	"errors"
	"sync"
	"time"

	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// errStopped says that a shard is left where it is: the consumer ends, or another process
// gets the shard.
var errStopped = errors.New("stopped")

// A worker reads one shard, for as long as it has the lease.
type worker struct {
	*follower
	reader  reader
	lease   row
	handled string // sequence number of the last record that was handled
	saved   string // and of the last one whose checkpoint was written
	unsaved int    // records between the two
	ended   bool   // the shard was read to its end, and all know

	wanted chan struct{} // closed when another process asks for the shard
	asked  sync.Once     // closes it

	mu      sync.Mutex
	renewed time.Time // when the last sign of life was sent that has arrived
	lost    bool
	cancel  context.CancelFunc // of the handler
}

func newWorker(f *follower, lease row, renewed time.Time) *worker {
	w := &worker{follower: f, lease: lease, renewed: renewed, handled: lease.checkpoint, saved: lease.checkpoint, wanted: make(chan struct{})}
	w.reader = reader{Consumer: &f.Consumer, shard: lease.shard, latest: f.fresh && f.From == Newest}
	return w
}

// work handles the shard until it ends, the lease is lost or wanted, or the context ends.
// Then it gives the lease back, with a last checkpoint, unless it is lost.
func (w *worker) work(ctx context.Context) error {
	ctx, w.cancel = context.WithCancel(ctx)
	// Signs of life go on while a handler takes its time to stop.
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	var heart sync.WaitGroup
	heart.Go(func() { w.beat(beating) })
	ended, err := w.handleShard(ctx)
	stop()
	heart.Wait()
	defer w.cancel()
	if w.isLost() || errors.Is(err, errLost) {
		return nil
	}
	if errors.Is(err, errStopped) || ctx.Err() != nil {
		err = nil
	}
	last := change{done: ended, release: true, checkpoint: w.handled}
	write, done := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer done()
	_, releaseErr := w.ledger.put(write, "give back the lease", w.lease, last)
	w.ended = ended && releaseErr == nil
	if err == nil && !errors.Is(releaseErr, errLost) {
		err = releaseErr
	}
	return err
}

// beat gives signs of life until the lease is lost. One that does not arrive is followed
// by others, until it is too late.
func (w *worker) beat(ctx context.Context) {
	for w.Sleep(ctx, w.LeaseTime/3) == nil {
		soon, done := context.WithTimeout(ctx, w.LeaseTime/3)
		err := w.put(soon, "renew the lease", change{})
		done()
		if err != nil && !w.valid() {
			w.lose()
		}
		if w.isLost() {
			return
		}
	}
}

// put writes into the row of the shard and notes what comes of it.
func (w *worker) put(ctx context.Context, what string, c change) error {
	sent := w.Now()
	is, err := w.ledger.put(ctx, what, w.lease, c)
	switch {
	case errors.Is(err, errLost):
		w.lose()
	case err == nil:
		w.mu.Lock()
		w.renewed = sent
		w.mu.Unlock()
		if is.Wanted != "" && is.Wanted != w.Owner {
			w.asked.Do(func() { close(w.wanted) })
		}
	}
	return err
}

// lose stops the handler. From now on nothing more is written.
func (w *worker) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = true
	w.cancel()
}

func (w *worker) isLost() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// isWanted reports whether another process has asked for the shard.
func (w *worker) isWanted() bool {
	select {
	case <-w.wanted:
		return true
	default:
		return false
	}
}

// valid reports whether no other process can have taken the shard. Others count the time
// from when they see a sign of life, which is later than when it was sent.
func (w *worker) valid() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.lost && w.Now().Sub(w.renewed) < w.LeaseTime
}

// handleShard reads and handles batch after batch. It reports whether the shard has ended.
func (w *worker) handleShard(ctx context.Context) (ended bool, err error) {
	for quiet := 0; ; quiet++ {
		n, ended, err := w.handleBatch(ctx)
		if err != nil || ended {
			return ended, err
		}
		if n > 0 {
			quiet = -1
			continue
		}
		if w.Sleep(ctx, w.Poll>>max(3-quiet, 0)) != nil || w.isWanted() {
			return false, errStopped
		}
	}
}

// handleBatch reads a batch and handles it, when it is this shard's turn. A shard that
// waits for it goes to another process that asks: that one may have time.
func (w *worker) handleBatch(ctx context.Context) (n int, ended bool, err error) {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-w.wanted:
		return 0, false, errStopped
	case <-ctx.Done():
		return 0, false, errStopped
	}
	sent := w.Now()
	records, ended, err := w.reader.read(ctx, w.handled)
	if err != nil {
		return 0, false, err
	}
	for _, r := range records {
		if err := w.handle(ctx, r); err != nil {
			return 0, false, err
		}
	}
	if w.OnHandled != nil {
		if n := len(records); n > 0 && records[n-1].Dynamodb != nil && records[n-1].Dynamodb.ApproximateCreationDateTime != nil {
			sent = *records[n-1].Dynamodb.ApproximateCreationDateTime
		}
		w.OnHandled(w.lease.shard, sent)
	}
	return len(records), ended, w.save(ctx)
}

// handle handles one record, and writes a checkpoint when it is time for one.
func (w *worker) handle(ctx context.Context, from streamtypes.Record) error {
	if ctx.Err() != nil || w.isWanted() {
		return errStopped
	}
	if !w.valid() { // the process was asleep, it seems
		if err := w.put(ctx, "renew the lease", change{}); err != nil {
			return err
		}
	}
	r, err := RecordOf(w.Table, from)
	if err != nil {
		return err
	}
	r.Shard = w.lease.shard
	if r.notBefore(w.since) {
		if err := w.attempt(ctx, r); err != nil {
			return err
		}
	}
	w.handled = r.SequenceNumber
	if w.unsaved++; w.unsaved >= w.Every {
		return w.save(ctx)
	}
	return nil
}

// attempt calls the handler until it succeeds, and parks the record if it never does.
func (w *worker) attempt(ctx context.Context, r Record) error {
	for n := 1; ; n++ {
		err := w.Handler.call(ctx, r)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return errStopped
		case n >= w.Attempts:
			return w.park(ctx, r, err)
		}
		if w.Sleep(ctx, backoff(n)) != nil {
			return errStopped
		}
	}
}

// park puts the record aside.
func (w *worker) park(ctx context.Context, r Record, reason error) error {
	if err := (parking{&w.Consumer}).add(ctx, r, reason, w.Attempts); err != nil {
		return err
	}
	w.OnParked(r, reason)
	return nil
}

// save writes a checkpoint if there is something new. The context may have ended during the
// last record; what was handled is noted all the same.
func (w *worker) save(ctx context.Context) error {
	if w.handled == w.saved {
		return nil
	}
	if w.isLost() {
		return errLost
	}
	write, done := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer done()
	if err := w.put(write, "write the checkpoint", change{checkpoint: w.handled}); err != nil {
		return err
	}
	w.saved, w.unsaved = w.handled, 0
	return nil
}
