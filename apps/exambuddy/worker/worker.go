// Package worker runs the background work of ExamBuddy: the jobs of imports, papers and regrades,
// the sweep of overdue sessions, and the consumer that turns the table's stream into statistics. It
// calls rooms and never the database's patterns.
//
// Any number of processes run it on the same tables. Package server starts it.
package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

const (
	table = "ExamBuddyTable"
	// checkpointsTable stores the position in the stream. It is not part of the design.
	checkpointsTable = "ExamBuddyTable-checkpoints"
	// consumerName is the consumer name that all processes share, so that one of them handles each
	// change.
	consumerName = "exambuddy-statistics"
	sweepEvery   = 5 * time.Second
	followLease  = 15 * time.Second
)

// A Parsed holds the questions of an uploaded file.
type Parsed struct {
	Found    []bank.Found
	Problems []string
}

// Options configures a Worker. Env and Domain are required.
type Options struct {
	Env    *exambuddy.Env
	Domain *domain.Domain
	// Parse reads the questions of an uploaded file. A refusal fails the document with its message;
	// other errors are retried.
	Parse func(ctx context.Context, document exambuddydb.ProjectDocument) (Parsed, error)
	// Forget deletes the file of a document that was deleted or has expired; it may be nil.
	Forget func(ctx context.Context, document exambuddydb.ProjectDocument) error
	// Streams and DB are for Follow.
	Streams stream.StreamsAPI
	DB      interface {
		stream.TableAPI
		stream.TableMaker
	}
	// Poll is the interval at which an idle shard is read; that of package stream by default.
	Poll time.Duration
	// Settled is told of each change of the stream that was handled, for tests; it may be nil.
	Settled func(attempt string)
}

// A Worker runs background work.
type Worker struct{ o Options }

// New returns a worker and registers its handlers with the job queue.
func New(options Options) (*Worker, error) {
	if options.Env == nil || options.Domain == nil {
		return nil, errors.New("worker: an environment and a domain are required")
	}
	w := &Worker{o: options}
	w.handle(exambuddy.JobParse, exambuddy.LaneImport, w.parse)
	w.handle(exambuddy.JobPublish, exambuddy.LaneImport, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Bank.RunPublish(ctx, in.ProjectID, in.DocumentID)
	})
	w.handle(exambuddy.JobDiscard, exambuddy.LaneTidy, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Sitting.Discard(ctx, in.AttemptID)
	})
	w.handle(exambuddy.JobRegrade, exambuddy.LaneTidy, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Results.RunRegrade(ctx, in.ProjectID, in.RegradeID)
	})
	w.handle(exambuddy.JobErase, exambuddy.LaneTidy, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Privacy.Forget(ctx, in.PersonID)
	})
	w.handle(exambuddy.JobLearn, exambuddy.LaneTidy, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Learning.RunLearn(ctx, in.PersonID, in.AttemptID)
	})
	w.handle(exambuddy.JobRelearn, exambuddy.LaneTidy, func(ctx context.Context, in exambuddy.JobPayload) error {
		return w.o.Domain.Learning.RunRelearn(ctx, in.ProjectID)
	})
	return w, nil
}

func (w *Worker) handle(kind, lane string, run func(context.Context, exambuddy.JobPayload) error) {
	w.o.Env.Jobs.Handle(kind, lane, jobs.Policy{}, func(ctx context.Context, job jobs.Job) error {
		in, err := jobs.Payload[exambuddy.JobPayload](job)
		if err != nil {
			return jobs.Final(err)
		}
		return run(ctx, in)
	})
}

