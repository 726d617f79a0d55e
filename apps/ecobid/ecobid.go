// Package ecobid is the ground of EcoBid's domain: people give things to their neighbours, or
// sell them in small auctions. It has what the rooms of the domain share: the environment,
// limits, refusals, domain events and the rules of texts. The rules of each subject are in
// the rooms on top of it: package people for profiles, package listings for items and photos,
// package nearby for searches, package giving for reservations, queues and lotteries, package
// auctions for bids, package trust for ratings, reports and moderation, package events for what
// follows from domain events. No room knows a transport, and every rule that can race is
// enforced inside one transaction of the generated package ecobiddb.
//
// Package domain opens all rooms for the doors: package api for programs and the web pages for
// people. Package worker runs background jobs. Packages geo, bidding, draw and photo hold pure rules.
package ecobid

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/secret"
)

// Options configures an Env. Platform and Files are required.
type Options struct {
	// Platform has the data that every system needs. The environment uses its clock, its log and
	// its secret.
	Platform *platform.Platform
	// Files stores photos.
	Files files.Store
	// Jobs, Audit and Limits are rooms of the platform that a server shares with its own pages.
	// Those that are nil are opened.
	Jobs   *jobs.Queue
	Audit  *audit.Trail
	Limits *limits.Limiter
	// Photos prepares photos; without it HEIC pictures are refused.
	Photos *photo.Converter
}

// An Env holds what the rooms of the domain share. Only the rooms and the worker hold it; doors
// hold the rooms. It is safe for concurrent use by many goroutines, and by many processes on the
// same tables.
type Env struct {
	DB     *ecobiddb.DB
	Box    *secret.Box
	Log    *slog.Logger
	Audit  *audit.Trail
	Jobs   *jobs.Queue
	Limits *limits.Limiter
	Files  files.Store
	Photos *photo.Converter
	// Receipts stores the answers to requests that clients may send twice.
	Receipts *receipt.Receipts

	platform *platform.Platform
}

// The lanes of background jobs. Deliveries to other hosts do not delay the timers.
const (
	LaneTimers        = "timers"
	LaneEvents        = "events"
	LaneWebhooks      = "webhooks"
	LaneNotifications = "notifications"
)

// Lanes returns the lanes of background jobs.
func Lanes() []jobs.Lane {
	return []jobs.Lane{
		{Name: LaneTimers, AtOnce: 8, Every: time.Second},
		{Name: LaneEvents, AtOnce: 8, Every: time.Second},
		{Name: LaneWebhooks, AtOnce: 16, PerGroup: 2},
		{Name: LaneNotifications, AtOnce: 8},
	}
}

// New returns an environment on a database whose tables exist.
func New(db *ecobiddb.DB, options Options) (*Env, error) {
	p := options.Platform
	if p == nil || options.Files == nil {
		return nil, errors.New("ecobid: an environment needs a platform and a store of files")
	}
	env := &Env{
		DB: db, Box: p.Box, Log: p.Log, Audit: options.Audit, Jobs: options.Jobs, Limits: options.Limits, Files: options.Files, Photos: options.Photos, Receipts: receipt.New(p), platform: p,
	}
	if env.Audit == nil {
		env.Audit = audit.New(p, audit.Options{})
	}
	if env.Limits == nil {
		env.Limits = limits.New(p)
	}
	if env.Jobs == nil {
		var err error
		if env.Jobs, err = jobs.New(p, jobs.Options{Lanes: Lanes(), Trail: env.Audit}); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// Now returns the current time of the environment's clock, in UTC.
func (e *Env) Now() time.Time { return e.platform.Now() }

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (e *Env) Writable(ctx context.Context) error { return e.platform.Writable(ctx) }

// Timer adds a job to a transaction that runs at a time. The id identifies the job among those of
// its kind.
func (e *Env) Timer(tx *ecobiddb.Tx, kind, id string, due time.Time, payload any) error {
	return e.Jobs.AddTo(tx, jobs.Job{ID: kind + "-" + id, Kind: kind, Due: due, Payload: payload})
}

// OfJob returns the receipt of a job that acts once, also if it runs again.
func OfJob(job jobs.Job) receipt.Request {
	return receipt.Request{By: "jobs", Key: job.ID, Action: job.Kind}
}
