package verify

import (
	"cmp"
	"slices"

	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/judge"
)

// A Report holds the results of a run.
type Report struct {
	Design   string
	Seed     uint64
	Items    int // loaded
	Patterns []*PatternReport
	Leftover []Difference // rows that differ at the end of the run, and heat that contradicts the estimate
	Heat     []PathHeat
}

// add adds the report of another part of the program. Patterns with differences and the hottest
// keys come first.
func (r *Report) add(other *Report) {
	r.Items += other.Items
	r.Patterns = append(r.Patterns, other.Patterns...)
	r.Leftover = append(r.Leftover, other.Leftover...)
	r.Heat = append(r.Heat, other.Heat...)
	slices.SortStableFunc(r.Patterns, func(a, b *PatternReport) int { return cmp.Compare(differs(a), differs(b)) })
	slices.SortStableFunc(r.Heat, func(a, b PathHeat) int { return cmp.Compare(b.Use, a.Use) })
}

// differs returns -1 for a report with differences, else 0.
func differs(r *PatternReport) int { return -min(1, len(r.Differences)) }

// Failed reports whether anything differs.
func (r *Report) Failed() bool {
	for _, p := range r.Patterns {
		if len(p.Differences) > 0 {
			return true
		}
	}
	return len(r.Leftover) > 0
}

// A Difference is a result of a call that is not what the design proves.
type Difference = judge.Difference

// A PatternReport holds the results of all calls of one pattern.
type PatternReport struct {
	Name    string
	Verb    string
	Path    string
	Calls   int
	Found   int // reads: calls that found something; writes: calls that succeeded
	Refused int // writes: calls that had to be refused
	Items   int // read
	// Expected and Measured are the units of all calls that succeeded: those that the cost model
	// counts for their items, and those that DynamoDB counted.
	Expected, Measured float64
	Design             float64 // the units that the design estimates for one call
	PerCall            float64 // measured, on average
	// Typical is the units of a call with as many items of the same size as the design estimates
	// with. HasTypical reports whether there was such a call.
	Typical     float64
	HasTypical  bool
	Differences []Difference
	Omitted     int // further differences
}

// differ adds a difference, up to judge.MostDifferences.
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

// newReport returns the report of a call before its first run.
func (v *verifier) newReport(c *program.Call) *PatternReport {
	r := &PatternReport{Name: c.Pattern.Name, Verb: string(c.Pattern.Verb)}
	if reads := c.Reads(); len(reads) > 0 {
		r.Path = reads[0].Read.Entry.Path.String()
	} else {
		r.Path = c.Writes[0].Item.Table.Name
	}
	if priced := v.priced.Pattern(c.Pattern); priced != nil {
		units := priced.Write
		if c.Pattern.Verb.Reads() {
			units = priced.Read
		}
		r.Design = units.Float64()
	}
	return r
}
