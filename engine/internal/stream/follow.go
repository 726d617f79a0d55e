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

// A Follower reads all records of a stream, each once, those of an item in order,
// and waits for more. It is used by one goroutine at a time.
type Follower struct {
	streams *Streams
	arn     string
	shards  []cursor        // those that are read, the next one first
	unread  []dynamo.Record // taken from the log and not handed out yet
}

// A cursor is how far a shard was read.
type cursor struct {
	log  uint32
	next position
}

// Follow returns a Follower of the stream with an ARN. It begins with the oldest
// record that is kept, or with the first one after this call.
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

// Records gives the records one after the other. It ends when the stream is
// disabled and read to its end, or with an error, which is that of the context when
// it ends. When records were trimmed that were not read yet the error is a
// [dynamo.TrimmedDataAccess]. A later call goes on where an earlier one stopped. The
// records stay good.
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

// fill sees to it that there are unread records, unless the stream has ended.
func (f *Follower) fill(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	quiet := 0 // shards in a row in which there was nothing
	for len(f.unread) == 0 && len(f.shards) > 0 {
		if quiet == len(f.shards) {
			if err := f.wait(ctx); err != nil {
				return err
			}
			quiet = 0
		}
		news, err := f.advance(ctx)
		if err != nil {
			return err
		}
		quiet++
		if news {
			quiet = 0
		}
	}
	return nil
}

// wait returns when one of the shards has something new.
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

// maxTurn is how many records of a shard are read before another one gets its turn.
const maxTurn = 100

// advance reads a page of the shard whose turn it is and puts the shard, or its
// children when it has ended, behind the others. It reports whether anything was new.
func (f *Follower) advance(ctx context.Context) (news bool, err error) {
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
	// The children are known from now on, so that they are missed if they are
	// trimmed before their turn comes.
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
		return page{ended: true}, nil // it had nothing left and was forgotten
	}
	return page{}, trimmed()
}
