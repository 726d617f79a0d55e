package stream

import (
	"context"
	"fmt"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// GetShardIterator returns an iterator at the requested position.
func (s *Streams) GetShardIterator(ctx context.Context, req *request.GetShardIterator) (*dynamo.GetShardIteratorOutput, error) {
	stream, err := s.find(req.Stream)
	if err != nil {
		return nil, err
	}
	shard, err := findShard(stream, req.Shard)
	if err != nil {
		return nil, err
	}
	from, err := s.begin(ctx, shard, req)
	if err != nil {
		return nil, err
	}
	text := iterator{stream: stream.ARN, log: shard.Log, from: from, issued: s.catalog.Now()}.String()
	return &dynamo.GetShardIteratorOutput{ShardIterator: &text}, nil
}

// begin returns the position in a shard that a request specifies.
func (s *Streams) begin(ctx context.Context, shard catalog.Shard, req *request.GetShardIterator) (position, error) {
	switch req.From {
	case request.TrimHorizon:
		return oldest, nil
	case request.Latest:
		return s.latest(ctx, shard.Log)
	case request.FromTime:
		return s.at(ctx, shard, req.Time)
	}
	newest, err := s.store.LogHorizon(ctx, shard.Log)
	if err != nil {
		return 0, fmt.Errorf("find the end of shard %s: %w", req.Shard, err)
	}
	log, sequence, ok := parseNumber(req.Sequence)
	if !ok || log != shard.Log || sequence > newest {
		return 0, dynamo.Invalid("Invalid SequenceNumber")
	}
	from := position(max(sequence, 1))
	if req.From == request.AfterSequence {
		from = position(sequence + 1)
	}
	if from <= position(shard.Trimmed) {
		return 0, trimmed()
	}
	return from, nil
}

// at returns the position of the first record at or after a time. It is oldest
// if no earlier record is retained.
func (s *Streams) at(ctx context.Context, shard catalog.Shard, t time.Time) (position, error) {
	if t.After(s.catalog.Clock.Tick()) {
		return 0, dynamo.Invalid("One or more parameter values were invalid: Timestamp must not be in the future")
	}
	last, err := s.lastBefore(ctx, shard.Log, t)
	if err != nil || last <= shard.Trimmed {
		return oldest, err
	}
	return position(last + 1), nil
}

// latest returns the position after the newest record of a log, but before the mark of its end.
func (s *Streams) latest(ctx context.Context, log uint32) (position, error) {
	newest, err := s.store.LogHorizon(ctx, log)
	if err != nil {
		return 0, fmt.Errorf("find the end of log %d: %w", log, err)
	}
	from := position(newest + 1)
	var bad error
	err = s.store.ReadLog(ctx, log, max(newest, 1), func(sequence uint64, raw []byte) bool {
		var c rowformat.Change
		if c, bad = rowformat.ParseChange(raw); c.Kind == rowformat.ShardEnd {
			from = position(sequence)
		}
		return false
	})
	return from, readError(log, err, bad)
}
