package stream

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// A Follower reads all records of a stream, each once and those of an item in order,
// and waits for more. It is used by one goroutine at a time.
type Follower struct {
	streams *Streams
	arn     string
	shards  []cursor        // the shards to read, the next one first
	unread  []dynamo.Record // read from the log and not yet returned
}

// A cursor is the read position in a shard.
type cursor struct {
	log  uint32
	next position
}

// Follow returns a Follower of the stream with an ARN. It begins with the oldest
// retained record, or with the first one after this call.
func (s *Streams) Follow(ctx context.Context, arn string, fromOldest bool) (*Follower, error) {
	stream, err := s.find(arn)
	if err != nil {
		return nil, err
	}
	f := &Follower{streams: s, arn: arn}
	if fromOldest {
		for _, shard := range stream.Shards {
			if _, listed := stream.Shard(shard.Parent); !listed {
				f.shards = append(f.shards, cursor{shard.Log, oldest})
			}
		}
		return f, nil
	}
	for _, shard := range stream.Open() {
		next, err := s.latest(ctx, shard.Log)
		if err != nil {
			return nil, err
		}
		f.shards = append(f.shards, cursor{shard.Log, next})
	}
	return f, nil
}

// Records returns an iterator over the records. It ends when the stream is
// disabled and read to its end, or with an error, which is that of the context if
// it ended. If unread records were trimmed the error is a
// [dynamo.TrimmedDataAccess]. A later call continues where an earlier one stopped. The
// records stay valid.
func (f *Follower) Records(ctx context.Context) iter.Seq2[*dynamo.Record, error] {
	return func(yield func(*dynamo.Record, error) bool) {
		for {
			if err := f.fill(ctx); err != nil {
				yield(nil, err)
				return
			}
			if len(f.unread) == 0 {
				return
			}
			record := &f.unread[0]
			f.unread = f.unread[1:]
			if !yield(record, nil) {
				return
			}
		}
	}
}

// fill reads until there are unread records or the stream has ended.
func (f *Follower) fill(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	quiet := 0 // consecutive shards without new records
	for len(f.unread) == 0 && len(f.shards) > 0 {
		if quiet == len(f.shards) {
			if err := f.wait(ctx); err != nil {
				return err
			}
			quiet = 0
		}
		found, err := f.advance(ctx)
		if err != nil {
			return err
		}
		quiet++
		if found {
			quiet = 0
		}
	}
	return nil
}

// wait waits until one of the shards has a new record.
func (f *Follower) wait(ctx context.Context) error {
	after := make([]kv.LogPosition, len(f.shards))
	for i, c := range f.shards {
		after[i] = kv.LogPosition{Shard: c.log, Sequence: uint64(c.next) - 1}
	}
	if err := f.streams.store.WaitLog(ctx, after); err != nil {
		return fmt.Errorf("wait for changes: %w", err)
	}
	return nil
}

// maxTurn is the maximum number of records of a shard that are read before the next shard's turn.
const maxTurn = 100

// advance reads a page of the current shard and moves the shard, or its
// children if it has ended, behind the others. It reports whether there was anything new.
func (f *Follower) advance(ctx context.Context) (found bool, err error) {
	c := f.shards[0]
	p, err := f.page(ctx, c)
	if err != nil {
		return false, err
	}
	f.unread = p.records
	f.shards = slices.Delete(f.shards, 0, 1)
	if !p.ended {
		f.shards = append(f.shards, cursor{c.log, p.next})
		return len(p.records) > 0, nil
	}
	// The children start at a known position, so that reading fails if their records are
	// trimmed before their turn.
	if stream := f.streams.catalog.StreamByARN(f.arn); stream != nil {
		for _, shard := range stream.Shards {
			if shard.Parent == c.log {
				f.shards = append(f.shards, cursor{shard.Log, oldest + 1})
			}
		}
	}
	return true, nil
}

// page reads the next page of a shard.
func (f *Follower) page(ctx context.Context, c cursor) (page, error) {
	var shard catalog.Shard
	stream, listed := f.streams.catalog.StreamByARN(f.arn), false
	if stream != nil {
		shard, listed = stream.Shard(c.log)
	}
	switch {
	case listed:
		return f.streams.read(ctx, stream, shard, c.next, maxTurn)
	case c.next == oldest:
		return page{ended: true}, nil // it was empty and was removed
	}
	return page{}, trimmed()
}
