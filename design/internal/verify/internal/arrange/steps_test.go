package arrange

import (
	"fmt"
	"slices"
	"testing"
)

// unmetNeeds returns the needs of steps that no earlier step leaves.
func unmetNeeds(steps []step) []string {
	var all []string
	left := map[fact]bool{}
	for _, s := range steps {
		for _, need := range s.needs {
			if !left[need] {
				all = append(all, fmt.Sprintf("%s needs that %s", s.name, need))
			}
		}
		for _, leaves := range s.leaves {
			left[leaves] = true
		}
	}
	return all
}

func TestStepsFollowWhatTheyNeed(t *testing.T) {
	for _, problem := range unmetNeeds(steps) {
		t.Error(problem)
	}
}

// TestStepsHaveOneOrder exchanges neighbours: where that leaves no need unmet, the order of
// the two does not matter, and the list must not pretend that it does.
func TestStepsHaveOneOrder(t *testing.T) {
	free := []string{"read versions"} // and making room in counters do not depend on each other
	for i := range len(steps) - 1 {
		other := slices.Clone(steps)
		other[i], other[i+1] = other[i+1], other[i]
		if len(unmetNeeds(other)) == 0 != slices.Contains(free, steps[i].name) {
			t.Errorf("exchanging %q and %q leaves unmet: %v", steps[i].name, steps[i+1].name, unmetNeeds(other))
		}
	}
}

func TestFactsAreLeftOnceAndNeeded(t *testing.T) {
	leftBy, needed := map[fact]string{}, map[fact]bool{}
	for _, s := range steps {
		if len(s.leaves) == 0 || s.run == nil {
			t.Errorf("%s does nothing", s.name)
		}
		for _, leaves := range s.leaves {
			if other := leftBy[leaves]; other != "" {
				t.Errorf("both %q and %q leave that %s", other, s.name, leaves)
			}
			leftBy[leaves] = s.name
		}
		for _, need := range s.needs {
			needed[need] = true
		}
	}
	for leaves, name := range leftBy {
		if !needed[leaves] && leaves != paramsDerived { // the scenario itself needs those
			t.Errorf("%s: no later step needs that %s", name, leaves)
		}
	}
}
