package verify

import (
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/judge"
)

// A Report is what a run found.
type Report struct {
	Design   string
	Seed     uint64
	Items    int // loaded
	Patterns []*PatternReport
	Leftover []Difference // rows that differ after everything, whoever wrote them
	Heat     []PathHeat
}

// Failed reports whether anything differs.
func (r *Report) Failed() bool {
	for _, p := range r.Patterns {
		if len(p.Differences) > 0 {
			return true
		}
	}
	return len(r.Leftover) > 0
}

// A Difference is an answer or a price that is not what was proved.
type Difference = judge.Difference

// A PatternReport is what calling one pattern found.
type PatternReport struct {
	Name    string
	Verb    string
	Path    string
	Calls   int
	Found   int // reads: calls that found something; writes: calls that were done
	Refused int // writes: calls that were refused, as they should be
	Items   int // read
	// Units are counted over all calls that were done: what the cost model counts for the
	// items at hand, and what DynamoDB counted.
	Expected, Measured float64
	Design             float64 // what the design estimates for one call
	PerCall            float64 // measured, on average
	// Typical is what a call took where there were as many items as the design estimates
	// with, if there was such a place. Reads only.
	Typical     float64
	HasTypical  bool
	Differences []Difference
	Omitted     int // further differences
}

func (r *PatternReport) differ(kind, arguments, detail string) {
	if len(r.Differences) >= judge.MostDifferences {
		r.Omitted++
		return
	}
	r.Differences = append(r.Differences, Difference{Kind: kind, Arguments: arguments, Detail: detail})
}

// join adds the result of one call.
func (r *PatternReport) join(once *judge.Result) {
	r.Calls++
	r.Found += once.Found
	r.Refused += once.Refused
	r.Items += once.Items
	r.Expected += once.Expected
	r.Measured += once.Measured
	for _, d := range once.Differences {
		r.differ(d.Kind, d.Arguments, d.Detail)
	}
	if done := r.Calls - r.Refused; done > 0 {
		r.PerCall = r.Measured / float64(done)
	}
}

func (v *verifier) newReport(c *program.Call) *PatternReport {
	r := &PatternReport{Name: c.Pattern.Name, Verb: string(c.Pattern.Verb)}
	if c.Read != nil {
		r.Path = c.Read.Entry.Path.String()
	} else {
		r.Path = c.Writes[0].Item.Table.Name
	}
	if priced := v.priced.Pattern(c.Pattern); priced != nil {
		units := priced.Write
		if c.Read != nil {
			units = priced.Read
		}
		r.Design = units.Float64()
	}
	return r
}
