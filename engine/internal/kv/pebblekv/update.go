package pebblekv

import (
	"bytes"
	"cmp"
	"context"

	"github.com/cockroachdb/pebble/v2"

	"sortkey.dev/engine/internal/kv"
)

// Update runs fn under latches, applies its writes, releases the latches and then waits
// for the sync, so that a hot key is not limited to one commit per sync.
func (s *Store) Update(ctx context.Context, latchKeys [][]byte, fn func(kv.Txn) error) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	if err := s.fuse.err(); err != nil {
		return err
	}
	t := s.newTxn()
	defer t.release()
	t.plan = s.latches.plan(t.plan, latchKeys)
	seq, err := s.underLatches(t, fn)
	if seq.applied {
		return s.finish(t, seq.number)
	}
	if !s.relaxed {
		if waitErr := s.awaitReadDurable(ctx, seq.number); waitErr != nil {
			return waitErr // the state that fn read may be lost, so its result must not be returned
		}
	}
	return err
}

// outcome is the result of an update: it applied a commit with this number, or only saw commits
// up to it.
type outcome struct {
	number  uint64
	applied bool
}

// underLatches does the part of an update that needs the latches.
func (s *Store) underLatches(t *txn, fn func(kv.Txn) error) (outcome, error) {
	s.latches.lock(t.plan)
	defer s.latches.unlock(t.plan) // deferred because fn may panic
	err := t.run(fn)
	if err != nil || t.empty() {
		return outcome{number: s.latches.maxApplied(t.plan)}, err
	}
	return s.apply(t)
}

// run calls fn, and returns its error or that of its first invalid read or write.
func (t *txn) run(fn func(kv.Txn) error) (err error) {
	defer func() { // deferred because fn may panic
		err = cmp.Or(err, t.closeReader(), t.err)
	}()
	return fn(t)
}

// awaitReadDurable waits until the commits that an update saw under its latches are durable.
func (s *Store) awaitReadDurable(ctx context.Context, newest uint64) error {
	if err := s.durable.wait(ctx, newest); err != nil {
		return err
	}
	return s.awaitDurable(ctx, &s.span)
}

func (t *txn) empty() bool { return t.batch == nil && len(t.records) == 0 }

// apply makes the writes of t visible. The caller holds its latches.
func (s *Store) apply(t *txn) (outcome, error) {
	if err := s.fuse.begin(); err != nil {
		return outcome{number: s.latches.maxApplied(t.plan)}, err
	}
	defer s.fuse.end()
	defer t.unlockShards()
	if err := t.lockShards(); err != nil {
		return outcome{number: s.latches.maxApplied(t.plan)}, err
	}
	if err := t.addRecords(); err != nil {
		return outcome{number: s.latches.maxApplied(t.plan)}, err
	}
	if s.relaxed {
		return s.applyRelaxed(t)
	}
	return s.applySynced(t)
}

func (s *Store) applyRelaxed(t *txn) (outcome, error) {
	err := s.db.Apply(t.batch, pebble.NoSync)
	if err != nil {
		s.fuse.blow("commit", err) // for the same reason as in applySynced
	}
	return outcome{applied: true}, err
}

func (s *Store) applySynced(t *txn) (outcome, error) {
	s.inflight.Add(1)
	t.setApplied(beingApplied)
	if err := s.db.ApplyNoSyncWait(t.batch, pebble.Sync); err != nil {
		// Pebble rejects a batch only before it has touched anything, and only for
		// reasons that cannot occur here. Better to stop than to guess.
		s.fuse.blow("commit", err)
		return outcome{applied: true}, err
	}
	if !t.batch.Empty() {
		seq := uint64(t.batch.SeqNum())
		t.setApplied(seq)
		return outcome{number: seq, applied: true}, nil
	}
	// A batch larger than half a memtable: Pebble has taken over its bytes, and its
	// sequence with them. Such a commit keeps its latches until it is durable, and then
	// needs no sequence.
	_ = t.batch.SyncWait() // the fuse has recorded a failure
	if s.fuse.err() == nil {
		t.setApplied(0)
	}
	return outcome{applied: true}, nil
}

// setApplied marks the latches that t holds.
func (t *txn) setApplied(seq uint64) {
	if t.span {
		t.store.span.applied.Store(seq)
		return
	}
	t.store.latches.setApplied(t.plan, seq)
}

// finish waits until the commit of t is durable. No latch is held.
func (s *Store) finish(t *txn, seq uint64) error {
	if s.relaxed {
		if err := s.fuse.err(); err != nil {
			return err
		}
		t.raiseHorizons()
		return nil
	}
	if err := t.batch.SyncWait(); err != nil {
		s.fuse.blow("sync", err)
	}
	if err := s.fuse.err(); err != nil {
		return err // inflight is not decremented: the outcome of this commit is unknown
	}
	s.durable.raise(seq)
	t.raiseHorizons()
	s.inflight.Add(-1)
	return nil
}

// DeleteSpan writes one range tombstone.
func (s *Store) DeleteSpan(ctx context.Context, lo, hi []byte) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	lo, hi = kv.ClampSpan(lo, hi)
	if bytes.Compare(lo, hi) >= 0 {
		return nil
	}
	t := s.newTxn()
	defer t.release()
	t.span = true
	t.batch = s.db.NewBatch()
	if err := t.batch.DeleteRange(lo, hi, nil); err != nil {
		return err
	}
	o, err := s.applySpan(t)
	if !o.applied {
		return err
	}
	return s.finish(t, o.number)
}

func (s *Store) applySpan(t *txn) (outcome, error) {
	s.span.mu.Lock()
	defer s.span.mu.Unlock()
	return s.apply(t)
}
