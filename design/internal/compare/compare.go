// Package compare compares the layouts of one design, the chosen one and its alternatives,
// under the same patterns and the same workload. It counts and draws conclusions; package
// cost estimates the layouts and package output prints the comparison.
package compare

import (
	"fmt"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Chosen is the name of the design's own layout in a comparison.
const Chosen = "as designed"

// A Comparison compares the layouts of a design.
type Comparison struct {
	Design      *model.Design
	Prices      *cost.PriceList
	Patterns    []*model.Pattern // those of the selected phases, in the design's order
	Layouts     []*Layout        // the chosen one first
	Conclusions []string         // sentences, the most important first
}

// A Layout is one layout of the design with its key figures.
type Layout struct {
	Name     string // Chosen, or the alternative's name
	Doc      string
	Plans    *resolve.Layout
	Estimate *cost.Estimate
	Patterns []Serving // as Comparison.Patterns

	Served, Unserved   int
	Tables, GSIs, LSIs int
	Reads, Writes      exact.Number // units a month
	Amplification      exact.Number // write units in all over those of tables alone
	Bytes              exact.Number // stored
	OnDemand           exact.Number // money a month
	Provisioned        exact.Number
	AsDesigned         exact.Number
	Hot                []HotSpot // hottest first
}

// A Serving describes how a layout serves a pattern.
type Serving struct {
	Pattern     *model.Pattern
	Served      bool
	Why         string       // why not, if it is not served
	Requests    exact.Number // to DynamoDB for one call
	Read, Write exact.Number // units of one call
}

// Warm is the share of a partition's throughput from which a path is a hot spot.
var Warm = exact.Ratio(1, 2)

// A HotSpot is a path whose hottest partition key takes at least half of a partition's limit.
type HotSpot struct {
	Path  resolve.Path
	Heat  cost.Heat
	Share exact.Number // of the partition's limit
}

// Throttled reports whether the load exceeds the partition's limit.
func (h HotSpot) Throttled() bool { return exact.One.Less(h.Share) }

// Layouts compares a design's layout with its alternatives.
func Layouts(d *model.Design, o cost.Options) *Comparison {
	c := &Comparison{Design: d, Prices: o.Prices}
	if c.Prices == nil {
		c.Prices = cost.PricesFor(d)
	}
	o.Prices = c.Prices
	for _, p := range d.Patterns {
		if p.HasTag(o.Tags) {
			c.Patterns = append(c.Patterns, p)
		}
	}
	c.Layouts = append(c.Layouts, c.layout(Chosen, "", d, o))
	for _, alternative := range d.Alternatives {
		c.Layouts = append(c.Layouts, c.layout(alternative.Name, alternative.Doc, d.WithTables(alternative), o))
	}
	c.Conclusions = conclude(c)
	return c
}

func (c *Comparison) layout(name, doc string, d *model.Design, o cost.Options) *Layout {
	plans := resolve.New(d)
	e := cost.Price(plans, o)
	l := &Layout{
		Name: name, Doc: doc, Plans: plans, Estimate: e,
		Tables: len(d.Tables),
		Reads:  e.Reads(), Writes: e.Writes(), Amplification: e.Amplification(), Bytes: e.Bytes(),
		OnDemand: e.OnDemand.Total, Provisioned: e.Provisioned.Total, AsDesigned: e.AsDesigned.Total,
	}
	for _, p := range c.Patterns {
		l.serve(p)
	}
	for _, table := range d.Tables {
		for _, index := range table.Indexes {
			if index.Local {
				l.LSIs++
			} else {
				l.GSIs++
			}
		}
	}
	l.Hot = hotSpots(e)
	return l
}

func (l *Layout) serve(p *model.Pattern) {
	plan := l.Plans.Plan(p)
	s := Serving{Pattern: p, Served: plan != nil && plan.Served()}
	if priced := l.Estimate.Pattern(p); priced != nil {
		s.Requests, s.Read, s.Write = priced.Requests, priced.Read, priced.Write
	}
	if s.Served {
		l.Served++
	} else {
		l.Unserved++
		s.Why = firstProblem(plan)
	}
	l.Patterns = append(l.Patterns, s)
}

// firstProblem returns why a plan does not serve its pattern: its first error.
func firstProblem(plan *resolve.Plan) string {
	if plan == nil {
		return "no plan"
	}
	for _, problem := range plan.Problems {
		if problem.Code.Rule().Severity.String() == "error" {
			return fmt.Sprintf("%s (%s)", problem.Message, problem.Code)
		}
	}
	if len(plan.Refused) > 0 {
		return plan.Refused[0].Path.String() + ": " + plan.Refused[0].Reason
	}
	return "no path serves it"
}
