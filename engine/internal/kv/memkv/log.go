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
	trimmed uint64 // records before the first one that the array below may still hold
	waiters kv.LogWaiters
}

// last returns the newest sequence given out, 0 when there is none.
func (l *shard) last() uint64 { return l.first + uint64(len(l.records)) - 1 }

func (l *shard) append(record []byte) {
	l.records = append(l.records, record)
	l.waiters.Wake(l.last())
}

// hasNews reports whether there is a record above a sequence. A shard that does not exist has
// none.
func (l *shard) hasNews(after uint64) bool {
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

// ReadLog calls fn for the records there were when it was called.
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

// records returns what is in a shard now. Later appends and trims leave the result alone.
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

// trim drops the first n records. Readers may still look at them, so they are not cleared:
// once they outnumber the living ones, those move to an array of their own.
func (l *shard) trim(n uint64) {
	l.first += n
	l.records = l.records[n:]
	l.trimmed += n
	if l.trimmed >= uint64(len(l.records)) {
		l.records, l.trimmed = slices.Clone(l.records), 0
	}
}

// WaitLog waits among the waiters of each shard.
func (s *Store) WaitLog(ctx context.Context, after []kv.LogPosition) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if news, err := s.anyNews(after); news || err != nil {
		return err
	}
	wait := kv.NewLogWait(after)
	defer wait.Leave()
	closing, err := s.join(wait, after)
	if err != nil {
		return err
	}
	select {
	case <-wait.News():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-closing:
		return kv.ErrClosed
	}
}

// anyNews reports whether one of the shards has a record behind its position.
func (s *Store) anyNews(after []kv.LogPosition) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return false, kv.ErrClosed
	}
	for _, position := range after {
		if s.shards[position.Shard].hasNews(position.Sequence) {
			return true, nil
		}
	}
	return false, nil
}

// join puts wait among the waiters of all shards, and passes on the news that came before. It
// returns a channel that is closed when Close begins.
func (s *Store) join(wait *kv.LogWait, after []kv.LogPosition) (closing <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, kv.ErrClosed
	}
	for i, position := range after {
		l := s.shard(position.Shard)
		wait.Join(i, &l.waiters)
		if l.hasNews(position.Sequence) {
			l.waiters.Wake(l.last())
		}
	}
	if s.closing == nil {
		s.closing = make(chan struct{})
	}
	return s.closing, nil
}

// endWaits wakes everybody who waits for the log, now and later.
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
