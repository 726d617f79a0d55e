// Package dryrun carries out the steps of a plan on sample items in memory, to find out which requests they send, what those
// consume, and which items cannot be converted. Samples are of the design, or read from the tables that the plan is for.
//
// It writes nothing to those tables, and does not plan, which package migrate does. Package design calls it.
package dryrun

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/tabledef"
)

// Memory is an empty database in memory.
type Memory interface {
	access.API
	provision.API
}

// control is the table of the run's rows in the memory.
const control = "sortkey-control"

// tables makes the tables of both versions in memory, and the control table.
func tables(ctx context.Context, memory Memory, plan *migrate.Plan) error {
	all := append(tabledef.Temporary(plan.Matching.Together()), controlTable)
	for i := range all {
		all[i].Shape, all[i].Protect = nil, false
	}
	if _, err := provision.Apply(ctx, memory, all, provision.Options{}); err != nil {
		return fmt.Errorf("make the tables in memory: %w", err)
	}
	return nil
}

var controlTable = provision.Table{Name: control, PK: provision.Key{Name: "pk", Kind: "S"}, SK: provision.Key{Name: "sk", Kind: "S"}}

// try carries out a step of a part on the items in memory.
func try(ctx context.Context, memory access.API, plan *migrate.Plan, step, part string) (*accessmigrate.Trial, error) {
	return accessmigrate.Try(ctx, memory, control, plan.Migration(), step, part, accessmigrate.Options{Workers: 1})
}

// needsGo reports whether a part has values that only a program of the user can convert.
func needsGo(part *accessmigrate.Part) bool {
	for _, s := range part.Set {
		if s.Convert != "" {
			return true
		}
	}
	return false
}
