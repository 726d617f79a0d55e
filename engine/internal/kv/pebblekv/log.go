package pebblekv

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"sortkey.dev/engine/internal/kv"
)

// The store's own keys, above the callers'. A record is logPrefix, shard, sequence; a floor
// is floorPrefix, shard, and its value a sequence that has been used even if its record no
// longer exists. All numbers are big endian.
const (
	logPrefix   = 0xF0
	floorPrefix = 0xF1
)

func logKey(shard uint32, seq uint64) (key [13]byte) {
	key[0] = logPrefix
	binary.BigEndian.PutUint32(key[1:], shard)
	binary.BigEndian.PutUint64(key[5:], seq)
	return key
}

func floorKey(shard uint32) (key [5]byte) {
	key[0] = floorPrefix
	binary.BigEndian.PutUint32(key[1:], shard)
	return key
}

// reserveAhead is the number of sequences that a relaxed store reserves at once. A reservation
// is synced, so a crash that loses records cannot make the store reuse their numbers.
const reserveAhead = 1 << 16

// shard assigns the sequences of one log. It is read from disk when it is first used.
type shard struct {
	id         uint32
	next       *shard        // in the same bucket of the table
	loaded     atomic.Bool   // the rest has been read from disk
	usedBefore uint64        // last sequence used before that; it may have no record
	horizon    atomic.Uint64 // sequence of the last durable record, 0 if none has been seen
	trimmed    atomic.Uint64 // up to here the records have been removed
	waiters    kv.LogWaiters

	mu    sync.Mutex // held from taking a sequence until its record is visible
	last  uint64     // last assigned sequence
	floor uint64     // as stored: no sequence up to this one is assigned after a restart
}

// loadedShard returns a shard after loading its sequences.
func (s *Store) loadedShard(id uint32) (*shard, error) {
	sh := s.shards.get(id)
	if sh.loaded.Load() {
		return sh, nil // without the mutex: readers do not wait for commits
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh, sh.load(s)
}

// prepare prepares the shard to assign n sequences. The caller holds sh.mu.
func (sh *shard) prepare(s *Store, n int) error {
	if err := sh.load(s); err != nil {
		return err
	}
	if !s.relaxed || sh.last+uint64(n) <= sh.floor {
		return nil
	}
	return sh.setFloor(s, sh.last+uint64(n)+reserveAhead)
}

func (sh *shard) setFloor(s *Store, floor uint64) error {
	key := floorKey(sh.id)
	if err := s.db.Set(key[:], binary.BigEndian.AppendUint64(nil, floor), pebble.Sync); err != nil {
		return fmt.Errorf("reserve sequences of shard %d: %w", sh.id, err)
	}
	sh.floor = floor
	return s.fuse.err()
}

// load reads the last used sequence, the first time it is called. The caller holds sh.mu.
func (sh *shard) load(s *Store) error {
	if sh.loaded.Load() {
		return nil
	}
	last, err := s.lastRecord(sh.id)
	if err != nil {
		return fmt.Errorf("load log of shard %d: %w", sh.id, describe(err))
	}
	floor, err := s.readFloor(sh.id)
	if err != nil {
		return fmt.Errorf("load log of shard %d: %w", sh.id, describe(err))
	}
	sh.floor = floor
	sh.last = max(last, floor)
	sh.usedBefore = sh.last
	sh.horizon.Store(last) // it existed when the store was opened, so it is durable
	sh.loaded.Store(true)
	return nil
}

func (s *Store) lastRecord(id uint32) (seq uint64, err error) {
	lo, hi := logKey(id, 0), logKey(id, math.MaxUint64)
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lo[:], UpperBound: hi[:]})
	if err != nil {
		return 0, err
	}
	if it.Last() {
		seq = binary.BigEndian.Uint64(it.Key()[5:])
	}
	return seq, it.Close()
}

