// Package memkv implements a kv.Store in memory: an ordered map with copy-on-write
// snapshots. It is for tests and for data that need not outlive the process; nothing is
// ever written to disk, so everything visible counts as durable. Opening one costs next
// to nothing: no goroutines, no tables of latches, no buffers.
//
// The engine opens it for a database in memory.
package memkv

import (
	"context"
	"fmt"
	"sync"

	"github.com/tidwall/btree"

	"sortkey.dev/engine/internal/kv"
)

// tree maps keys to values. A value is never changed after it was inserted, so it may be
// returned without a lock.
type tree = btree.Map[string, []byte]

// newTree returns a tree with nodes of up to 31 keys. Smaller nodes make reads a little
// slower, and make the first write after a view, which copies the path to its key, cheaper.
func newTree() *tree { return btree.NewMap[string, []byte](16) }

// Store is a kv.Store in memory.
//
// Lock order: writer, mu, the waiters of a shard.
type Store struct {
	// writer is the only latch of this store: only its holder changes data, so the
	// holder's reads of data need no further lock.
	writer sync.Mutex
	txn    txn // of the update that holds writer; kept to reuse its buffers

	// mu guards the fields below. Changes need both writer and mu.
	mu      sync.RWMutex
	data    *tree
	snap    *tree // an up-to-date copy of data, or nil
	shards  map[uint32]*shard
	closed  bool
	closing chan struct{} // closed when Close begins; created when needed
}

var _ kv.Store = (*Store)(nil)

// Open returns a new, empty store.
func Open() *Store {
	s := &Store{data: newTree()}
	s.txn.store = s
	return s
}

// Update runs fn alone: there is one latch for all keys.
func (s *Store) Update(ctx context.Context, _ [][]byte, fn func(kv.Txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := s.open(); err != nil {
		return err
	}
	t := &s.txn
	defer t.reset()
	if err := fn(t); err != nil {
		return err
	}
	if t.err != nil {
		return t.err
	}
	s.apply(t)
	return nil
}

// open returns kv.ErrClosed after Close.
func (s *Store) open() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return kv.ErrClosed
	}
	return nil
}

// apply makes the writes of t visible in one step.
func (s *Store) apply(t *txn) {
	if len(t.writes) == 0 && len(t.records) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(t.writes) > 0 {
		s.snap = nil
	}
	for _, w := range t.writes {
		if w.value == nil {
			s.data.Delete(w.key)
		} else {
			s.data.Set(w.key, w.value)
		}
	}
	for _, r := range t.records {
		if t.stamp != nil {
			t.stamp(r.bytes)
		}
		s.shard(r.shard).append(r.bytes)
	}
}

// View runs fn on a copy-on-write copy, so a long fn blocks no other call.
func (s *Store) View(ctx context.Context, _ kv.Consistency, fn func(kv.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	return fn(snapshot{snap})
}

// snapshot returns a copy of the data that never changes. Between writes all
// callers share one, because each copy makes the next write copy the path to its key.
func (s *Store) snapshot() (*tree, error) {
	s.mu.RLock()
	snap, closed := s.snap, s.closed
	s.mu.RUnlock()
	if closed {
		return nil, kv.ErrClosed
	}
	if snap != nil {
		return snap, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, kv.ErrClosed
	}
	if s.snap == nil {
		s.snap = s.data.Copy()
	}
	return s.snap, nil
}

// Get reads one key of the newest state.
func (s *Store) Get(ctx context.Context, _ kv.Consistency, key []byte, fn func(value []byte) error) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := kv.CheckKey(key); err != nil {
		return false, err
	}
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return false, kv.ErrClosed
	}
	value, found := s.data.Get(lookup(key))
	s.mu.RUnlock()
	if !found {
		return false, nil
	}
	return true, fn(value)
}

// DeleteSpan removes the keys from a copy and swaps it in, so readers never wait for a
// large span.
func (s *Store) DeleteSpan(ctx context.Context, lo, hi []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := s.open(); err != nil {
		return err
	}
	s.mu.Lock()
	next := s.data.Copy()
	s.mu.Unlock()
	var doomed []string
	ascend(next, lo, hi, func(key string, _ []byte) bool {
		doomed = append(doomed, key)
		return true
	})
	for _, key := range doomed {
		next.Delete(key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data, s.snap = next, nil
	return nil
}

// Checkpoint is not supported: there are no files.
func (s *Store) Checkpoint(context.Context, string) error {
	return fmt.Errorf("checkpoint of a store in memory: %w", kv.ErrUnsupported)
}

// Failed returns nil: memory does not fail.
func (s *Store) Failed() <-chan struct{} { return nil }

// Close waits for running updates and releases the data. Running views keep their
// snapshot.
func (s *Store) Close() error {
	s.endWaits() // first, because an update may be waiting for the log
	s.writer.Lock()
	defer s.writer.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.data, s.snap, s.shards = newTree(), nil, nil
	return nil
}
