package verify

import (
	"testing"

	"sortkey.dev/design/internal/verify/internal/judge"
)

// TestEstimateBeyondToleranceIsReported compares typical calls with an estimate of 10 units.
func TestEstimateBeyondToleranceIsReported(t *testing.T) {
	for _, c := range []struct {
		measured, most float64
		differs        bool
	}{{10, 0.5, false}, {10.5, 0.5, false}, {11, 0.5, true}, {9, 0.5, true}, {9, 1, false}} {
		r := &PatternReport{Design: 10}
		r.compareEstimate(&judge.Result{Measured: c.measured}, c.most)
		if differs := len(r.Differences) > 0; differs != c.differs || !r.HasTypical {
			t.Errorf("%v units, at most %v apart: differences %v, want %v", c.measured, c.most, r.Differences, c.differs)
		}
	}
}
