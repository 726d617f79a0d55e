package stream

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/internal/wait"
)

// A listing is the shards of a stream.
type listing struct {
	shards   []streamtypes.Shard
	disabled bool // the stream was switched off
}

func (l listing) has(id string) bool {
	return slices.ContainsFunc(l.shards, func(shard streamtypes.Shard) bool { return text(shard.ShardId) == id })
}

// shards lists the shards of the stream.
func (c *Consumer) shards(ctx context.Context) (all listing, err error) {
	input := &dynamodbstreams.DescribeStreamInput{StreamArn: &c.StreamARN}
	for {
		var out *dynamodbstreams.DescribeStreamOutput
		err := c.try(ctx, "describe the stream", func(ctx context.Context) (err error) {
			out, err = c.Streams.DescribeStream(ctx, input)
			return err
		})
		if err != nil {
			return listing{}, err
		}
		all.shards = append(all.shards, out.StreamDescription.Shards...)
		input.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId
		if input.ExclusiveStartShardId == nil {
			all.disabled = out.StreamDescription.StreamStatus == streamtypes.StreamStatusDisabled
			return all, nil
		}
	}
}

// OpenShards returns the ids of the shards of a stream that records are still written to.
func OpenShards(ctx context.Context, streams StreamsAPI, arn string) ([]string, error) {
	c := Consumer{Streams: streams, StreamARN: arn, Sleep: wait.For}
	all, err := c.shards(ctx)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, shard := range all.shards {
		if !closed(shard) {
			open = append(open, text(shard.ShardId))
		}
	}
	return open, nil
}

func closed(shard streamtypes.Shard) bool {
	return shard.SequenceNumberRange != nil && shard.SequenceNumberRange.EndingSequenceNumber != nil
}

// A reader reads the records of one shard, page by page.
type reader struct {
	*Consumer
	shard    string
	iterator *string // of the next page; nil: one has to be made
	latest   bool    // the first iterator begins with what comes now
	trimmed  bool    // records are gone: the next iterator begins with what is left
}

// read reads the page after a record, or the first one if that is "". It reports whether
// the shard ends with it.
func (r *reader) read(ctx context.Context, after string) (records []streamtypes.Record, ended bool, err error) {
	for attempt := 1; ; attempt++ {
		page, err := r.page(ctx, after)
		again := attempt < requestAttempts
		switch {
		case err == nil:
			if r.trimmed {
				r.report(after, page.Records)
			}
			r.iterator, r.trimmed = page.NextShardIterator, false
			return page.Records, page.NextShardIterator == nil, nil
		case iteratorExpired(err) && again:
			r.iterator = nil
		case dataTrimmed(err) && again:
			r.iterator, r.trimmed = nil, true
		case shardGone(err): // it has left the stream, with all that was in it
			r.report(after, nil)
			return nil, true, nil
		default:
			return nil, false, err
		}
	}
}

func (r *reader) page(ctx context.Context, after string) (page *dynamodbstreams.GetRecordsOutput, err error) {
	if r.iterator == nil {
		if err := r.position(ctx, after); err != nil {
			return nil, err
		}
	}
	err = r.try(ctx, "read shard "+r.shard, func(ctx context.Context) (err error) {
		page, err = r.Streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: r.iterator})
		return err
	})
	return page, err
}

// position makes an iterator. One that begins with what comes now is made only once: if it
// expires, a second one would skip what came in between.
func (r *reader) position(ctx context.Context, after string) error {
	input := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &r.StreamARN, ShardId: &r.shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	}
	switch {
	case r.trimmed:
	case after != "":
		input.ShardIteratorType, input.SequenceNumber = streamtypes.ShardIteratorTypeAfterSequenceNumber, &after
	case r.latest:
		input.ShardIteratorType = streamtypes.ShardIteratorTypeLatest
	}
	r.latest = false
	return r.try(ctx, "find the place in shard "+r.shard, func(ctx context.Context) error {
		out, err := r.Streams.GetShardIterator(ctx, input)
		if err == nil {
			r.iterator = out.ShardIterator
		}
		return err
	})
}

// report tells of records that are gone.
func (r *reader) report(after string, records []streamtypes.Record) {
	gap := Trimmed{Table: r.Table, Shard: r.shard, After: after}
	if len(records) > 0 && records[0].Dynamodb != nil {
		gap.Next = text(records[0].Dynamodb.SequenceNumber)
	}
	r.OnTrimmed(gap)
}
