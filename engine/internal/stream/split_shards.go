package stream

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// SplitShards replaces every open shard of a table's stream with two, as maintenance does with
// busy shards.
func (s *Streams) SplitShards(ctx context.Context, table string) error {
	s.maintaining.Lock() // maintenance also splits shards
	defer s.maintaining.Unlock()
	t, err := s.catalog.Find(table)
	switch {
	case err != nil:
		return err
	case t == nil:
		return dynamo.TableNotFound()
	case t.Stream == nil:
		return dynamo.Invalid("Table has no enabled stream: TableName: %s", t.Name())
	}
	open := t.Stream.Open()
	if 2*len(open) > maxOpenShards {
		return dynamo.Errorf(dynamo.LimitExceeded, "A stream has at most %d open shards, and that of table %s has %d", maxOpenShards, t.Name(), len(open))
	}
	for _, shard := range open {
		if err := s.catalog.ReplaceShard(ctx, t.Stream.ARN, shard.Log, 2); err != nil {
			return err
		}
	}
	return nil
}
