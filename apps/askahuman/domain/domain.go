// Package domain opens the rooms of Ask-a-Human's domain on one environment. It wires and has no
// rules. Package server opens it and hands it to the doors.
package domain

import (
	"context"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
)

// A Domain holds the rooms of the domain. It gives no access to the database.
type Domain struct {
	env       *askahuman.Env
	Questions *questions.Service
	Answers   *answers.Service
	People    *people.Service
	Notices   *notices.Service
	Operators *operators.Service
}

// New returns the domain of an environment.
func New(env *askahuman.Env) *Domain {
	d := &Domain{env: env, Questions: questions.New(env), People: people.New(env)}
	d.Answers = answers.New(env, d.Questions, d.People)
	d.Notices = notices.New(env, d.Questions, d.People)
	d.Operators = operators.New(env, d.Questions, d.Answers, d.People, d.Notices)
	return d
}

// Now returns the current time of the domain's clock, in UTC.
func (d *Domain) Now() time.Time { return d.env.Now() }

// Allow counts one use of a rate limit by a subject; see Env.Allow.
func (d *Domain) Allow(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error) {
	return d.env.Allow(ctx, limit, subject)
}

// Allows checks a rate limit without counting a use.
func (d *Domain) Allows(ctx context.Context, limit askahuman.Limit, subject string) error {
	return d.env.Allows(ctx, limit, subject)
}

// Count adds to a metric.
func (d *Domain) Count(name askahuman.Metric, amount int64) { d.env.Count(name, amount) }

// Metrics returns the metrics of the last hours.
func (d *Domain) Metrics(ctx context.Context, hours int) (askahuman.Metrics, error) {
	return d.env.Metrics(ctx, hours)
}

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (d *Domain) Writable(ctx context.Context) error { return d.env.Writable(ctx) }
