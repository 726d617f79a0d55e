// Package worker does what nobody asks Ask-a-Human for: it wakes people for questions, tells
// agents that their questions are over, writes down that time is up, and tells open pages
// that something changed. Each duty is a step that can be called by itself; Run calls all of
// them, again and again.
//
// Any number of processes may do so on the same tables. What must happen once is a job in the
// database, held by one worker under a lease; what every process needs for itself, the
// hints of open pages, each reads from the streams of the tables.
//
// It decides no rule of questions and people; those are in package askahuman. The server
// opens it.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notify"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
)

// DynamoDB is what a worker needs of the database besides its patterns: a table that
// remembers how far the streams were read.
type DynamoDB interface {
	stream.TableAPI
	stream.TableMaker
}

// Options are what a worker is made of.
type Options struct {
	Service *askahuman.Service
	Hub     *live.Hub
	// Senders bring messages to people, by the channel of their subscription. People on
	// a channel without a sender find their question in the inbox.
	Senders map[askahumandb.SubscriptionChannel]notify.Sender
	// PublicURL is where people reach the system, without a slash at the end.
	PublicURL string

	// DynamoDB and Streams are for following changes. Without Streams, or when they cannot be
	// read, pages and webhooks are served by looking again every few seconds.
	DynamoDB DynamoDB
	Streams  stream.StreamsAPI

	// AllowPrivateCallbacks lets webhooks reach addresses that are not public.
	AllowPrivateCallbacks bool

	Log *slog.Logger
	// Random is a number from 0 up to 1; chance decides who is woken, and when a job is
	// tried again.
	Random func() float64
	// Poll is how often streams are read; a second if not said.
	Poll time.Duration
}

// A Worker does the work of one process.
type Worker struct {
	Options
	db        *askahumandb.DB
	client    *http.Client                               // for webhooks
	following atomic.Bool                                // the streams can be read, so webhooks come from them
	tailing   atomic.Int32                               // how many of hintTables are followed now
	tailSleep func(context.Context, time.Duration) error // for tests
	loops     atomic.Pointer[background.Group]
}

// New returns a worker.
func New(options Options) (*Worker, error) {
	if options.Service == nil || options.Hub == nil || options.Log == nil {
		return nil, errors.New("worker: a worker needs a service, a hub and a log")
	}
	if options.Streams != nil && options.DynamoDB == nil {
		return nil, errors.New("worker: a worker that follows streams needs the database of their checkpoints")
	}
	if options.Random == nil {
		options.Random = rand.Float64
	}
	if options.Poll <= 0 {
		options.Poll = time.Second
	}
	w := &Worker{Options: options, db: options.Service.DB(), client: notify.NewClient(options.AllowPrivateCallbacks)}
	w.following.Store(options.Streams != nil)
	return w, nil
}

// How often the loops run.
const (
	everyJobs    = 5 * time.Second
	everySweep   = time.Minute
	everyFlush   = time.Minute
	everyHint    = 3 * time.Second // while the streams are not followed
	everyRestart = 5 * time.Second // of what runs until it fails
	lastFlush    = 10 * time.Second
)

// The loops that do jobs, one for each lane.
const (
	jobsLoop       = "jobs"
	deliveriesLoop = "deliveries"
)

// Run does all the work until ctx is done, and waits for what it began.
func (w *Worker) Run(ctx context.Context) error {
	if w.Streams != nil {
		err := w.checkStreams(ctx)
		if err != nil && ctx.Err() == nil {
			w.Log.Warn("the streams cannot be read, so changes are looked for every few seconds", slog.Any("error", err))
		}
		w.following.Store(err == nil)
	}
	loops := []background.Loop{
		{Name: jobsLoop, Every: everyJobs, Do: func(ctx context.Context) error { _, err := w.stepLane(ctx, internalLane); return err }},
		{Name: deliveriesLoop, Every: everyJobs, Do: func(ctx context.Context) error { _, err := w.stepLane(ctx, externalLane); return err }},
		{Name: "sweeper", Every: everySweep, Do: func(ctx context.Context) error { _, err := w.StepSweep(ctx); return err }},
		{Name: "metrics", Every: everyFlush, Do: w.Service.FlushMetrics},
		{Name: "hints", Every: everyHint, Do: w.StepHints},
	}
	if w.following.Load() {
		loops = append(loops, background.Loop{Name: "webhooks", Every: everyRestart, Do: w.FollowQuestions, Listens: true})
		for _, table := range hintTables {
			loops = append(loops, background.Loop{Name: "hints of " + table, Every: everyRestart, Listens: true,
				Do: func(ctx context.Context) error { return w.FollowHints(ctx, table) }})
		}
	}
	group, err := background.New(w.Log, loops...)
	if err != nil {
		return err
	}
	w.loops.Store(group)
	group.Run(ctx)
	flush, done := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
	defer done()
	return w.Service.FlushMetrics(flush)
}

// Loops returns how the loops are doing, for operators; none before Run.
func (w *Worker) Loops() []background.State {
	if group := w.loops.Load(); group != nil {
		return group.States()
	}
	return nil
}

// Kick makes a loop run now, and reports whether there is such a loop.
func (w *Worker) Kick(name string) bool {
	group := w.loops.Load()
	return group != nil && group.Kick(name)
}

func (w *Worker) now() time.Time { return w.Service.Now() }

func (w *Worker) table(name string) string { return w.db.Client().Table(name) }
