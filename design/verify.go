package design

import (
	"context"

	"sortkey.dev/design/internal/output"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify"
)

// Verification is the result of verifying a design. Write it with Text or JSON.
type Verification = output.Verification

// VerifyOptions selects how much Verify tests.
type VerifyOptions = verify.Options

// VerifyProgress is the progress of Verify.
type VerifyProgress = verify.Progress

// TablesLeftError reports that tables of a run may still exist.
type TablesLeftError = verify.TablesLeftError

// The defaults of VerifyOptions.
const (
	DefaultVerifyRoots    = verify.DefaultRoots
	DefaultVerifyChildren = verify.DefaultChildren
	DefaultVerifyCalls    = verify.DefaultRuns
)

// DynamoDB is the part of *dynamodb.Client that Verify needs.
type DynamoDB interface {
	verify.API
	verify.TableDeleter
}

// Verify runs a design: it fills tables with sample items, calls every pattern many times,
// and compares each result with that of a full search, each change with the expected one,
// and the capacity units DynamoDB counts with those of the cost model. It deletes the tables
// it creates unless keep is true, also when ctx is cancelled; if that takes too long, the
// error contains a *TablesLeftError.
func (d *Design) Verify(ctx context.Context, api DynamoDB, alternative string, keep bool, o VerifyOptions) (*Verification, error) {
	m, _, err := d.alone(Workload{Alternative: alternative, Tags: o.Tags})
	if err != nil {
		return nil, err
	}
	whole := m.Whole()
	for _, name := range o.Only {
		if whole.Pattern(name) == nil {
			return nil, unknown("pattern", name, patternNames(whole))
		}
	}
	var parts []*resolve.Layout
	for _, part := range m.Parts() {
		parts = append(parts, resolve.New(part))
	}
	report, err := verify.RunAll(ctx, parts, api, o)
	if !keep {
		err = verify.DropTables(ctx, resolve.New(whole), api, o, err)
	}
	if err != nil {
		return nil, err
	}
	return &Verification{Report: report}, nil
}
