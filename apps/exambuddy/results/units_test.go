package results_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/access"
)

// TestStatisticsTakeTheEstimatedUnits compares the transaction that adds a typical attempt, of ten
// questions, with the design's estimate: within five per cent, as sortkey verify does with writes.
func TestStatisticsTakeTheEstimatedUnits(t *testing.T) {
	meter := &access.Meter{}
	s := open(t, 10, nil, access.WithObserver(meter))
	attempt := s.sit(t, s.Candidate(t, "kim"), strings.Split("cacbccdcca", "")...)
	if err := s.Results.Settle(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(meter.Report(), func(r access.PatternReport) bool {
		return strings.HasPrefix(r.Pattern, "CreateStatMark + ")
	})
	if i < 0 {
		t.Fatal("nothing was added")
	}
	if r := meter.Report()[i]; math.Abs(r.Ratio-1) > 0.05 {
		t.Errorf("%s: %v units of estimated %v", r.Pattern, r.Units, r.Estimated)
	}
}
