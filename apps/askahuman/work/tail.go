package work

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/access/stream"
)

// A tail reads the end of a table's stream, for one process and from now on. It is no
// stream.Consumer because it has nothing to remember: a hint that was missed while the
// process was away is worth nothing, whereas the leases and checkpoints of a consumer of its
// own would be written for ever, and stay behind when the process is killed.
type tail struct {
	streams stream.StreamsAPI
	db      DynamoDB
	table   string

	arn    string
	shards map[string]*string // iterators by shard; nil for one that has ended
	steps  int                // since the shards were listed
}

const (
	// relist is after how many steps new shards are looked for.
	relist = 30
	// pagesMost bounds what a step reads of one shard.
	pagesMost = 20
)

// describe finds the stream of the table, and gives its open shards and those that ended
// lately.
func (t *tail) describe(ctx context.Context) ([]streamtypes.Shard, error) {
	if t.arn == "" {
		out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &t.table})
		if err != nil {
			return nil, fmt.Errorf("find the stream of table %s: %w", t.table, err)
		}
		if out.Table == nil || out.Table.LatestStreamArn == nil {
			return nil, fmt.Errorf("table %s has no stream", t.table)
		}
		t.arn = *out.Table.LatestStreamArn
	}
	var all []streamtypes.Shard
	input := &dynamodbstreams.DescribeStreamInput{StreamArn: &t.arn}
	for {
		out, err := t.streams.DescribeStream(ctx, input)
		if err != nil {
			return nil, fmt.Errorf("describe the stream of table %s: %w", t.table, err)
		}
		if out.StreamDescription == nil {
			return nil, errors.New("the stream has no description")
		}
		all = append(all, out.StreamDescription.Shards...)
		if input.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; input.ExclusiveStartShardId == nil {
			return all, nil
		}
	}
}

// step reads what is new. It reports whether it has just begun, so that nobody knows what
// was before. After an error it begins anew.
func (t *tail) step(ctx context.Context) (fresh bool, records []stream.Record, err error) {
	fresh = t.shards == nil
	defer func() {
		if err != nil {
			t.arn, t.shards = "", nil
		}
	}()
	if fresh || len(t.shards) == 0 || t.steps >= relist {
		if err := t.list(ctx, fresh); err != nil {
			return fresh, nil, err
		}
	}
	t.steps++
	for shard, iterator := range t.shards {
		read, next, err := t.read(ctx, iterator)
		if err != nil {
			return fresh, nil, fmt.Errorf("read shard %s: %w", shard, err)
		}
		records = append(records, read...)
		if t.shards[shard] = next; next == nil && iterator != nil {
			t.steps = relist // it has children
		}
	}
	return fresh, records, nil
}

// list looks for shards. In the beginning all that is in them is old; later all that is in
// new ones is new.
func (t *tail) list(ctx context.Context, fresh bool) error {
	listed, err := t.describe(ctx)
	if err != nil {
		return err
	}
	known := t.shards
	t.shards, t.steps = make(map[string]*string, len(listed)), 0
	for _, shard := range listed {
		if iterator, seen := known[*shard.ShardId]; seen {
			t.shards[*shard.ShardId] = iterator
			continue
		}
		kind := streamtypes.ShardIteratorTypeTrimHorizon
		if fresh {
			kind = streamtypes.ShardIteratorTypeLatest
		}
		out, err := t.streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &t.arn, ShardId: shard.ShardId, ShardIteratorType: kind,
		})
		if err != nil {
			return fmt.Errorf("find the place in shard %s: %w", *shard.ShardId, err)
		}
		t.shards[*shard.ShardId] = out.ShardIterator
	}
	return nil
}

// read reads a shard as far as there is something. The iterator is nil at its end.
func (t *tail) read(ctx context.Context, iterator *string) (records []stream.Record, next *string, err error) {
	for range pagesMost {
		if iterator == nil {
			break
		}
		page, err := t.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
		if err != nil {
			return nil, nil, err
		}
		iterator = page.NextShardIterator
		for _, from := range page.Records {
			r, err := stream.RecordOf(t.table, from)
			if err != nil {
				return nil, nil, err
			}
			records = append(records, r)
		}
		if len(page.Records) == 0 {
			break
		}
	}
	return records, iterator, nil
}
