// Package worker runs the background work of EcoBid: the jobs of all rooms, the sweeps that find
// what timers and streams missed, the consumer that turns the table's stream into deliveries of
// events, and the hints that make open pages reload. It calls rooms and never the database's
// patterns.
//
// Any number of processes run it on the same tables. Package server starts it.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
)

const (
	table = "ecobid"
	// checkpointsTable stores the position in the stream. It is not part of the design.
	checkpointsTable = "ecobid-checkpoints"
	// consumerName is the consumer name that all processes share, so that one of them handles each
	// change.
	consumerName = "ecobid-events"
	// followLease is the lease of a shard: after a crash, events wait this long for another process.
	followLease = 10 * time.Second
)

// Options configures a Worker. All fields but Poll are required.
type Options struct {
	Env     *ecobid.Env
	Domain  *domain.Domain
	Hub     *live.Hub
	Streams stream.StreamsAPI
	DB      interface {
		stream.TableAPI
		stream.TableMaker
	}
	// Poll is the interval at which an idle shard is read; that of package stream by default.
	Poll time.Duration
}

// A Worker runs background work.
type Worker struct{ o Options }

// New returns a worker.
func New(options Options) (*Worker, error) {
	if options.Env == nil || options.Domain == nil || options.Hub == nil || options.Streams == nil || options.DB == nil {
		return nil, errors.New("worker: an environment, a domain, a hub and streams are required")
	}
	return &Worker{o: options}, nil
}

// Prepare creates the table of checkpoints if it is missing.
func (w *Worker) Prepare(ctx context.Context) error {
	return stream.EnsureTable(ctx, w.o.DB, w.table(checkpointsTable))
}

func (w *Worker) table(name string) string { return w.o.Env.DB.Client().Table(name) }

// Loops returns the loops of the worker: sweeps and streams. The server runs the jobs of the
// environment's queue beside them.
func (w *Worker) Loops() []background.Loop {
	return []background.Loop{
		{Name: "sweep of auctions", Every: time.Minute, Do: w.SweepAuctions},
		{Name: "sweep of events", Every: time.Minute, Do: w.SweepEvents},
		{Name: "stream of events", Every: time.Second, Do: w.FollowEvents, Listens: true},
		{Name: "stream of hints", Every: time.Second, Do: w.FollowHints, Listens: true},
	}
}

// SweepAuctions ends auctions whose timers were lost.
func (w *Worker) SweepAuctions(ctx context.Context) error {
	_, err := w.o.Domain.Auctions.Sweep(ctx)
	return err
}

// SweepEvents queues events that the stream did not deliver.
func (w *Worker) SweepEvents(ctx context.Context) error {
	_, err := w.o.Domain.Events.Sweep(ctx)
	return err
}

// FollowEvents queues the delivery of every new event, until ctx is done. All processes together
// handle each event at least once.
func (w *Worker) FollowEvents(ctx context.Context) error {
	consumer := stream.Consumer{
		Streams: w.o.Streams, DB: w.o.DB, Table: w.table(table), Name: consumerName, Checkpoints: w.table(checkpointsTable),
		From: stream.Oldest, Poll: w.o.Poll, LeaseTime: followLease,
		Handler: w.o.Env.DB.Stream(ecobiddb.Handlers{OnOutboxEvent: stream.On[ecobiddb.OutboxEvent]{Insert: w.enqueue}}),
		OnTrimmed: func(t stream.Trimmed) { // the sweep finds the events
			w.o.Env.Log.Warn("stream records were trimmed before they were read", slog.String("shard", t.Shard))
		},
		OnParked: func(r stream.Record, err error) {
			w.o.Env.Log.Error("stream record of an event could not be handled", slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
		},
	}
	return consumer.Run(ctx)
}

func (w *Worker) enqueue(ctx context.Context, e ecobiddb.OutboxEvent) error {
	return w.o.Domain.Events.Enqueue(ctx, e.EventID)
}

// FollowHints notifies open pages of this process of changes, until ctx is done. Hints that were
// missed while the process was down are worthless.
func (w *Worker) FollowHints(ctx context.Context) error {
	all := func() { w.o.Hub.Tell(w.o.Hub.Topics()...) }
	tail := stream.Tail{
		Streams: w.o.Streams, DB: w.o.DB, Table: w.table(table), Handler: w.o.Env.DB.Stream(w.hints()), Poll: w.o.Poll,
		OnStart: all, OnTrimmed: func(stream.Trimmed) { all() },
		OnFailed: func(r stream.Record, err error) {
			w.o.Env.Log.Warn("stream record could not be read", slog.String("table", r.Table), slog.Any("error", err))
		},
	}
	if err := tail.Run(ctx); err != nil {
		return fmt.Errorf("follow table %s: %w", table, err)
	}
	return nil
}

// hints returns the handlers that notify the topics of a change.
func (w *Worker) hints() ecobiddb.Handlers {
	reservation := func(r ecobiddb.Reservation) error {
		w.o.Hub.Tell(ecobid.ItemTopic(r.ItemID), ecobid.PersonTopic(r.BuyerID), ecobid.PersonTopic(r.SellerID))
		return nil
	}
	return ecobiddb.Handlers{
		OnAuction: stream.On[ecobiddb.Auction]{
			Modify: func(_ context.Context, _, a ecobiddb.Auction) error {
				w.o.Hub.Tell(ecobid.AuctionTopic(a.AuctionID))
				return nil
			},
		},
		OnItem: stream.On[ecobiddb.Item]{
			Modify: func(_ context.Context, _, i ecobiddb.Item) error {
				w.o.Hub.Tell(ecobid.ItemTopic(i.ItemID))
				return nil
			},
		},
		OnReservation: stream.On[ecobiddb.Reservation]{
			Insert: func(_ context.Context, r ecobiddb.Reservation) error { return reservation(r) },
			Modify: func(_ context.Context, _, r ecobiddb.Reservation) error { return reservation(r) },
		},
		OnMessage: stream.On[ecobiddb.Message]{
			Insert: func(_ context.Context, m ecobiddb.Message) error {
				w.o.Hub.Tell(ecobid.MessagesTopic(m.ReservationID))
				return nil
			},
		},
	}
}
