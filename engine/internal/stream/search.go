package stream

import (
	"context"
	"time"

	"sortkey.dev/engine/internal/rowformat"
)

// lastBefore returns the sequence number of the last record of a log before a time, 0 if
// there is none. Records are in the order of their times, so it is a binary search.
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

// probe reads the first record of a log at or after a sequence number and reports whether it is
// older than a time. The mark of a shard's end never is: it is removed with the shard.
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
