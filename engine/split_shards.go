package engine

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

var _ dynamo.Control = (*operations)(nil)

// SplitShards closes every open shard of a table's stream and replaces each with two children.
// On AWS, and here, a shard is split when it takes many records, which a test cannot
// wait for; with SplitShards it can check that a consumer reads parents before their children.
// A stream has at most 64 open shards, which is four splits of a new stream.
//
// Over HTTP it is the operation Sortkey.SplitShards:
//
//	curl localhost:8000 -H 'Content-Type: application/x-amz-json-1.0' \
//	     -H 'X-Amz-Target: Sortkey.SplitShards' -d '{"TableName": "Orders"}'
func (db *DB) SplitShards(ctx context.Context, table string) error {
	if _, err := db.api.ops.SplitShards(ctx, &dynamo.SplitShardsInput{TableName: &table}); err != nil {
		return fmt.Errorf("split the shards of table %s: %w", table, err)
	}
	return nil
}

func (o *operations) SplitShards(ctx context.Context, in *dynamo.SplitShardsInput) (*dynamo.SplitShardsOutput, error) {
	table, err := request.CheckSplitShards(in)
	if err != nil {
		return nil, err
	}
	if err := o.streams.SplitShards(ctx, table); err != nil {
		return nil, err
	}
	return &dynamo.SplitShardsOutput{}, nil
}
