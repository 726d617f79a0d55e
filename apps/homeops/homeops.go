// Package homeops is the ground of HomeOps' domain: a quiet bot in a family's chat that remembers
// who did what. It has what the rooms of the domain share: the environment, the kinds of jobs,
// limits, ids that are derived from messages, and local time. The rules of each subject are in the
// rooms on top of it: package households for families and their members, ingest for what Telegram
// delivers, ledger for activities, vocabulary for learned words, promises, policy for when the bot
// speaks, planner, insights, and conversation for what a message leads to. Packages speech and
// load are pure: the bot's sentences, and averages and fairness.
//
// No room knows a transport, and every rule that can race is enforced inside one transaction or
// condition of the generated package homeopsdb. Package domain opens all rooms for the doors;
// package worker runs the jobs.
package homeops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/secret"
)

// Options configures an Env. Only Platform is required.
type Options struct {
	// Platform has the data that every system needs. The environment uses its clock, its log and
	// its secret.
	Platform *platform.Platform
	// Jobs, Audit and Metrics are rooms of the platform that a server shares with its own pages.
	// Those that are nil are opened.
	Jobs    *jobs.Queue
	Audit   *audit.Trail
	Metrics *metrics.Metrics
	// Zone is the time zone of new households; DefaultZone if it is empty.
	Zone string
	// Parts is the number of index partitions of the lane of incoming messages; 1 by default.
	Parts int
	// Observe is told about every attempt to run a job that has ended.
	Observe func(jobs.Attempt)
}

// An Env holds what the rooms of the domain share. Only the rooms and the worker hold it; doors
// hold the rooms. It is safe for concurrent use by many goroutines, and by many processes on the
// same tables.
type Env struct {
	DB      *homeopsdb.DB
	Jobs    *jobs.Queue
	Audit   *audit.Trail
	Tokens  *onetime.Tokens
	Metrics *metrics.Metrics
	Box     *secret.Box
	Log     *slog.Logger
	Zone    string // of new households
	// Receipts makes a form that is sent twice count once.
	Receipts *receipt.Receipts

	platform *platform.Platform
	handlers sync.Map // of jobs.Handler by kind
}

// New returns an environment on a database whose tables exist.
func New(db *homeopsdb.DB, options Options) (*Env, error) {
	p := options.Platform
	if p == nil {
		return nil, errors.New("homeops: an environment needs a platform")
	}
	e := &Env{
		DB: db, Box: p.Box, Log: p.Log, Zone: cmp.Or(options.Zone, DefaultZone), platform: p,
		Jobs: options.Jobs, Audit: options.Audit, Tokens: onetime.New(p), Receipts: receipt.New(p), Metrics: options.Metrics,
	}
	if err := e.open(options); err != nil {
		return nil, err
	}
	for kind, plan := range kinds {
		e.Jobs.Handle(kind, plan.lane, plan.policy, func(ctx context.Context, job jobs.Job) error { return e.run(ctx, job) })
	}
	return e, nil
}

// open opens the rooms of the platform that the server does not share.
func (e *Env) open(options Options) (err error) {
	if e.Audit == nil {
		e.Audit = audit.New(e.platform, audit.Options{})
	}
	if e.Metrics == nil {
		if e.Metrics, err = metrics.New(e.platform, metrics.Options{Counters: Counters()}); err != nil {
			return err
		}
	}
	if e.Jobs == nil {
		e.Jobs, err = jobs.New(e.platform, jobs.Options{Lanes: Lanes(options.Parts), Trail: e.Audit, KeepDead: KeepDeadJob, Observe: options.Observe})
	}
	return err
}

// Now returns the current time of the environment's clock, in UTC.
func (e *Env) Now() time.Time { return e.platform.Now() }

// Handle sets the handler of a kind of job. The worker calls it before it runs the queue.
func (e *Env) Handle(kind string, handler jobs.Handler) { e.handlers.Store(kind, handler) }

func (e *Env) run(ctx context.Context, job jobs.Job) error {
	handler, ok := e.handlers.Load(job.Kind)
	if !ok {
		return fmt.Errorf("homeops: this process has no handler of jobs of kind %s", job.Kind)
	}
	return handler.(jobs.Handler)(ctx, job)
}

// Changed reports whether a conditional write failed because an item of type T is in another
// state.
func Changed[T any](err error) bool {
	var unmet *access.ConditionError[T]
	return errors.As(err, &unmet)
}
