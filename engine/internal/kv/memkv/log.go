package memkv

import (
	"context"
	"slices"

	"sortkey.dev/engine/internal/kv"
)

// shard is the change log of one shard: records have the sequences first, first+1, ...
type shard struct {
	first   uint64
	records [][]byte
	trimmed uint64 // trimmed records that the array below may still hold
	waiters kv.LogWaiters
}

// last returns the newest sequence, 0 if there is none.
func (l *shard) last() uint64 { return l.first + uint64(len(l.records)) - 1 }

func (l *shard) append(record []byte) {
	l.records = append(l.records, record)
	l.waiters.Notify(l.last())
}

// hasRecordAfter reports whether there is a record above a sequence. The shard may be nil.
func (l *shard) hasRecordAfter(after uint64) bool {
	return l != nil && len(l.records) > 0 && l.last() > after
}

// shard returns the log of shard id. It needs s.mu.
func (s *Store) shard(id uint32) *shard {
	l := s.shards[id]
	if l == nil {
		if s.shards == nil {
			s.shards = map[uint32]*shard{}
		}
		l = &shard{first: 1}
		s.shards[id] = l
	}
	return l
}

// ReadLog calls fn for the records that exist at the call.
func (s *Store) ReadLog(ctx context.Context, id uint32, from uint64, fn func(seq uint64, record []byte) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	first, records, err := s.records(id)
	if err != nil {
		return err
	}
	for i := max(from, first) - first; i < uint64(len(records)); i++ {
		if !fn(first+i, records[i]) {
			return nil
		}
	}
	return nil
}

// records returns the records of a shard. Later appends and trims do not change the result.
func (s *Store) records(id uint32) (first uint64, records [][]byte, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return 0, nil, kv.ErrClosed
	}
	if l := s.shards[id]; l != nil {
		return l.first, l.records, nil
	}
	return 1, nil, nil
}

// LogHorizon returns the newest sequence of a shard.
func (s *Store) LogHorizon(ctx context.Context, id uint32) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	first, records, err := s.records(id)
	if err != nil {
		return 0, err
	}
	return first + uint64(len(records)) - 1, nil
}

// TrimLog removes the records below a sequence.
func (s *Store) TrimLog(ctx context.Context, id uint32, below uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return kv.ErrClosed
	}
	l := s.shards[id]
	if l == nil || below <= l.first {
		return nil
	}
	l.trim(min(below, l.last()+1) - l.first)
	return nil
}

// trim drops the first n records. Readers may still use them, so they are not cleared:
// once they outnumber the live ones, the live ones are copied to a new array.
func (l *shard) trim(n uint64) {
	l.first += n
	l.records = l.records[n:]
	l.trimmed += n
	if l.trimmed >= uint64(len(l.records)) {
		l.records, l.trimmed = slices.Clone(l.records), 0
	}
}

// WaitLog adds a waiter to each shard.
func (s *Store) WaitLog(ctx context.Context, after []kv.LogPosition) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if found, err := s.anyNewRecord(after); found || err != nil {
		return err
	}
	wait := kv.NewLogWait(after)
	defer wait.Leave()
	closing, err := s.join(wait, after)
	if err != nil {
		return err
	}
	select {
	case <-wait.Notified():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-closing:
		return kv.ErrClosed
	}
}

// anyNewRecord reports whether one of the shards has a record after its position.
func (s *Store) anyNewRecord(after []kv.LogPosition) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return false, kv.ErrClosed
	}
	for _, position := range after {
		if s.shards[position.Shard].hasRecordAfter(position.Sequence) {
			return true, nil
		}
	}
	return false, nil
}

// join adds wait to the waiters of all shards, and notifies it of records that exist already.
// It returns a channel that is closed when Close begins.
func (s *Store) join(wait *kv.LogWait, after []kv.LogPosition) (closing <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, kv.ErrClosed
	}
	for i, position := range after {
		l := s.shard(position.Shard)
		wait.Join(i, &l.waiters)
		if l.hasRecordAfter(position.Sequence) {
			l.waiters.Notify(l.last())
		}
	}
	if s.closing == nil {
		s.closing = make(chan struct{})
	}
	return s.closing, nil
}

// endWaits ends all current and later calls of WaitLog.
func (s *Store) endWaits() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing == nil {
		s.closing = make(chan struct{})
	}
	select {
	case <-s.closing: // closed by an earlier Close
	default:
		close(s.closing)
	}
}
