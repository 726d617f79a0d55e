package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// A follower reads a stream, and can continue where it stopped.
type follower struct {
	arn     string
	records []record
	events  map[string]bool         // ids that were read
	shards  map[string]*shardReader // by id
}

// A shardReader is the position of a follower in a shard.
type shardReader struct {
	last   string // number of the last record, which may belong to its parent
	own    bool   // it is a record of this shard
	next   *string
	issued time.Time // when next was issued
	ended  bool
}

func newFollower(arn string) *follower {
	return &follower{arn: arn, events: map[string]bool{}, shards: map[string]*shardReader{}}
}

// follow reads all shards of a stream up to their current end, parents before their children.
func (f *follower) follow(ctx context.Context, p *player, on bool, limit *int32) error {
	shards, status, err := f.describe(ctx, p.db.Streams())
	if err != nil {
		return err
	}
	if (status == streamtypes.StreamStatusEnabled) != on {
		return fmt.Errorf("its status is %s", status)
	}
	isOpen := func(s streamtypes.Shard) bool { return s.SequenceNumberRange.EndingSequenceNumber == nil }
	if slices.ContainsFunc(shards, isOpen) != on {
		return fmt.Errorf("its status is %s, but its shards are %s", status, Literal(shards))
	}
	for _, shard := range shards {
		id, parent := aws.ToString(shard.ShardId), aws.ToString(shard.ParentShardId)
		if f.shards[id] == nil {
			f.shards[id] = &shardReader{}
			if parent != "" {
				if f.shards[parent] == nil {
					return fmt.Errorf("shard %s comes before its parent %s", id, parent)
				}
				f.shards[id].last = f.shards[parent].last
			}
		}
		if err := f.read(ctx, p, id, !isOpen(shard), limit); err != nil {
			return fmt.Errorf("shard %s: %w", id, err)
		}
	}
	return nil
}

// describe lists the shards of the stream.
func (f *follower) describe(ctx context.Context, db Streams) (shards []streamtypes.Shard, status streamtypes.StreamStatus, err error) {
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &f.arn}
	for {
		out, err := db.DescribeStream(ctx, in)
		if err != nil {
			return nil, "", err
		}
		shards = append(shards, out.StreamDescription.Shards...)
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			return shards, out.StreamDescription.StreamStatus, nil
		}
	}
}

// read reads a shard up to its current end.
func (f *follower) read(ctx context.Context, p *player, id string, closed bool, limit *int32) error {
	shard := f.shards[id]
	if err := f.renew(ctx, p, id); err != nil {
		return err
	}
	for !shard.ended {
		page, err := p.db.Streams().GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: shard.next, Limit: limit})
		if err != nil {
			return err
		}
		for _, r := range page.Records {
			if err := f.take(shard, r); err != nil {
				return err
			}
		}
		shard.next, shard.issued, shard.ended = page.NextShardIterator, p.model.now, page.NextShardIterator == nil
		switch {
		case shard.ended && !closed:
			return errors.New("it is open, but reading ended")
		case len(page.Records) == 0 && !closed:
			return nil
		}
	}
	return nil
}

// iteratorLife is the lifetime of an iterator.
const iteratorLife = 15 * time.Minute

// renew gets an iterator if there is none, or if the current one has expired.
func (f *follower) renew(ctx context.Context, p *player, id string) error {
	shard := f.shards[id]
	age := p.model.now.Sub(shard.issued)
	if shard.ended || shard.next != nil && age < iteratorLife {
		return nil
	}
	if shard.next != nil && age > iteratorLife {
		_, err := p.db.Streams().GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: shard.next})
		if _, expired := errors.AsType[*streamtypes.ExpiredIteratorException](err); !expired {
			return fmt.Errorf("an iterator can be used after %v: %v", age, err)
		}
	}
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &f.arn, ShardId: &id, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon}
	if shard.own {
		in.ShardIteratorType, in.SequenceNumber = streamtypes.ShardIteratorTypeAfterSequenceNumber, &shard.last
	}
	out, err := p.db.Streams().GetShardIterator(ctx, in)
	if err != nil {
		return err
	}
	shard.next, shard.issued = out.ShardIterator, p.model.now
	return nil
}

// take adds one record.
func (f *follower) take(shard *shardReader, r streamtypes.Record) error {
	number := aws.ToString(r.Dynamodb.SequenceNumber)
	if cmp.Or(cmp.Compare(len(shard.last), len(number)), cmp.Compare(shard.last, number)) >= 0 {
		return fmt.Errorf("record %s comes after %s", number, shard.last)
	}
	shard.last, shard.own = number, true
	id := aws.ToString(r.EventID)
	if f.events[id] {
		return fmt.Errorf("event %s comes twice", id)
	}
	f.events[id] = true
	f.records = append(f.records, recordOf(r))
	return nil
}
