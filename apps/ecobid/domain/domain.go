// Package domain opens the rooms of EcoBid's domain on one environment. It wires and has no
// rules. Package server opens it and hands it to the doors.
package domain

import (
	"context"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/webhook"
)

// A Domain holds the rooms of the domain. It gives no access to the database.
type Domain struct {
	env      *ecobid.Env
	People   *people.Service
	Listings *listings.Service
	Nearby   *nearby.Service
	Giving   *giving.Service
	Auctions *auctions.Service
	Trust    *trust.Service
	Events   *events.Service
	// Notifier and Hooks are rooms of the platform: inboxes, devices and preferences; webhook
	// endpoints.
	Notifier *notify.Notifier
	Hooks    *webhook.Hooks
}

// New returns the domain of an environment, and registers the jobs of its rooms. The notifier and
// the webhooks use the queue of the environment.
func New(env *ecobid.Env, notifier *notify.Notifier, hooks *webhook.Hooks) (*Domain, error) {
	d := &Domain{env: env, People: people.New(env), Nearby: nearby.New(env), Notifier: notifier, Hooks: hooks}
	d.Listings = listings.New(env, d.People)
	d.Giving = giving.New(env, d.Listings)
	d.Auctions = auctions.New(env, d.Listings, d.Giving)
	d.Trust = trust.New(env, d.People, d.Listings, d.Giving, d.Auctions)
	var err error
	d.Events, err = events.New(env, events.Options{Trust: d.Trust, Notifier: notifier, Hooks: hooks})
	return d, err
}

// Now returns the current time of the domain's clock, in UTC.
func (d *Domain) Now() time.Time { return d.env.Now() }

// Allow counts one use of a rate limit by a subject; see limits.Limiter.
func (d *Domain) Allow(ctx context.Context, limit limits.Limit, subject string) (limits.Allowance, error) {
	return d.env.Limits.Allow(ctx, limit, subject)
}

// Erase deletes everything about a person but the account, which the doors erase afterwards; see
// trust.Service.Erase.
func (d *Domain) Erase(ctx context.Context, userID string) error {
	if err := d.Trust.Erase(ctx, userID); err != nil {
		return err
	}
	if err := d.Hooks.RemoveAll(ctx, userID); err != nil {
		return err
	}
	return d.Notifier.Erase(ctx, userID)
}

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (d *Domain) Writable(ctx context.Context) error { return d.env.Writable(ctx) }