func (s *Store) readFloor(id uint32) (floor uint64, err error) {
	key := floorKey(id)
	value, closer, err := s.db.Get(key[:])
	if err == pebble.ErrNotFound {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if len(value) != 8 {
		err = fmt.Errorf("%w: the floor of log shard %d has %d bytes", kv.ErrCorrupt, id, len(value))
	} else {
		floor = binary.BigEndian.Uint64(value)
	}
	if closeErr := closer.Close(); err == nil {
		err = closeErr
	}
	return floor, err
}

// take returns the next sequence. The caller holds sh.mu.
func (sh *shard) take() uint64 {
	sh.last++
	return sh.last
}

// raise records that everything up to seq is durable, and notifies the waiters.
func (sh *shard) raise(seq uint64) {
	for {
		horizon := sh.horizon.Load()
		if horizon >= seq {
			return // the call that raised it that far notifies
		}
		if sh.horizon.CompareAndSwap(horizon, seq) {
			sh.waiters.Notify(seq)
			return
		}
	}
}

// lastDurable returns the last durable sequence, even if its record is trimmed.
func (sh *shard) lastDurable() uint64 { return max(sh.horizon.Load(), sh.usedBefore) }

// readable returns the range of sequences that may have readable records. If there is
// one, last is readable.
func (sh *shard) readable() (first, last uint64) {
	return sh.trimmed.Load() + 1, sh.horizon.Load()
}

// ReadLog reads up to the horizon at the time of the call.
func (s *Store) ReadLog(ctx context.Context, id uint32, from uint64, fn func(seq uint64, record []byte) bool) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	sh, err := s.loadedShard(id)
	if err != nil {
		return err
	}
	first, last := sh.readable()
	from = max(from, first)
	if from > last {
		return nil // without an iterator
	}
	lo, hi := logKey(id, from), logKey(id, last+1)
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lo[:], UpperBound: hi[:]})
	if err != nil {
		return describe(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		if !fn(binary.BigEndian.Uint64(it.Key()[5:]), it.Value()) {
			break
		}
	}
	return describe(it.Close())
}

// LogHorizon returns the last durable sequence of a shard.
func (s *Store) LogHorizon(ctx context.Context, id uint32) (uint64, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.gate.leave()
	sh, err := s.loadedShard(id)
	if err != nil {
		return 0, err
	}
	return sh.lastDurable(), nil
}

// TrimLog writes one range tombstone, and the floor, so that a log without records still
// knows its last sequence.
func (s *Store) TrimLog(ctx context.Context, id uint32, below uint64) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	t := s.newTxn()
	defer t.release()
	o, err := s.applyTrim(t, id, below)
	if !o.applied {
		return err
	}
	return s.finish(t, o.number)
}

// applyTrim does the part of a trim that must not overlap with another trim of the same
// shard: the floor on disk may never fall behind the removed records.
func (s *Store) applyTrim(t *txn, id uint32, below uint64) (outcome, error) {
	sh := s.shards.get(id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if err := sh.load(s); err != nil {
		return outcome{}, err
	}
	below = min(below, sh.lastDurable()+1)
	if below <= 1 {
		return outcome{}, nil
	}
	t.batch = s.db.NewBatch()
	lo, hi := logKey(id, 0), logKey(id, below)
	if err := t.batch.DeleteRange(lo[:], hi[:], nil); err != nil {
		return outcome{}, err
	}
	if below-1 > sh.floor {
		sh.floor = below - 1
		key := floorKey(id)
		if err := t.batch.Set(key[:], binary.BigEndian.AppendUint64(nil, sh.floor), nil); err != nil {
			return outcome{}, err
		}
	}
	o, err := s.apply(t)
	if o.applied {
		sh.trimmed.Store(max(sh.trimmed.Load(), below-1))
	}
	return o, err
}

// returnSequences returns the sequences that a relaxed store has reserved and not used, so that
// only a crash leaves a gap.
func (s *Store) returnSequences() error {
	if !s.relaxed {
		return nil
	}
	for sh := range s.shards.all {
		if sh.floor > sh.last {
			if err := sh.setFloor(s, sh.last); err != nil {
				return err
			}
		}
	}
	return nil
}
