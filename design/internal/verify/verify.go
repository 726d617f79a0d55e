// Package verify runs a design on a DynamoDB. It fills the tables with sample items, calls
// every pattern many times, also with values at and beside the ends of ranges, and compares
// each answer with one found by looking at every item, each write with what it must change,
// and the units that DynamoDB counts with those of the cost model.
//
// It makes the calls of package program, sent through package access as generated code sends
// them. Package arrange chooses their arguments and the rows they find, package bind fills
// them with the arguments, and package judge says what they must do: from the meaning of the
// pattern alone, without keys and indexes. This package sends them and collects the report.
// Package design calls it.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/tabledef"
	"sortkey.dev/design/internal/verify/internal/arrange"
	"sortkey.dev/design/internal/verify/internal/state"
)

// API lists the operations of DynamoDB that verification uses.
type API interface {
	access.API
	provision.API
}

// Defaults of Options.
const (
	DefaultRoots    = 12
	DefaultChildren = 10
	DefaultRuns     = 24
)

// Options configure a run. With zero Options it takes seconds.
type Options struct {
	Seed     uint64 // random seed for sample items and calls
	Roots    int    // items of an entity that refers to no other; 0 means DefaultRoots
	Children int    // most items of an entity for one it refers to; 0 means DefaultChildren
	Runs     int    // calls of each pattern; 0 means DefaultRuns
	Prefix   string // in front of the names of tables
	// Lag bounds how far an eventually consistent read may lag behind: one that differs is
	// retried until then. 0: not at all, as in the embedded engine.
	Lag      time.Duration
	Tags     []string       // only patterns with one of these tags; empty: all
	Only     []string       // only these patterns; empty: all
	Progress func(Progress) // or nil
	// CleanUp bounds the time to delete the tables after a run that failed or was interrupted.
	// 0 means 10 seconds.
	CleanUp time.Duration
}

// Progress describes the progress of a run.
type Progress struct {
	Done, Total int    // patterns
	Calls       int    // made so far
	Doing       string // the current pattern, or another activity
	Deleting    bool   // the run is over, and its tables are being deleted
}

// A verifier is one run.
type verifier struct {
	layout   *resolve.Layout
	program  *program.Program
	client   *access.Client
	api      API
	meter    *meter
	o        Options
	tables   *state.Tables
	arranger *arrange.Arranger
	heat     *heat
	report   *Report
	priced   *cost.Estimate
	kinds    map[string]bool // of rows that are taken for others, each reported once
}

// newVerifier returns a run without a client.
func newVerifier(p *program.Program, o Options) *verifier {
	s := state.New(p.Layout)
	return &verifier{
		layout: p.Layout, program: p, o: o, meter: &meter{}, tables: s,
		arranger: arrange.New(p, s, o.Seed),
		priced:   cost.Price(p.Layout, cost.Options{}),
		heat:     newHeat(),
		kinds:    map[string]bool{},
		report:   &Report{Design: p.Layout.Design().Name, Seed: o.Seed},
	}
}

// Run verifies a layout on a DynamoDB. Differences are in the report; the error is for a run that
// could not be completed.
func Run(ctx context.Context, l *resolve.Layout, api API, o Options) (*Report, error) {
	o = o.withDefaults()
	v := newVerifier(program.New(l), o)
	v.api = api
	v.client = access.NewClient(api, access.Design{Name: l.Design().Name, Hash: "verify"},
		access.WithTablePrefix(o.Prefix), access.WithObserver(v.meter))
	calls := v.calls()
	v.progress(0, len(calls), "creating tables")
	if err := v.create(ctx, tabledef.Temporary(l.Design())); err != nil {
		return nil, err
	}
	v.progress(0, len(calls), "loading items")
	if err := v.load(ctx); err != nil {
		return nil, fmt.Errorf("loading items: %w", err)
	}
	if err := v.run(ctx, calls); err != nil {
		return nil, err
	}
	v.progress(len(calls), len(calls), "comparing all items")
	if err := v.compareAll(ctx); err != nil {
		return nil, err
	}
	v.report.Heat = v.heat.report(v.priced)
	v.report.Leftover = append(v.report.Leftover, v.heat.contradictions(v.priced)...)
	return v.report, nil
}

// RunAll verifies the parts of a program one after the other and joins their reports. Each part
// has sample items of its own.
func RunAll(ctx context.Context, parts []*resolve.Layout, api API, o Options) (*Report, error) {
	var all *Report
	for _, part := range chosen(parts, o) {
		report, err := Run(ctx, part, api, o)
		if err != nil {
			if nothing, ok := errors.AsType[*NothingMadeError](err); ok && all != nil {
				err = nothing.Err // an earlier part made tables
			}
			return nil, err
		}
		if all == nil {
			all = report
			continue
		}
		all.add(report)
	}
	return all, nil
}

