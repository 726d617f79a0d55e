package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/engine/internal/catalog"
)

const (
	maxRate       = 1000 // records per second; a busier shard is split
	maxOpenShards = 64   // of a stream
	maxShardAge   = 4 * time.Hour

	// minInterval is the shortest time over which a rate is measured.
	minInterval = 10 * time.Second
)

// A reading is the newest sequence number of a log at a time.
type reading struct {
	newest uint64
	at     time.Time
}

// Maintain does one round of maintenance. It trims expired records, splits shards
// that take many records, and replaces old ones. It is called
// about once a minute; if there is nothing to do it writes nothing.
func (s *Streams) Maintain(ctx context.Context) error {
	s.maintaining.Lock()
	defer s.maintaining.Unlock()
	now := s.catalog.Now()
	readings := map[uint32]reading{}
	var failures []error
	for _, stream := range s.catalog.Streams() {
		if err := s.trim(ctx, stream, now.Add(-retention)); err != nil {
			failures = append(failures, fmt.Errorf("trim stream %s: %w", stream.ARN, err))
		}
		if err := s.renewShards(ctx, stream, now, readings); err != nil {
			failures = append(failures, fmt.Errorf("renew the shards of stream %s: %w", stream.ARN, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	s.readings = readings
	return errors.Join(failures...)
}

// renewShards replaces the busy shards of a stream with two, and the old ones with one. It
// adds readings of the others.
func (s *Streams) renewShards(ctx context.Context, stream *catalog.Stream, now time.Time, readings map[uint32]reading) error {
	open := len(stream.Open())
	for _, shard := range stream.Open() {
		newest, err := s.store.LogHorizon(ctx, shard.Log)
		if err != nil {
			return err
		}
		is := reading{newest, now}
		was, known := s.readings[shard.Log]
		successors := 0
		switch {
		case known && is.busier(was) && open < maxOpenShards && shard.First < shard.Last:
			successors = 2
			open++
		case newest > 0 && now.Sub(shard.Created) > maxShardAge:
			successors = 1
		case known && now.Sub(was.at) < minInterval:
			is = was
		}
		if successors == 0 {
			readings[shard.Log] = is
			continue
		}
		if err := s.catalog.ReplaceShard(ctx, stream.ARN, shard.Log, successors); err != nil {
			return err
		}
	}
	return nil
}

// busier reports whether the rate of records since an earlier reading is too high for a shard.
func (r reading) busier(earlier reading) bool {
	interval := r.at.Sub(earlier.at)
	return interval >= minInterval && float64(r.newest-earlier.newest) > maxRate*interval.Seconds()
}
