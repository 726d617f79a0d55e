// Package worker runs the background work of Ask-a-Human: it notifies people of questions,
// delivers webhooks to agents, expires questions, and sends changes to open pages. Each duty
// is a step that can be called separately; Run calls all of them periodically.
//
// Any number of processes may run it on the same tables. Work that must happen once is a job
// in the database, claimed by one worker under a lease. Hints for open pages are read from
// the streams by every process.
//
// The rules of questions and people are in package askahuman. Package server starts the
// worker.
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
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/notify"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
)

// DynamoDB is the database access that a worker needs in addition to the patterns: a table of
// checkpoints.
type DynamoDB interface {
	stream.TableAPI
	stream.TableMaker
}

// Options configures a Worker.
type Options struct {
	Env *askahuman.Env
	Hub *live.Hub
	// Senders maps channels to senders of notifications. People on a channel without a sender
	// find the question in their inbox.
	Senders map[askahumandb.SubscriptionChannel]notify.Sender
	// PublicURL is the public URL of the system, without a trailing slash.
	PublicURL string

	// DynamoDB and Streams are for following changes. Without Streams, or when they cannot be
	// read, the worker polls every few seconds.
	DynamoDB DynamoDB
	Streams  stream.StreamsAPI

	// AllowPrivateCallbacks lets webhooks reach addresses that are not public.
	AllowPrivateCallbacks bool

	Log *slog.Logger
	// Random returns a random number in [0, 1). It selects recipients and adds jitter to
	// retries.
	Random func() float64
	// Poll is the interval at which streams are read; a second by default.
	Poll time.Duration
}

// A Worker runs the background work of one process.
type Worker struct {
	Options
	domain    *domain.Domain
	db        *askahumandb.DB
	client    *http.Client                               // for webhooks
	following atomic.Bool                                // webhooks are queued from the streams
	tailing   atomic.Int32                               // number of hintTables that are followed
	tailSleep func(context.Context, time.Duration) error // for tests
	loops     atomic.Pointer[background.Group]
}

// New returns a worker.
func New(options Options) (*Worker, error) {
	if options.Env == nil || options.Hub == nil || options.Log == nil {
		return nil, errors.New("worker: a worker needs an environment, a hub and a log")
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
	w := &Worker{Options: options, domain: domain.New(options.Env), db: options.Env.DB, client: notify.NewClient(options.AllowPrivateCallbacks)}
	w.following.Store(options.Streams != nil)
	return w, nil
}

// Intervals of the loops.
const (
	everyJobs    = 5 * time.Second
	everySweep   = time.Minute
	everyFlush   = time.Minute
	everyHint    = 3 * time.Second // while the streams are not followed
	everyRestart = 5 * time.Second // of loops that run until they fail
	lastFlush    = 10 * time.Second
)

// Names of the loops that run jobs, one for each lane.
const (
	jobsLoop       = "jobs"
	deliveriesLoop = "deliveries"
)

// Run runs all loops until ctx is done, and waits for them to finish.
func (w *Worker) Run(ctx context.Context) error {
	if w.Streams != nil {
		err := w.checkStreams(ctx)
		if err != nil && ctx.Err() == nil {
			w.Log.Warn("streams cannot be read; polling every few seconds", slog.Any("error", err))
		}
		w.following.Store(err == nil)
	}
	loops := []background.Loop{
		{Name: jobsLoop, Every: everyJobs, Do: func(ctx context.Context) error { _, err := w.stepLane(ctx, internalLane); return err }},
		{Name: deliveriesLoop, Every: everyJobs, Do: func(ctx context.Context) error { _, err := w.stepLane(ctx, externalLane); return err }},
		{Name: "sweeper", Every: everySweep, Do: func(ctx context.Context) error { _, err := w.StepSweep(ctx); return err }},
		{Name: "metrics", Every: everyFlush, Do: w.Env.FlushMetrics},
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
	return w.Env.FlushMetrics(flush)
}

// Loops returns the states of the loops, for operators; none before Run.
func (w *Worker) Loops() []background.State {
	if group := w.loops.Load(); group != nil {
		return group.States()
	}
	return nil
}

// Kick runs a loop now, and reports whether the loop exists.
func (w *Worker) Kick(name string) bool {
	group := w.loops.Load()
	return group != nil && group.Kick(name)
}

func (w *Worker) now() time.Time { return w.Env.Now() }

func (w *Worker) table(name string) string { return w.db.Client().Table(name) }
