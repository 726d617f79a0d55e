// Package domain opens the rooms of Ask-a-Human's domain on one environment. It wires and has no
// rules. Package server opens it and hands it to the doors and to the worker.
package domain

import (
	"context"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
)

// Options configures the rooms. The zero value works.
type Options struct {
	Notices notices.Options
	// Callbacks says which addresses webhooks may reach.
	Callbacks publichttp.Options
}

// A Domain holds the rooms of the domain. It gives no access to the database.
type Domain struct {
	env       *askahuman.Env
	Questions *questions.Service
	Answers   *answers.Service
	People    *people.Service
	Notices   *notices.Service
	Callbacks *callbacks.Service
	Operators *operators.Service
	// Jobs is the queue of background jobs, whose handlers are registered.
	Jobs *jobs.Queue
}

// New returns the domain of an environment. An environment has one domain.
func New(env *askahuman.Env, options Options) (*Domain, error) {
	d := &Domain{env: env, Questions: questions.New(env, options.Callbacks), People: people.New(env), Jobs: env.Jobs}
	d.Answers = answers.New(env, d.Questions, d.People)
	d.Notices = notices.New(env, d.Questions, d.People, options.Notices)
	var err error
	if d.Callbacks, err = callbacks.New(env, d.Questions, options.Callbacks); err != nil {
		return nil, err
	}
	d.Operators = operators.New(env, d.Questions, d.Answers, d.People, d.Notices, d.Callbacks)
	return d, nil
}

// Now returns the current time of the domain's clock, in UTC.
func (d *Domain) Now() time.Time { return d.env.Now() }

// Allow counts one use of a rate limit by a subject; see Env.Allow.
func (d *Domain) Allow(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error) {
	return d.env.Allow(ctx, limit, subject)
}

// Count adds to a metric.
func (d *Domain) Count(name askahuman.Metric, amount int64) { d.env.Count(name, amount) }

// Metrics returns the metrics of the last hours.
func (d *Domain) Metrics(ctx context.Context, hours int) (askahuman.Metrics, error) {
	return d.env.Metrics(ctx, hours)
}

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (d *Domain) Writable(ctx context.Context) error { return d.env.Writable(ctx) }
