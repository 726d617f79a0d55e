package pebblekv

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// watermark is the sequence up to which commits are durable. A durable commit implies all
// before it, because Pebble's log is written and synced in sequence order.
type watermark struct {
	mark    atomic.Uint64
	failed  func() error // not nil once the mark cannot rise
	waiters atomic.Int64

	mu      sync.Mutex
	changed chan struct{} // closed at the next change; nil without waiters
}

// raise records that the commit with this sequence is durable.
func (w *watermark) raise(seq uint64) {
	for {
		mark := w.mark.Load()
		if mark >= seq {
			return
		}
		if w.mark.CompareAndSwap(mark, seq) {
			break
		}
	}
	if w.waiters.Load() > 0 {
		w.notifyAll()
	}
}

func (w *watermark) notifyAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

// change returns a channel that is closed at the next raise or failure.
func (w *watermark) change() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	return w.changed
}

// wait returns when the commit with this sequence is durable, or an error if that cannot
// be known.
func (w *watermark) wait(ctx context.Context, seq uint64) error {
	if w.mark.Load() >= seq {
		return nil
	}
	w.waiters.Add(1)
	defer w.waiters.Add(-1)
	for {
		change := w.change()
		if w.mark.Load() >= seq {
			return nil
		}
		if err := w.failed(); err != nil {
			return err
		}
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// awaitDurable waits until the commits that st has seen so far are durable.
func (s *Store) awaitDurable(ctx context.Context, st *stripe) error {
	seq := st.applied.Load()
	if seq <= s.durable.mark.Load() {
		return nil
	}
	if seq == beingApplied {
		// Not by taking the latch: the caller may be an update that holds others.
		return s.barrier()
	}
	return s.durable.wait(ctx, seq)
}

// barrier returns when every commit that was visible before the call is durable.
func (s *Store) barrier() error {
	if err := s.fuse.begin(); err != nil {
		return err
	}
	err := s.db.LogData(nil, pebble.Sync) // an empty record, synced after all others
	s.fuse.end()
	if err != nil {
		return err
	}
	return s.fuse.err()
}
