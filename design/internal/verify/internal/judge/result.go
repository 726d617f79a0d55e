package judge

import (
	"fmt"

	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
)

// A Difference is a result of a call that is not what the design proves.
type Difference struct {
	Kind      string // content, order, missing, surplus, units, outcome, page, error, heat, estimate
	Arguments string
	Detail    string
}

// MostDifferences is the number of differences of one pattern that are reported in full.
const MostDifferences = 5

// A Result says what one call did, and how that differs from what it must do.
type Result struct {
	Arguments string // of the call, as a difference shows them
	Found     int    // 1 if a read found something or a write succeeded
	Refused   int    // 1 if a write had to be refused
	Items     int    // read
	// The units of a call that succeeded, of the cost model and of DynamoDB.
	Expected, Measured float64
	Differences        []Difference
}

// NewResult returns the result of a call that has not been made yet.
func NewResult(c *program.Call, a *bind.Arguments) *Result {
	return &Result{Arguments: bind.Describe(c, a)}
}

// Differ adds a difference, up to MostDifferences.
func (r *Result) Differ(kind, detail string) {
	if len(r.Differences) < MostDifferences {
		r.Differences = append(r.Differences, Difference{kind, r.Arguments, detail})
	}
}

// CompareUnits compares the units of DynamoDB with those of the cost model.
func (r *Result) CompareUnits() {
	if r.Expected != r.Measured {
		r.Differ("units", fmt.Sprintf("DynamoDB counted %v units, the cost model %v", r.Measured, r.Expected))
	}
}
