// Package askahuman is the ground of Ask-a-Human's domain: software asks, people answer. It has
// what the rooms of the domain share: the environment, people, limits and bounds, refusals and
// the rules of texts. The rules of each subject are in the rooms on top of it: package questions
// for agents and what they ask, package answers for what people see and answer, package people
// for who they are and what they have earned, package notices for notifications, package
// operators for review and moderation. No room knows a transport, and every rule that can race
// is enforced inside one transaction of the generated package askahumandb.
//
// Package domain opens all rooms for the doors: package api for programs, package web for
// people, package worker for background jobs. Package score has the rules of points, streaks
// and badges.
package askahuman

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/secret"
)

// Options configures an Env.
type Options struct {
	// Platform has the data that every system needs. The environment uses its clock, its log and
	// its secret.
	Platform *platform.Platform
	// Audit, Jobs, Limits and Metrics are the rooms of the platform that the process has opened.
	// Those that are nil are opened.
	Audit   *audit.Trail
	Jobs    *jobs.Queue
	Limits  *limits.Limiter
	Metrics *metrics.Metrics
	// Parts is the number of partitions that the feed, each board and the queue of subscriptions
	// are spread over; 1 by default. A partition takes some 200 answers a second. A person's feed
	// has the questions of a few parts. It must not change while people have places on boards:
	// they would stay in their old parts.
	Parts int
	// Random returns a random number in [0, 1) for the jitter of retries; that of math/rand by
	// default.
	Random func() float64
}

// An Env holds what the rooms of the domain share: the database, the secret, the log, the clock,
// the job queue, the audit trail and the counters of this process. Only the rooms hold it; doors
// and the worker hold the rooms. It is safe for concurrent use by many goroutines, and by many processes on the same
// tables.
type Env struct {
	DB    *askahumandb.DB
	Box   *secret.Box
	Log   *slog.Logger
	Audit *audit.Trail
	// Limits counts uses of rate limits. Allow counts refusals in the metrics as well.
	Limits *limits.Limiter
	// Jobs is the queue of background jobs. The rooms register their handlers.
	Jobs     *jobs.Queue
	Platform *platform.Platform

	counts *metrics.Metrics
	parts  int
}

// New returns an environment on a database whose tables exist.
func New(db *askahumandb.DB, options Options) (*Env, error) {
	p := options.Platform
	if p == nil {
		return nil, errors.New("askahuman: an environment needs a platform")
	}
	e := &Env{
		DB: db, Box: p.Box, Log: p.Log, Platform: p,
		Audit: options.Audit, Jobs: options.Jobs, Limits: options.Limits, counts: options.Metrics,
		parts: max(options.Parts, 1),
	}
	var err error
	if e.Audit == nil {
		e.Audit = audit.New(p, audit.Options{})
	}
	if e.Limits == nil {
		e.Limits = limits.New(p)
	}
	if e.counts == nil {
		all := MetricOptions()
		all.Counters = append(all.Counters, string(MetricRequest), string(MetricFailure))
		if e.counts, err = metrics.New(p, all); err != nil {
			return nil, err
		}
	}
	if e.Jobs == nil {
		e.Jobs, err = jobs.New(p, jobs.Options{Lanes: Lanes(), Trail: e.Audit, KeepDead: KeepDeadJob, Random: options.Random})
	}
	return e, err
}

// Now returns the current time of the environment's clock, in UTC.
func (e *Env) Now() time.Time { return e.Platform.Now() }

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (e *Env) Writable(ctx context.Context) error { return e.Platform.Writable(ctx) }

// RecordAudit adds an operator's action to a transaction, so that the change and its event are
// committed together.
func (e *Env) RecordAudit(tx *askahumandb.Tx, operator, action, target string) {
	e.Audit.Record(tx, audit.Event{Actor: operator, Action: action, Target: target})
}

// A Person is a person who answers questions.
type Person struct {
	// Hash is the hash of the identity and represents it in everything that is stored. The
	// identity itself is never stored.
	Hash string
	// IPHash is the hash of the address a request came from. It is stored with answers so
	// that operators can find abuse.
	IPHash string
	// TZOffsetMin is the person's time zone in minutes east of UTC.
	TZOffsetMin int
	// ZoneUnknown reports that the request did not say the time zone. The last known zone
	// is used.
	ZoneUnknown bool
}

// InLastZone returns the person in the time zone of their last answer, unless their current
// zone is known.
func (p Person) InLastZone(stats askahumandb.UserStats) Person {
	if p.ZoneUnknown {
		p.TZOffsetMin = int(stats.TzOffsetMin)
	}
	return p
}

// Here returns t in the person's time zone.
func (p Person) Here(t time.Time) time.Time {
	return t.In(time.FixedZone("", p.TZOffsetMin*60))
}