// parse reads an uploaded file and keeps what was found as drafts.
func (w *Worker) parse(ctx context.Context, in exambuddy.JobPayload) error {
	document, unparsed, err := w.o.Domain.Bank.Begin(ctx, in.ProjectID, in.DocumentID)
	if errors.Is(err, exambuddy.ErrNoDocument) || err == nil && !unparsed {
		return nil
	}
	if err != nil {
		return err
	}
	if w.o.Parse == nil {
		return w.o.Domain.Bank.Fail(ctx, document, "This installation cannot read files.", nil)
	}
	parsed, err := w.o.Parse(ctx, document)
	if refused, ok := refusal.As(err); ok {
		return w.o.Domain.Bank.Fail(ctx, document, refused.Message, parsed.Problems)
	}
	if err != nil {
		return fmt.Errorf("parse document %s: %w", document.DocumentID, err)
	}
	if len(parsed.Found) == 0 {
		return w.o.Domain.Bank.Fail(ctx, document, "There is no question in this file.", parsed.Problems)
	}
	return w.o.Domain.Bank.StoreDrafts(ctx, document, parsed.Found, parsed.Problems)
}

// Prepare creates the table of checkpoints if it is missing.
func (w *Worker) Prepare(ctx context.Context) error {
	return stream.EnsureTable(ctx, w.o.DB, w.name(checkpointsTable))
}

func (w *Worker) name(table string) string { return w.o.Env.DB.Client().Table(table) }

// Loops returns the loops of the worker: the sweep and the stream. The process that has the queue
// runs its jobs.
func (w *Worker) Loops() []background.Loop {
	return []background.Loop{
		{Name: "overdue sessions", Every: sweepEvery, Do: w.Sweep},
		{Name: "statistics", Every: sweepEvery, Do: w.Follow, Listens: true},
	}
}

// Sweep ends overdue sessions.
func (w *Worker) Sweep(ctx context.Context) error {
	_, err := w.o.Domain.Sitting.Sweep(ctx)
	return err
}

// Follow feeds the statistics from the table's stream until ctx ends or reading fails.
func (w *Worker) Follow(ctx context.Context) error {
	consumer := stream.Consumer{
		Streams: w.o.Streams, DB: w.o.DB, Table: w.name(table), Name: consumerName, Checkpoints: w.name(checkpointsTable),
		Handler: w.o.Env.DB.Stream(w.handlers()), Poll: w.o.Poll, LeaseTime: followLease,
	}
	return consumer.Run(ctx)
}

// handlers returns what happens when an attempt is written or regraded, when a session ends without
// one, and when a document is deleted. Each of them can be called again with the same change.
func (w *Worker) handlers() exambuddydb.Handlers {
	settle := func(ctx context.Context, attempt exambuddydb.Attempt) error {
		if err := w.o.Domain.Results.Settle(ctx, attempt); err != nil {
			return err
		}
		w.settled(attempt.AttemptID)
		return nil
	}
	return exambuddydb.Handlers{
		OnAttempt: stream.On[exambuddydb.Attempt]{
			Insert: func(ctx context.Context, attempt exambuddydb.Attempt) error {
				if err := w.o.Domain.Learning.Learn(ctx, attempt); err != nil {
					return err
				}
				return settle(ctx, attempt)
			},
			Modify: func(ctx context.Context, _, attempt exambuddydb.Attempt) error { return settle(ctx, attempt) },
		},
		OnProjectDocument: stream.On[exambuddydb.ProjectDocument]{Remove: w.o.Forget},
		OnExamSession: stream.On[exambuddydb.ExamSession]{
			Modify: func(ctx context.Context, old, session exambuddydb.ExamSession) error {
				ended := session.Status == exambuddydb.ExamSessionStatusAbandoned || session.Status == exambuddydb.ExamSessionStatusExpired
				if old.Status != exambuddydb.ExamSessionStatusStarted || !ended {
					return nil
				}
				if err := w.o.Domain.Results.SettleAbandoned(ctx, session); err != nil {
					return err
				}
				w.settled(session.AttemptID)
				return nil
			},
		},
	}
}

func (w *Worker) settled(attempt string) {
	if w.o.Settled != nil {
		w.o.Settled(attempt)
	}
}
