// Package verify runs a design. It fills tables with invented items shaped like the
// design says, calls every pattern many times with values at and beside the edges, and
// compares each answer with one found by looking at every item, each write with what it
// should have changed, and the units DynamoDB counted with those the cost model counts.
//
// The calls are those of package program sent through package access, as generated code
// sends them. The answers they are compared with use neither keys nor indexes: only what
// the design says a pattern means. It needs a DynamoDB, any of them; which one is for the
// caller to say.
package verify

import (
	"cmp"
	"context"
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

// API is what verification needs of DynamoDB.
type API interface {
	access.API
	provision.API
}

// What zero Options mean.
const (
	DefaultRoots    = 12
	DefaultChildren = 10
	DefaultRuns     = 24
)

// Options choose how much is tried. The zero Options are a run of seconds.
type Options struct {
	Seed     uint64 // other seeds give other items and other calls
	Roots    int    // items of an entity that refers to no other; 0 means DefaultRoots
	Children int    // most items of an entity for one it refers to; 0 means DefaultChildren
	Runs     int    // calls of each pattern; 0 means DefaultRuns
	Prefix   string // in front of the names of tables
	// Lag is how long an eventually consistent read may take to show a write: a difference
	// is looked at again until then. 0: it shows at once, as in the embedded engine.
	Lag      time.Duration
	Tags     []string       // only patterns of these phases
	Only     []string       // only these patterns; empty: all
	Progress func(Progress) // or nil
	// CleanUp is how long deleting the tables may take after a run that failed or was
	// stopped. 0 means 10 seconds.
	CleanUp time.Duration
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int    // patterns
	Calls       int    // made up to the pattern at hand
	Doing       string // the pattern at hand, or what else is done
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
	state    *state.Tables
	arranger *arrange.Arranger
	heat     *heat
	report   *Report
	priced   *cost.Estimate
}

// newVerifier makes a run that has no client yet.
func newVerifier(p *program.Program, o Options) *verifier {
	s := state.New(p.Layout)
	return &verifier{
		layout: p.Layout, program: p, o: o, meter: &meter{}, state: s,
		arranger: arrange.New(p, s, o.Seed),
		priced:   cost.Price(p.Layout, cost.Options{}),
		heat:     newHeat(),
		report:   &Report{Design: p.Layout.Design().Name, Seed: o.Seed},
	}
}

// Run verifies a layout on a DynamoDB. The error is about running it; what differs is in
// the report.
func Run(ctx context.Context, l *resolve.Layout, api API, o Options) (*Report, error) {
	o = o.withDefaults()
	v := newVerifier(program.New(l), o)
	v.api = api
	v.client = access.NewClient(api, access.Design{Name: l.Design().Name, Hash: "verify"},
		access.WithTablePrefix(o.Prefix), access.WithObserver(v.meter))
	calls := v.calls()
	v.progress(0, len(calls), "creating tables")
	if err := v.create(ctx, passing(tabledef.Of(l.Design()))); err != nil {
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
	return v.report, nil
}

// passing are the tables without what would be in the way of tables that are there for
// one run: invented items live in the past, the capacity of the real load throttles calls
// as fast as these, and a key of the customer says nothing about answers or units.
func passing(tables []provision.Table) []provision.Table {
	for i := range tables {
		t := &tables[i]
		t.TTL, t.Encryption = "", ""
		t.RCU, t.WCU, t.Autoscaled = 0, 0, false
		for j := range t.Indexes {
			t.Indexes[j].RCU, t.Indexes[j].WCU = 0, 0
		}
	}
	return tables
}

// create makes the tables.
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

// calls are the calls to make: reads, then writes, in the order of the design.
func (v *verifier) calls() []*program.Call {
	var reads, writes []*program.Call
	for _, p := range v.layout.Design().Patterns {
		if !p.HasTag(v.o.Tags) || len(v.o.Only) > 0 && !slices.Contains(v.o.Only, p.Name) {
			continue
		}
		call := v.program.Call(p)
		switch {
		case call == nil:
			v.report.Patterns = append(v.report.Patterns, &PatternReport{
				Name: p.Name, Verb: string(p.Verb), Differences: []Difference{{Kind: "unserved", Detail: v.unserved(p)}},
			})
		case call.Read != nil:
			reads = append(reads, call)
		default:
			writes = append(writes, call)
		}
	}
	return slices.Concat(reads, writes)
}

// unserved says why a pattern cannot be called.
func (v *verifier) unserved(p *model.Pattern) string {
	for _, problem := range v.layout.Plan(p).Problems {
		return problem.Message
	}
	return "no path serves it"
}

// run calls every pattern. Reads are called again after the writes: what those leave in
// the indexes must be found.
func (v *verifier) run(ctx context.Context, calls []*program.Call) error {
	reports := map[*program.Call]*PatternReport{}
	for i, call := range calls {
		v.progress(i, len(calls), call.Pattern.Name)
		r := v.newReport(call)
		reports[call] = r
		v.report.Patterns = append(v.report.Patterns, r)
		verify := v.read
		if call.Read == nil {
			verify = v.write
		}
		if err := verify(ctx, call, r, v.o.Runs); err != nil {
			return fmt.Errorf("%s: %w", call.Pattern.Name, err)
		}
	}
	for _, call := range calls {
		if call.Read == nil {
			continue
		}
		if err := v.read(ctx, call, reports[call], v.o.Runs/3+1); err != nil {
			return fmt.Errorf("%s: %w", call.Pattern.Name, err)
		}
	}
	v.inOrder()
	return nil
}

// inOrder puts the reports in the order of the design, those with differences first.
func (v *verifier) inOrder() {
	place := map[string]int{}
	for i, p := range v.layout.Design().Patterns {
		place[p.Name] = i
	}
	differs := func(r *PatternReport) int { return -min(1, len(r.Differences)) }
	slices.SortStableFunc(v.report.Patterns, func(a, b *PatternReport) int {
		return cmp.Or(cmp.Compare(differs(a), differs(b)), cmp.Compare(place[a.Name], place[b.Name]))
	})
}

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
