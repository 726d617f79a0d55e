package host

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/platform/platformdb"
)

const (
	everyFlush = time.Minute
	// everyMigration is the interval at which a waiting migration is retried.
	everyMigration = 10 * time.Second
	everyHint      = 3 * time.Second // while a stream is not followed
	everyRestart   = 5 * time.Second // of loops that run until they fail
	lastFlush      = 10 * time.Second
)

// A Tail follows the stream of a table in every process, for hints to open pages. It has no
// checkpoint: hints missed while the process was down are worthless.
type Tail struct {
	Table   string // the real name
	Handler stream.Handler
}

// allLoops returns the loops of the host and those of the system.
func (s *System) allLoops() []background.Loop {
	h := s.h
	loops := append(h.Queue.Loops(), background.Loop{Name: "metrics", Every: everyFlush, Do: h.Metrics.Flush})
	tails := s.front.Tails
	if h.Notifier != nil {
		tails = append(tails, Tail{Table: h.Platform.DB.Client().Table(platformdb.TablePlatform), Handler: h.inboxHints()})
	}
	if len(tails) > 0 {
		following := new(atomic.Int32)
		if h.Config.Streams != nil {
			for _, tail := range tails {
				loops = append(loops, background.Loop{
					Name: "hints of " + tail.Table, Every: everyRestart, Listens: true,
					Do: func(ctx context.Context) error { return h.follow(ctx, tail, following) },
				})
			}
		}
		loops = append(loops, background.Loop{Name: "hints", Every: everyHint, Do: func(context.Context) error {
			if int(following.Load()) < len(tails) {
				h.tellAll()
			}
			return nil
		}})
	}
	if len(h.data) > 0 {
		loops = append(loops, background.Loop{Name: "data", Every: everyMigration, Do: h.migrate})
	}
	return append(loops, s.front.Loops...)
}

// migrate goes on with migrations of the data that other processes go through, too.
func (h *Host) migrate(ctx context.Context) error {
	for _, data := range slices.Backward(h.data) { // the platform's first: everything stands on it
		if err := data.Continue(ctx); err != nil {
			return err
		}
	}
	return nil
}

// inboxHints tells open pages of changed notifications.
func (h *Host) inboxHints() stream.Handler {
	tell := func(_ context.Context, n platformdb.Notification) error {
		h.Hub.Tell(notify.Topic(n.Recipient))
		return nil
	}
	return h.Platform.DB.Stream(platformdb.Handlers{OnNotification: stream.On[platformdb.Notification]{
		Insert: tell, Remove: tell, Modify: func(ctx context.Context, _, n platformdb.Notification) error { return tell(ctx, n) },
	}})
}

// follow tells open pages of the changes in a table, until ctx is done or reading fails. Where
// streams cannot be read, open pages look again every few seconds.
func (h *Host) follow(ctx context.Context, tail Tail, following *atomic.Int32) error {
	began := false
	follower := stream.Tail{
		Streams: h.Config.Streams, DB: h.Config.DynamoDB, Table: tail.Table, Handler: tail.Handler,
		OnStart: func() { // earlier changes are unknown
			began = true
			following.Add(1)
			h.tellAll()
		},
		OnTrimmed: func(stream.Trimmed) { h.tellAll() },
		OnFailed: func(r stream.Record, err error) {
			h.Config.Log.Warn("a stream record could not be handled", slog.String("table", r.Table), slog.Any("error", err))
		},
	}
	defer func() {
		if began {
			following.Add(-1)
		}
		h.tellAll()
	}()
	if err := follower.Run(ctx); err != nil {
		return fmt.Errorf("follow table %s: %w", tail.Table, err)
	}
	return nil
}

// tellAll notifies all topics, for when the changes are unknown.
func (h *Host) tellAll() { h.Hub.Tell(h.Hub.Topics()...) }

// Run runs all loops until ctx is done, and waits for them to finish.
func (s *System) Run(ctx context.Context) error {
	s.loops.Run(ctx)
	if s.h.removeFiles != nil {
		defer s.h.removeFiles()
	}
	flush, done := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
	defer done()
	return s.h.Metrics.Flush(flush)
}
