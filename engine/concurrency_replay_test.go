package engine_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine"
)

// A shardReader reads a stream from its beginning like a program on AWS: shard by shard,
// parents before their children.
type shardReader struct {
	client *dynamodbstreams.Client
	arn    string
	next   map[string]*string // iterators by shard; nil: read to its end
	page   int32
}

func newShardReader(db *engine.DB, arn string, page int32) *shardReader {
	return &shardReader{client: db.Streams(), arn: arn, next: map[string]*string{}, page: page}
}

// catchUp passes the records that were not read yet to take.
func (r *shardReader) catchUp(ctx context.Context, take func(streamtypes.Record) error) error {
	for more := true; more; {
		shards, err := r.shards(ctx)
		if err != nil {
			return err
		}
		more = false
		for _, shard := range shards {
			if !r.isTurnOf(shard, shards) {
				continue
			}
			n, err := r.read(ctx, *shard.ShardId, take)
			if err != nil {
				return err
			}
			more = more || n > 0 || r.next[*shard.ShardId] == nil
		}
	}
	return nil
}

// isTurnOf reports whether a shard may have unread records and its parent was read to the end.
func (r *shardReader) isTurnOf(shard streamtypes.Shard, listed []streamtypes.Shard) bool {
	if next, begun := r.next[*shard.ShardId]; begun {
		return next != nil
	}
	isParent := func(s streamtypes.Shard) bool {
		return shard.ParentShardId != nil && *s.ShardId == *shard.ParentShardId
	}
	if !slices.ContainsFunc(listed, isParent) {
		return true
	}
	next, begun := r.next[*shard.ParentShardId]
	return begun && next == nil
}

func (r *shardReader) shards(ctx context.Context) (all []streamtypes.Shard, err error) {
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &r.arn, Limit: new(int32(3))}
	for {
		out, err := r.client.DescribeStream(ctx, in)
		if err != nil {
			return nil, err
		}
		all = append(all, out.StreamDescription.Shards...)
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			return all, nil
		}
	}
}

// read reads a shard until there are no more records, for now or because the shard is closed.
func (r *shardReader) read(ctx context.Context, shard string, take func(streamtypes.Record) error) (n int, err error) {
	next, begun := r.next[shard]
	if !begun {
		out, err := r.client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &r.arn, ShardId: &shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		if err != nil {
			return 0, err
		}
		next = out.ShardIterator
	}
	for next != nil {
		out, err := r.client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next, Limit: &r.page})
		if err != nil {
			return n, err
		}
		for _, record := range out.Records {
			if err := take(record); err != nil {
				return n, fmt.Errorf("shard %s: %w", shard, err)
			}
		}
		n += len(out.Records)
		if next = out.NextShardIterator; len(out.Records) == 0 {
			break
		}
	}
	r.next[shard] = next
	return n, nil
}

// A replica is a table rebuilt from a stream with both images that was created with the table.
type replica map[string]string // items by key, both formatted by show

// take applies a change, after checking that it continues the previous change of the item.
func (r replica) take(record streamtypes.Record) error {
	change := record.Dynamodb
	key, before, after := show(change.Keys), show(change.OldImage), show(change.NewImage)
	held, ok := r[key]
	if !ok {
		held = show[any](nil)
	}
	if held != before {
		return fmt.Errorf("record %s: %s %s begins with\n%s, the record before it ended with\n%s", *change.SequenceNumber, record.EventName, key, before, held)
	}
	if before == after {
		return fmt.Errorf("record %s: %s %s changes nothing", *change.SequenceNumber, record.EventName, key)
	}
	if change.NewImage == nil {
		delete(r, key)
	} else {
		r[key] = after
	}
	return nil
}

// follow is take for a stream that is younger than its table: the first change of an item may begin with any state.
func (r replica) follow(record streamtypes.Record) error {
	if key := show(record.Dynamodb.Keys); r[key] == "" {
		r[key] = show(record.Dynamodb.OldImage)
	}
	err := r.take(record)
	if record.Dynamodb.NewImage == nil {
		r[show(record.Dynamodb.Keys)] = show[any](nil)
	}
	return err
}

// agreeStreams replays the streams of tables, which were created with them, and compares the results with the tables.
func (s *testDB) agreeStreams(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		out, err := s.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if err != nil {
			return err
		}
		rebuilt := replica{}
		if err := newShardReader(s.db, *out.Table.LatestStreamArn, 100).catchUp(ctx, rebuilt.take); err != nil {
			return fmt.Errorf("replay the stream of table %s: %w", table, err)
		}
		items, err := s.scan(ctx, table, "", 100)
		if err != nil {
			return err
		}
		if want, got := shown(items), slices.Sorted(maps.Values(rebuilt)); !slices.Equal(want, got) {
			return fmt.Errorf("table %s and its stream differ (-table +stream):\n%s", table, cmp.Diff(want, got))
		}
	}
	return nil
}
