package stream

import (
	"context"
	"fmt"
	"math"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/rowformat"
)

// RecoverClock advances the catalog's clock to at least the time of the newest record of any
// shard. A cleanly closed database has saved that time; after a crash RecoverClock reads the
// end of each shard.
func (s *Streams) RecoverClock(ctx context.Context) error {
	if !s.catalog.Undated() {
		return nil
	}
	for _, stream := range s.catalog.Streams() {
		for _, shard := range stream.Shards {
			if err := s.recoverFrom(ctx, shard); err != nil {
				return fmt.Errorf("find the time of the newest record of stream %s: %w", stream.ARN, err)
			}
		}
	}
	return nil
}

func (s *Streams) recoverFrom(ctx context.Context, shard catalog.Shard) error {
	newest, err := s.store.LogHorizon(ctx, shard.Log)
	if err != nil {
		return err
	}
	found, err := s.takeTime(ctx, shard.Log, newest)
	if found || err != nil || newest == 0 {
		return err
	}
	// A crash with relaxed syncs leaves sequence numbers without a record.
	last, err := s.lastBefore(ctx, shard.Log, time.UnixMilli(math.MaxInt64))
	if err != nil {
		return err
	}
	_, err = s.takeTime(ctx, shard.Log, last)
	return err
}

// takeTime advances the clock to the time of the first record of a log at or after a sequence number.
func (s *Streams) takeTime(ctx context.Context, log uint32, from uint64) (found bool, err error) {
	var bad error
	err = s.store.ReadLog(ctx, log, from, func(_ uint64, raw []byte) bool {
		var c rowformat.Change
		if c, bad = rowformat.ParseChange(raw); bad == nil {
			found = true
			s.catalog.Clock.Advance(c.Time)
		}
		return false
	})
	return found, readError(log, err, bad)
}
