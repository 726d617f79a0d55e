package stream

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/internal/wait"
)

// A Tail hands what changes from now on to a handler, and remembers nothing. It is for what
// every process wants to hear for itself and can do without: hints to open pages, or entries
// of a cache that are out of date. What must not be missed is for a Consumer.
//
// DynamoDB is made for two readers of a shard at a time and slows down more of them. Each
// tail is one, as is each consumer of another name: with many processes let few of them
// read, and tell the others.
//
// The fields up to Handler have to be set, with Table and DB or StreamARN; those after it
// have defaults. They must not be changed while the tail runs.
type Tail struct {
	Streams   StreamsAPI
	DB        TableDescriber
	Table     string
	StreamARN string
	// Handler is called for one record after the other. It is not called again for one at
	// which it failed or panicked.
	Handler Handler

	// OnStart is called once, when the tail knows where it begins: nothing that changes after
	// that is missed, and earlier changes are not delivered.
	OnStart func()
	// OnFailed hears of records at which the handler failed or panicked, and why; the tail goes
	// on. Nil: it is logged.
	OnFailed func(Record, error)
	// OnTrimmed hears of records that were gone before they were read, as they are when the
	// process sleeps for a day. Nil: it is logged.
	OnTrimmed func(Trimmed)
	// Poll is the wait after the tail has read all records; the default is one second.
	Poll time.Duration
	// Sleep is the clock, for tests.
	Sleep func(context.Context, time.Duration) error
}

