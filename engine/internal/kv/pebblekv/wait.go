package pebblekv

import (
	"context"

	"sortkey.dev/engine/internal/kv"
)

// WaitLog waits outside the gate: whoever closes the store does not wait for it.
func (s *Store) WaitLog(ctx context.Context, after []kv.LogPosition) error {
	if news, err := s.anyNews(ctx, after, nil); news || err != nil {
		return err
	}
	wait := kv.NewLogWait(after)
	defer wait.Leave()
	if news, err := s.anyNews(ctx, after, wait); news || err != nil {
		return err
	}
	select {
	case <-wait.News():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.fuse.failed:
		return s.fuse.err()
	case <-s.gate.closing:
		return kv.ErrClosed
	}
}

// anyNews reports whether one of the shards has a record behind its position. If there is a
// wait it joins each shard before it looks.
func (s *Store) anyNews(ctx context.Context, after []kv.LogPosition, wait *kv.LogWait) (bool, error) {
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
