// Package domain opens the rooms of ExamBuddy's domain on one environment. It wires and has no
// rules. Package server opens it and hands it to the doors.
package domain

import (
	"context"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/learning"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/privacy"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/files"
)

// A Domain holds the rooms of the domain. It gives no access to the database.
type Domain struct {
	env      *exambuddy.Env
	People   *people.Service
	Bank     *bank.Service
	Images   *images.Service
	Sitting  *sitting.Service
	Results  *results.Service
	Learning *learning.Service
	Privacy  *privacy.Service
}

// New returns the domain of an environment.
func New(env *exambuddy.Env, accounts *accounts.Accounts, store files.Store) *Domain {
	d := &Domain{env: env, People: people.New(env, accounts), Bank: bank.New(env, store), Images: images.New(env, store)}
	d.Sitting = sitting.New(env, d.Bank, d.People)
	d.Results = results.New(env, d.Bank)
	d.Learning = learning.New(env, d.Bank, d.People, d.Results)
	d.Privacy = privacy.New(env, d.People, d.Bank, d.Sitting, d.Results, d.Learning)
	return d
}

// Now returns the current time of the domain's clock, in UTC.
func (d *Domain) Now() time.Time { return d.env.Now() }

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (d *Domain) Writable(ctx context.Context) error { return d.env.Writable(ctx) }
