// Package worker does the background work of Ask-a-Human besides its jobs: the expiry of questions
// and hints of changes for open pages. It has no rules and no access to the database: package
// domain does the work. Each duty is a step that can be called separately; Loops returns them
// with their intervals.
//
// Any number of processes may run it on the same tables. Hints for open pages are read from the
// streams by every process.
//
// Package server runs the loops.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
)

// Options configures a Worker.
type Options struct {
	Domain *domain.Domain
	Hub    *live.Hub

	// DynamoDB and Streams are for following changes. Without Streams, or when they cannot be
	// read, open pages reload every few seconds.
	DynamoDB stream.TableDescriber
	Streams  stream.StreamsAPI

	Log *slog.Logger
	// Poll is the interval at which streams are read; a second by default.
	Poll time.Duration
}

// A Worker runs the background work of one process.
type Worker struct {
	Options
	tailing   atomic.Int32                               // number of tables that are followed
	tailSleep func(context.Context, time.Duration) error // for tests
}

// New returns a worker.
func New(options Options) (*Worker, error) {
	if options.Domain == nil || options.Hub == nil || options.Log == nil {
		return nil, errors.New("worker: a worker needs a domain, a hub and a log")
	}
	if options.Streams != nil && options.DynamoDB == nil {
		return nil, errors.New("worker: a worker that follows streams needs the database of their tables")
	}
	if options.Poll <= 0 {
		options.Poll = time.Second
	}
	return &Worker{Options: options}, nil
}

// Intervals of the loops.
const (
	everySweep   = time.Minute
	everyHint    = 3 * time.Second // while the streams are not followed
	everyRestart = 5 * time.Second // of loops that run until they fail
)

// Loops returns the loops of the worker. The jobs of the rooms have loops of their own. ctx is for
// looking whether the streams can be read.
func (w *Worker) Loops(ctx context.Context) []background.Loop {
	loops := []background.Loop{
		{Name: "sweeper", Every: everySweep, Do: func(ctx context.Context) error { _, err := w.StepSweep(ctx); return err }},
		{Name: "hints", Every: everyHint, Do: w.StepHints},
	}
	if w.Streams == nil {
		return loops
	}
	if err := w.checkStreams(ctx); err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("streams cannot be read; pages reload every few seconds", slog.Any("error", err))
		}
		return loops
	}
	for _, table := range w.Domain.HintTables() {
		loops = append(loops, background.Loop{Name: "hints of " + table, Every: everyRestart, Listens: true,
			Do: func(ctx context.Context) error { return w.FollowHints(ctx, table) }})
	}
	return loops
}

// StepSweep marks overdue questions as expired, and returns how many.
func (w *Worker) StepSweep(ctx context.Context) (expired int, err error) {
	ids, err := w.Domain.Questions.Sweep(ctx)
	for _, id := range ids {
		w.Hub.Tell(askahuman.QuestionTopic(id), askahuman.FeedTopic)
	}
	return len(ids), err
}
