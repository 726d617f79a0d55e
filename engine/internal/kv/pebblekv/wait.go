package pebblekv

import (
	"context"

	"sortkey.dev/engine/internal/kv"
)

// WaitLog waits outside the gate, so Close does not wait for it.
func (s *Store) WaitLog(ctx context.Context, after []kv.LogPosition) error {
	if found, err := s.anyNewRecord(ctx, after, nil); found || err != nil {
		return err
	}
	wait := kv.NewLogWait(after)
	defer wait.Leave()
	if found, err := s.anyNewRecord(ctx, after, wait); found || err != nil {
		return err
	}
	select {
	case <-wait.Notified():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.fuse.failed:
		return s.fuse.err()
	case <-s.gate.closing:
		return kv.ErrClosed
	}
}

// anyNewRecord reports whether one of the shards has a record after its position. If wait is
// not nil, it joins each shard before the check.
func (s *Store) anyNewRecord(ctx context.Context, after []kv.LogPosition, wait *kv.LogWait) (bool, error) {
	if err := s.enter(ctx); err != nil {
		return false, err
	}
	defer s.gate.leave()
	for i, position := range after {
		sh, err := s.loadedShard(position.Shard)
		if err != nil {
			return false, err
		}
		if wait != nil {
			wait.Join(i, &sh.waiters)
		}
		if first, last := sh.readable(); last >= first && last > position.Sequence {
			return true, nil
		}
	}
	return false, nil
}
