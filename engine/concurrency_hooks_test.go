package engine

import "context"

// ReplaceShard closes an open shard of a stream, which pick chooses by its number, and
// replaces it with n new shards. The engine does so when a shard is busy or old, which
// takes longer than a test of package engine_test.
func (db *DB) ReplaceShard(ctx context.Context, arn string, pick func(open int) int, n int) error {
	c := db.api.ops.catalog
	s := c.StreamByARN(arn)
	if s == nil || len(s.Open()) == 0 {
		return nil
	}
	return c.ReplaceShard(ctx, arn, s.Open()[pick(len(s.Open()))].Log, n)
}
