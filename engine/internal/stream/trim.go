package stream

import (
	"context"
	"math"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/rowformat"
)

// retention is how long records are kept, closed shards and disabled streams too.
const retention = 24 * time.Hour

// trim removes what a stream has from before a moment: records, then closed shards, then
// the stream itself if it was disabled.
//
// What is going to be removed is noted in the catalog first. So no reader can miss
// records without being told, and after a crash between the two the next round
// finds the records again. Shards and streams are forgotten last, because only they know of
// the logs.
func (s *Streams) trim(ctx context.Context, stream *catalog.Stream, before time.Time) error {
	gone := map[uint32]uint64{} // last sequence that goes, by log
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

// forget removes closed shards, and the stream if it was disabled before the moment.
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

// lastBefore returns the sequence of the last record of a log from before a moment, 0 if
// there is none. Records are in the order of their times, as far as the clock went
// forward, so a few of them tell.
func (s *Streams) lastBefore(ctx context.Context, log uint32, before time.Time) (uint64, error) {
	last, old, err := s.probe(ctx, log, 0, before)
	if err != nil || !old {
		return 0, err
	}
	end, err := s.store.LogHorizon(ctx, log)
	if err != nil {
		return 0, err
	}
	for last < end {
		middle := last + (end-last+1)/2
		sequence, old, err := s.probe(ctx, log, middle, before)
		if err != nil {
			return 0, err
		}
		if old {
			last = sequence
		} else {
			end = middle - 1
		}
	}
	return last, nil
}

// probe looks at the first record of a log with at least a sequence and tells whether it is
// from before a moment. The mark of a shard's end never is: it goes with the shard.
func (s *Streams) probe(ctx context.Context, log uint32, from uint64, before time.Time) (sequence uint64, old bool, err error) {
	var bad error
	err = s.store.ReadLog(ctx, log, from, func(seq uint64, raw []byte) bool {
		var c rowformat.Change
		c, bad = rowformat.ParseChange(raw)
		sequence, old = seq, c.Kind != rowformat.ShardEnd && c.Time.Before(before)
		return false
	})
	return sequence, old, readError(log, err, bad)
}
