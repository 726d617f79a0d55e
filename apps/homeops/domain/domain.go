// Package domain opens the rooms of HomeOps' domain on one environment. It wires and has no rules.
// Package server opens it and hands it to the doors.
package domain

import (
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/insights"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/planner"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/homeops/vocabulary"
)

// A Domain holds the rooms of the domain. It gives no access to the database.
type Domain struct {
	env        *homeops.Env
	Households *households.Service
	Ingest     *ingest.Service
	Vocabulary *vocabulary.Service
	Promises   *promises.Service
	Ledger     *ledger.Service
	Policy     *policy.Service
	Insights   *insights.Service
	Planner    *planner.Service
}

// New returns the domain of an environment.
func New(env *homeops.Env) *Domain {
	d := &Domain{env: env, Households: households.New(env), Vocabulary: vocabulary.New(env), Promises: promises.New(env)}
	d.Ingest = ingest.New(env, d.Households)
	d.Ledger = ledger.New(env, d.Promises)
	d.Policy = policy.New(env, d.Households)
	d.Insights = insights.New(env, d.Households, d.Policy)
	d.Planner = planner.New(env, d.Households, d.Promises, d.Policy)
	return d
}

// Now returns the current time of the domain's clock, in UTC.
func (d *Domain) Now() time.Time { return d.env.Now() }