// chosen returns the parts of which the options choose a pattern, or the first part.
func chosen(parts []*resolve.Layout, o Options) []*resolve.Layout {
	some := slices.DeleteFunc(slices.Clone(parts), func(l *resolve.Layout) bool {
		return !slices.ContainsFunc(l.Design().Patterns, o.chooses)
	})
	if len(some) == 0 {
		return parts[:1]
	}
	return some
}

// chooses reports whether the options choose a pattern.
func (o Options) chooses(p *model.Pattern) bool {
	return p.HasTag(o.Tags) && (len(o.Only) == 0 || slices.Contains(o.Only, p.Name))
}

// create creates the tables.
func (v *verifier) create(ctx context.Context, tables []provision.Table) error {
	begun := false
	_, err := provision.Apply(ctx, v.api, tables, provision.Options{
		TableNames: v.client.Table, Progress: func(provision.Change) { begun = true },
	})
	switch {
	case err != nil && begun:
		return fmt.Errorf("creating the tables: %w", err)
	case err != nil:
		return &NothingMadeError{fmt.Errorf("creating the tables: %w", err)}
	}
	return nil
}

// withDefaults returns the options with defaults in place of zeros.
func (o Options) withDefaults() Options {
	defaults := func(n *int, value int) {
		if *n <= 0 {
			*n = value
		}
	}
	defaults(&o.Roots, DefaultRoots)
	defaults(&o.Children, DefaultChildren)
	defaults(&o.Runs, DefaultRuns)
	return o
}

// calls returns the calls to make: reads, then writes, in the order of the design.
func (v *verifier) calls() []*program.Call {
	var reads, writes []*program.Call
	for _, p := range v.layout.Design().Patterns {
		if !v.o.chooses(p) {
			continue
		}
		call := v.program.Call(p)
		switch {
		case call == nil:
			v.report.Patterns = append(v.report.Patterns, &PatternReport{
				Name: p.Name, Verb: string(p.Verb), Differences: []Difference{{Kind: "unserved", Detail: v.unserved(p)}},
			})
		case p.Verb.Reads():
			reads = append(reads, call)
		default:
			writes = append(writes, call)
		}
	}
	return slices.Concat(reads, writes)
}

// unserved returns the reason why a pattern cannot be called.
func (v *verifier) unserved(p *model.Pattern) string {
	for _, problem := range v.layout.Plan(p).Problems {
		return problem.Message
	}
	return "no path serves it"
}

// run calls every pattern. It calls reads again after the writes, to find what those changed in
// the indexes, and each write once more as the estimate assumes it.
func (v *verifier) run(ctx context.Context, calls []*program.Call) error {
	reports := map[*program.Call]*PatternReport{}
	for i, call := range calls {
		v.progress(i, len(calls), call.Pattern.Name)
		r := v.newReport(call)
		reports[call] = r
		v.report.Patterns = append(v.report.Patterns, r)
		verify := v.read
		if !call.Pattern.Verb.Reads() {
			verify = v.write
		}
		if err := verify(ctx, call, r, v.o.Runs); err != nil {
			return fmt.Errorf("%s: %w", call.Pattern.Name, err)
		}
	}
	for _, call := range calls {
		if !call.Pattern.Verb.Reads() {
			continue
		}
		if err := v.read(ctx, call, reports[call], v.o.Runs/3+1); err != nil {
			return fmt.Errorf("%s: %w", call.Pattern.Name, err)
		}
	}
	for _, call := range calls {
		if call.Pattern.Verb.Reads() {
			continue
		}
		if err := v.writeTypical(ctx, call, reports[call]); err != nil {
			return fmt.Errorf("%s: %w", call.Pattern.Name, err)
		}
	}
	v.sortPatterns()
	return nil
}

// sortPatterns sorts the reports in the order of the design, those with differences first.
func (v *verifier) sortPatterns() {
	place := map[string]int{}
	for i, p := range v.layout.Design().Patterns {
		place[p.Name] = i
	}
	slices.SortStableFunc(v.report.Patterns, func(a, b *PatternReport) int {
		return cmp.Or(cmp.Compare(differs(a), differs(b)), cmp.Compare(place[a.Name], place[b.Name]))
	})
}

// progress reports the progress of the run.
func (v *verifier) progress(done, total int, doing string) {
	if v.o.Progress == nil {
		return
	}
	p := Progress{Done: done, Total: total, Doing: doing}
	for _, r := range v.report.Patterns {
		p.Calls += r.Calls
	}
	v.o.Progress(p)
}
