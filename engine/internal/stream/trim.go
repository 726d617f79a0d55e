package stream

import (
	"context"
	"math"
	"time"

	"sortkey.dev/engine/internal/catalog"
)

// retention is the retention period of records, closed shards and disabled streams.
const retention = 24 * time.Hour

// trim removes the parts of a stream that are older than a time: records, then closed shards,
// then the stream itself if it was disabled.
//
// A trim is recorded in the catalog first. So no reader can miss
// records without an error, and after a crash in between the next round
// finds the records again. Shards and streams are removed last, because only they name the
// logs.
func (s *Streams) trim(ctx context.Context, stream *catalog.Stream, before time.Time) error {
	gone := map[uint32]uint64{} // last trimmed sequence number, by log
	var closed []catalog.Shard
	for _, shard := range stream.Shards {
		if !shard.Created.Before(before) {
			continue // and neither are its records
		}
		last, err := s.lastBefore(ctx, shard.Log, before)
		if err != nil {
			return err
		}
		if last > 0 {
			gone[shard.Log] = last
		}
		if shard.Closed != nil && shard.Closed.Before(before) {
			closed = append(closed, shard)
		}
	}
	if len(gone) > 0 {
		if err := s.catalog.TrimStream(ctx, stream.ARN, gone, time.Time{}); err != nil {
			return err
		}
	}
	for log, last := range gone {
		if err := s.store.TrimLog(ctx, log, last+1); err != nil {
			return err
		}
	}
	return s.forget(ctx, stream, closed, before)
}

// forget removes closed shards, and the stream if it was disabled before the time.
func (s *Streams) forget(ctx context.Context, stream *catalog.Stream, closed []catalog.Shard, before time.Time) error {
	for _, shard := range closed {
		if err := s.store.TrimLog(ctx, shard.Log, math.MaxUint64); err != nil {
			return err
		}
	}
	if stream.Disabled != nil && stream.Disabled.Before(before) {
		return s.catalog.DropStream(ctx, stream)
	}
	if len(closed) == 0 {
		return nil
	}
	return s.catalog.TrimStream(ctx, stream.ARN, nil, before)
}
