// Package migrate plans how the tables of one version of a design become those of the next while
// programs go on: what each item gets and loses, in which steps, what every step costs and how
// long it takes, and how to go back. It writes the plan as a file that people review, and as
// the data that package access/migrate carries out.
//
// It reads models and prices and sends nothing. Package design calls it.
package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/resolve"
)

// A Version is one end of a migration.
type Version struct {
	Number int
	File   string // its file in the history
	Shape  string // changes with everything that decides what items look like
}

// A Plan is a migration with its steps.
type Plan struct {
	ID       string // 0007-task-titles
	Design   string
	From, To Version
	Settings Settings
	Changes  []*change.Change
	Tables   []migrate.Table
	Parts    []migrate.Part
	Steps    []*Step
	prices   *cost.PriceList

	Matching *change.Matching
}

// Settings holds what people decide about a migration.
type Settings struct {
	Write, Read int64  // units a second
	Most        string // dollars; "": as much as it takes
	Conflicts   string // stop, or list and go on up to a number
	Holds       map[string]bool
	Accept      map[diag.Code]string // dangerous changes, with the reason
	Strategy    string               // dual or tail
	Settled     bool                 // all tables are past the migration
}

// defaults of Settings.
const (
	defaultWrite = 1000
	defaultRead  = 2000
)

// A RefusedError lists changes that no plan can be made for.
type RefusedError struct {
	Changes []*change.Change
	why     map[*change.Change]string
}

func (e *RefusedError) Error() string {
	var lines []string
	for _, c := range e.Changes {
		line := fmt.Sprintf("%s %s: %s", c.Code, c.Subject, c.Message)
		if why := cmp.Or(e.why[c], later[c.Code]); why != "" {
			line += " (" + why + ")"
		} else if fix := cmp.Or(c.Fix, c.Code.Rule().Fix); fix != "" {
			line += "\n    do: " + strings.TrimSuffix(fix, ".")
		}
		lines = append(lines, line)
	}
	return "there is no plan for these changes:\n  " + strings.Join(lines, "\n  ")
}

// later lists changes that can be made without downtime, but that this version does not plan.
var later = map[diag.Code]string{
	"E019": "moves between sealed and plain values are not planned yet",
	"E029": "another number of shards is not planned yet",
	"E043": "entities that are split are not planned yet", "E044": "entities that are merged are not planned yet",
	"E051": "another TTL attribute is not planned yet", "E063": "changed unique rules and counters are not planned yet",
}

// An Options says from what a plan is made.
type Options struct {
	Name     string
	From, To Version
	Settings Settings
	Prices   *cost.PriceList         // nil: those of the design
	Counts   map[string]exact.Number // items by entity, as counted; those missing are the design's
	Measured map[string]Units        // what steps take, as measured, by step and part: fill User; those missing follow from the design
}

// Units holds the items that a step goes through, and the units that it consumes.
type Units struct{ Items, Reads, Writes exact.Number }

// New plans the changes from one version to the next. The error is a RefusedError for changes that are not
// done online, and for dangerous ones that are not accepted.
func New(c *change.Changes, o Options) (*Plan, error) {
	p := &Plan{
		ID: fmt.Sprintf("%04d-%s", o.To.Number, o.Name), Design: c.New.Name, From: o.From, To: o.To,
		Settings: o.Settings, Changes: c.All, Matching: c.Matching,
	}
	if p.Settings.Write == 0 {
		p.Settings.Write = defaultWrite
	}
	if p.Settings.Read == 0 {
		p.Settings.Read = defaultRead
	}
	p.Settings.Strategy = cmp.Or(p.Settings.Strategy, Dual)
	if p.Settings.Conflicts == "" {
		p.Settings.Conflicts = "stop"
	}
	found := collect(c.Matching)
	refused, why := found.movesRows(c.All), map[*change.Change]string{}
	for _, one := range c.All {
		switch one.Code {
		case "E061":
			why[one] = whyNoRows(c.Matching, one)
		case "E062":
			why[one] = whyNotCounted(c.Matching, one)
		}
		if p.refuses(one) && !found.empties(one) && !found.inCopies(one) || why[one] != "" {
			refused = append(refused, one)
		}
	}
	if len(refused) > 0 {
		return nil, &RefusedError{refused, why}
	}
	p.Tables, p.Parts = found.tables, found.parts
	layout := resolve.New(c.New)
	p.Parts = append(countParts(c.Matching, layout, p.Parts), uniqueParts(c.Matching, layout)...)
	p.Tables = tablesOf(c.Matching, p.Tables, p.Parts)
	if err := p.Migration().Check(); err != nil {
		return nil, err
	}
	p.steps(c, layout, o)
	return p, nil
}

// refuses reports whether a change prevents the plan.
func (p *Plan) refuses(c *change.Change) bool {
	_, accepted := p.Settings.Accept[c.Code]
	accepted = accepted || c.Accepted != ""
	switch {
	case later[c.Code] != "":
		return true
	case c.Class == diag.Breaking:
		return true
	case c.Dangerous && c.Code != "E014" && c.Code != "E025":
		return !accepted
	}
	return c.Code == "E004" && !accepted
}

// Migration returns the plan as data for package access/migrate.
func (p *Plan) Migration() *migrate.Migration {
	most, _ := strconv.ParseInt(p.Settings.Conflicts, 10, 64) // stop: none
	holds := maps.Clone(p.Settings.Holds)
	for _, step := range []string{"read", "after"} {
		planned := slices.ContainsFunc(p.Steps, func(s *Step) bool { return s.Step == step })
		if _, set := holds[step]; !set && !planned && len(p.Steps) > 0 { // nothing changes for readers, so the run does not wait
			if holds == nil {
				holds = map[string]bool{}
			}
			holds[step] = false
		}
	}
	return &migrate.Migration{
		ID: p.ID, Design: p.Design, From: p.From.Number, To: p.To.Number, Tables: p.Tables, Parts: slices.Clone(p.Parts),
		Holds: holds, Conflicts: most, Estimates: p.estimates(), Strategy: p.Settings.Strategy,
	}
}

// estimates returns what the steps take.
func (p *Plan) estimates() []migrate.Estimate {
	var all []migrate.Estimate
	for _, s := range p.Steps {
		if s.Part != "" {
			all = append(all, migrate.Estimate{Step: s.Step, Part: s.Part, Items: s.Items.Int64(),
				Reads: s.Reads.Float64(), Writes: s.Writes.Float64(), Price: s.Price.Float64()})
		}
	}
	return all
}

// Runner returns the settings and the prices as options of a runner.
func (p *Plan) Runner() migrate.Options {
	o := migrate.Options{
		WriteRate: float64(p.Settings.Write), ReadRate: float64(p.Settings.Read),
		Prices: migrate.Prices{Read: p.prices.Of("read").Float64(), Write: p.prices.Of("write").Float64()},
	}
	if most, err := exact.Parse(strings.TrimPrefix(p.Settings.Most, "$")); err == nil {
		o.Most = most.Float64()
	}
	return o
}
