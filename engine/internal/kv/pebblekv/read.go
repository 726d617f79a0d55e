package pebblekv

import (
	"bytes"
	"context"

	"github.com/cockroachdb/pebble/v2"

	"sortkey.dev/engine/internal/kv"
)

// Get reads one key and, with kv.Durable, waits for the commits of its stripe.
func (s *Store) Get(ctx context.Context, c kv.Consistency, key []byte, fn func(value []byte) error) (bool, error) {
	if err := s.enter(ctx); err != nil {
		return false, err
	}
	defer s.gate.leave()
	found, err := s.get(key, fn)
	if c == kv.Latest || s.relaxed {
		return found, err
	}
	// The latches are checked after the value is read: see stripe.
	waitErr := s.awaitDurable(ctx, &s.latches[s.latches.index(key)])
	if waitErr == nil {
		waitErr = s.awaitDurable(ctx, &s.span)
	}
	if waitErr != nil {
		return false, waitErr
	}
	return found, err
}

func (s *Store) get(key []byte, fn func(value []byte) error) (bool, error) {
	if err := kv.CheckKey(key); err != nil {
		return false, err
	}
	value, closer, err := s.db.Get(key)
	if err == pebble.ErrNotFound {
		return false, nil
	}
	if err != nil {
		return false, describe(err)
	}
	err = fn(value)
	if closeErr := closer.Close(); err == nil {
		err = describe(closeErr)
	}
	return true, err
}

// View runs fn on an iterator, which is a snapshot and cheaper than Pebble's snapshots.
func (s *Store) View(ctx context.Context, c kv.Consistency, fn func(kv.Reader) error) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	it, err := s.db.NewIter(&viewOptions)
	if err != nil {
		return describe(err)
	}
	// Checked after the snapshot is taken: its commits were counted before they were visible.
	pending := c == kv.Durable && !s.relaxed && s.inflight.Load() != 0
	err = s.view(it, fn)
	if pending {
		if waitErr := s.barrier(); waitErr != nil {
			return waitErr
		}
	}
	return err
}

func (s *Store) view(it *pebble.Iterator, fn func(kv.Reader) error) (err error) {
	defer func() { // deferred because fn may panic
		if closeErr := it.Close(); err == nil {
			err = describe(closeErr)
		}
	}()
	return fn(&snapshot{it: it})
}

// viewOptions lets point reads use the filters of the last level too. Without them every
// read of an absent key costs a block.
var viewOptions = pebble.IterOptions{UseL6Filters: true}

// snapshot reads the state of an iterator. Reads inside a callback of another read
// use clones.
type snapshot struct {
	it   *pebble.Iterator
	busy bool
}

var _ kv.Reader = (*snapshot)(nil)

func (r *snapshot) take() (*pebble.Iterator, error) {
	if !r.busy {
		r.busy = true
		return r.it, nil
	}
	return r.it.Clone(pebble.CloneOptions{IterOptions: &viewOptions})
}

// give ends the use of it and returns its error.
func (r *snapshot) give(it *pebble.Iterator) error {
	if it == r.it {
		r.busy = false
		return it.Error()
	}
	return it.Close()
}

func (r *snapshot) Get(key []byte, fn func(value []byte) error) (found bool, err error) {
	if err := kv.CheckKey(key); err != nil {
		return false, err
	}
	it, err := r.take()
	if err != nil {
		return false, describe(err)
	}
	it.SetBounds(nil, nil)
	if it.SeekPrefixGE(key) { // a key's prefix is the key itself
		found = true
		err = fn(it.Value())
	}
	if giveErr := r.give(it); err == nil {
		err = describe(giveErr)
	}
	return found, err
}

func (r *snapshot) Scan(lo, hi []byte, o kv.ScanOptions, fn func(key, value []byte) bool) error {
	lo, hi = kv.ClampSpan(lo, hi)
	if bytes.Compare(lo, hi) >= 0 {
		return nil
	}
	it, err := r.take()
	if err != nil {
		return describe(err)
	}
	it.SetBounds(lo, hi)
	walk(it, o, fn)
	return describe(r.give(it))
}

// walk visits all rows within the bounds of it.
func walk(it *pebble.Iterator, o kv.ScanOptions, fn func(key, value []byte) bool) {
	if o.Reverse {
		for ok := it.Last(); ok && fn(it.Key(), it.Value()); ok = it.Prev() {
		}
		return
	}
	for ok := it.First(); ok && fn(it.Key(), it.Value()); ok = it.Next() {
	}
}
