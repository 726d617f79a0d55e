package judge

import (
	"fmt"

	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
)

// A Difference is an answer or a price that is not what was proved.
type Difference struct {
	Kind      string // content, order, missing, surplus, units, outcome, page, error
	Arguments string
	Detail    string
}

// MostDifferences is how many differences of one pattern are told in full.
const MostDifferences = 5

// A result is what one call did and in what it differs from what it must do.
type Result struct {
	Arguments string // of the call, as a difference shows them
	Found     int    // 1 if a read found something or a write was done
	Refused   int    // 1 if a write was refused, as it should be
	Items     int    // read
	// Units of a call that was done: what the cost model counts, and what DynamoDB counted.
	Expected, Measured float64
	Differences        []Difference
}

// NewResult is the result of a call that has not been made yet.
func NewResult(c *program.Call, a *bind.Arguments) *Result {
	return &Result{Arguments: bind.Describe(c, a)}
}

// Differ notes a difference, unless there are enough.
func (r *Result) Differ(kind, detail string) {
	if len(r.Differences) < MostDifferences {
		r.Differences = append(r.Differences, Difference{kind, r.Arguments, detail})
	}
}

// CompareUnits compares what DynamoDB counted with what the cost model counts.
func (r *Result) CompareUnits() {
	if r.Expected != r.Measured {
		r.Differ("units", fmt.Sprintf("DynamoDB counted %v units, the cost model %v", r.Measured, r.Expected))
	}
}