// Run follows the stream until the context ends, or the stream was switched off and all its
// records were handled; then it returns nil. The records of one item come in their order.
//
// It returns an error when DynamoDB refuses a request, or goes on failing. A tail
// that is run again begins at that time, and misses the changes in between.
func (t *Tail) Run(ctx context.Context) error {
	f, err := t.follower(ctx)
	if err == nil {
		err = f.run(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (t *Tail) follower(ctx context.Context) (f *tailFollower, err error) {
	switch {
	case t.Streams == nil || t.Handler == nil:
		return nil, errors.New("stream: a tail needs Streams and a Handler")
	case t.StreamARN == "" && (t.Table == "" || t.DB == nil):
		return nil, errors.New("stream: a tail needs a table and a DB, or the ARN of a stream")
	}
	f = &tailFollower{Tail: *t, shards: map[string]*tailShard{}}
	if f.StreamARN == "" {
		if f.StreamARN, err = latestStream(ctx, f.DB, f.Table); err != nil {
			return nil, err
		}
	}
	if f.Table, err = tableOf(f.StreamARN); err != nil {
		return nil, err
	}
	f.withDefaults()
	f.source = Consumer{Streams: f.Streams, StreamARN: f.StreamARN, Table: f.Table, OnTrimmed: f.OnTrimmed, Sleep: f.Sleep}
	return f, nil
}

func (f *tailFollower) withDefaults() {
	f.Poll = positive(f.Poll, time.Second)
	f.since = time.Now().Add(-tailSkew)
	if f.Sleep == nil {
		f.Sleep = wait.For
	}
	if f.OnStart == nil {
		f.OnStart = func() {}
	}
	if f.OnFailed == nil {
		f.OnFailed = func(r Record, err error) {
			slog.Warn("a record at the end of a stream could not be handled",
				slog.String("table", r.Table), slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
		}
	}
	if f.OnTrimmed == nil {
		f.OnTrimmed = func(gap Trimmed) {
			slog.Warn("records at the end of a stream were gone before they were read",
				slog.String("table", gap.Table), slog.String("shard", gap.Shard), slog.String("after", gap.After), slog.String("next", gap.Next))
		}
	}
}

const (
	// tailRelist is after how many rounds new shards are looked for, besides when one ends.
	tailRelist = 30
	// tailPages bounds what is read of a shard while the others wait.
	tailPages = 20
	// tailSkew is the largest difference between clocks. When the place in a shard is lost before the
	// first record was read, the shard is read anew and old records are told by their time.
	tailSkew = time.Minute
)

// A tailFollower is a tail that runs. It reads the shards in turn.
type tailFollower struct {
	Tail
	source Consumer // reads; as a consumer it never runs
	since  time.Time
	shards map[string]*tailShard
	order  []*tailShard // as they were listed
}

// A tailShard is a shard with the place up to which it was read.
type tailShard struct {
	reader
	parent string
	last   string // sequence number of the last record that was read
	ended  bool
}

func (f *tailFollower) run(ctx context.Context) error {
	off, err := f.list(ctx, true)
	if err != nil {
		return err
	}
	f.OnStart()
	for rounds := 1; ; rounds++ {
		open, changed, err := f.round(ctx)
		if err != nil {
			return err
		}
		if changed || open == 0 || rounds%tailRelist == 0 {
			if open == 0 && off { // before this round, which has read to the end
				return nil
			}
			if off, err = f.list(ctx, false); err != nil {
				return err
			}
		}
		if changed {
			continue // children wait
		}
		if err := f.Sleep(ctx, f.Poll); err != nil {
			return err
		}
	}
}

// list looks which shards there are, and reports whether the stream was switched off. In
// the beginning all that is in them is old, later all that is in new ones is new.
func (f *tailFollower) list(ctx context.Context, first bool) (off bool, err error) {
	listed, err := f.source.shards(ctx)
	if err != nil {
		return false, err
	}
	known := f.shards
	f.shards = make(map[string]*tailShard, len(listed.shards))
	// What is no longer listed but was not read to its end: the reader finds out.
	f.order = slices.DeleteFunc(f.order, func(s *tailShard) bool { return s.ended || listed.has(s.shard) })
	for _, s := range f.order {
		f.shards[s.shard] = s
	}
	for _, shard := range listed.shards {
		s := known[text(shard.ShardId)]
		if s == nil {
			if s, err = f.begin(ctx, shard, first); err != nil {
				return false, err
			}
		}
		f.shards[s.shard] = s
		f.order = append(f.order, s)
	}
	return listed.disabled, nil
}

// begin finds the place in a shard from which on it is read. One that had ended in the
// beginning tells so at the first read; some services that speak the protocol say of open
// shards, too, where they end.
func (f *tailFollower) begin(ctx context.Context, shard streamtypes.Shard, first bool) (*tailShard, error) {
	s := &tailShard{parent: text(shard.ParentShardId)}
	s.reader = reader{Consumer: &f.source, shard: text(shard.ShardId), latest: first}
	if !first {
		return s, nil
	}
	err := s.position(ctx, "")
	if shardGone(err) {
		s.ended, err = true, nil
	}
	return s, err
}

// round reads what is new in all shards. It counts those that are open, and reports whether
// one has ended.
func (f *tailFollower) round(ctx context.Context) (open int, changed bool, err error) {
	for _, s := range f.order {
		if s.ended {
			continue
		}
		if parent := f.shards[s.parent]; parent == nil || parent.ended {
			if err := f.drain(ctx, s); err != nil {
				return 0, false, err
			}
		}
		if s.ended {
			changed = true
		} else {
			open++
		}
	}
	return open, changed, nil
}

// drain reads a shard until there is nothing more at the moment.
func (f *tailFollower) drain(ctx context.Context, s *tailShard) error {
	for range tailPages {
		records, ended, err := s.read(ctx, s.last)
		if err != nil {
			return err
		}
		for _, r := range records {
			if err := f.handle(ctx, s, r); err != nil {
				return err
			}
		}
		if s.ended = ended; ended || len(records) == 0 {
			return nil
		}
	}
	return nil
}

func (f *tailFollower) handle(ctx context.Context, s *tailShard, from streamtypes.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := RecordOf(f.Table, from)
	if err != nil {
		return err
	}
	s.last = r.SequenceNumber
	if !r.notBefore(f.since) {
		return nil
	}
	if err := f.Handler.call(ctx, r); err != nil && ctx.Err() == nil {
		f.OnFailed(r, err)
	}
	return nil
}
