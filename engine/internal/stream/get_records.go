package stream

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// GetRecords reads records from the position of an iterator on. There is no next
// iterator at the end of a closed shard.
func (s *Streams) GetRecords(ctx context.Context, req *request.GetRecords) (*dynamo.GetRecordsOutput, error) {
	now := s.catalog.Now()
	it, err := openIterator(req.Iterator, now)
	if err != nil {
		return nil, err
	}
	stream, err := s.find(it.stream)
	if err != nil {
		return nil, err
	}
	shard, found := stream.Shard(it.log)
	if !found {
		return nil, shardNotFound()
	}
	p, err := s.read(ctx, stream, shard, it.from, req.Limit)
	if err != nil {
		return nil, err
	}
	out := &dynamo.GetRecordsOutput{Records: p.records}
	if !p.ended {
		next := iterator{stream: it.stream, log: it.log, from: p.next, issued: now}.String()
		out.NextShardIterator = &next
	}
	return out, nil
}
