package design

import (
	"context"

	"sortkey.dev/design/internal/output"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify"
)

// Verification is what running a design found. Write it with Text or JSON.
type Verification = output.Verification

// VerifyOptions choose how much Verify tries.
type VerifyOptions = verify.Options

// VerifyProgress is how far Verify is.
type VerifyProgress = verify.Progress

// TablesLeftError says that tables of a run may still be there.
type TablesLeftError = verify.TablesLeftError

// What the zero VerifyOptions mean.
const (
	DefaultVerifyRoots    = verify.DefaultRoots
	DefaultVerifyChildren = verify.DefaultChildren
	DefaultVerifyCalls    = verify.DefaultRuns
)

// DynamoDB is what Verify needs of a DynamoDB: the methods of *dynamodb.Client.
type DynamoDB interface {
	verify.API
	verify.TableDeleter
}

// Verify runs a design: it fills tables with invented items, calls every pattern many
// times, and compares each answer with one found by looking at every item, each change
// with what it should be, and the units DynamoDB counts with those the cost model does.
// The tables it makes are deleted if keep is false, also when ctx ends it; if that takes
// too long, the error holds a *TablesLeftError.
func (d *Design) Verify(ctx context.Context, api DynamoDB, alternative string, keep bool, o VerifyOptions) (*Verification, error) {
	m, _, err := d.under(Workload{Alternative: alternative, Tags: o.Tags})
	if err != nil {
		return nil, err
	}
	for _, name := range o.Only {
		if m.Pattern(name) == nil {
			return nil, unknown("pattern", name, patternNames(m))
		}
	}
	layout := resolve.New(m)
	report, err := verify.Run(ctx, layout, api, o)
	if !keep {
		err = verify.DropTables(ctx, layout, api, o, err)
	}
	if err != nil {
		return nil, err
	}
	return &Verification{Report: report}, nil
}
