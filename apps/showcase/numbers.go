package showcase

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// remembered is the number of looks that a trend keeps: one minute.
const remembered = int(time.Minute / tick)

// A trend holds the growth of a number between the last looks at it.
type trend struct {
	mu     sync.Mutex
	before int64
	seen   bool
	growth []float64
}

// add adds a look at the number.
func (t *trend) add(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen {
		t.growth = append(t.growth, float64(n-t.before))
		if len(t.growth) > remembered {
			t.growth = slices.Delete(t.growth, 0, len(t.growth)-remembered)
		}
	}
	t.before, t.seen = n, true
}

// values returns the growth, oldest first.
func (t *trend) values() []float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.growth)
}

// calls returns the number of calls of all access patterns since the start.
func (r *room) calls() (n int64) {
	if meter := r.meter(); meter != nil {
		for _, pattern := range meter.Report() {
			n += pattern.Calls
		}
	}
	return n
}

// counted returns the successful calls of the patterns that the front page counts. A transaction
// has the names of its parts.
func (r *room) counted() (n int64) {
	meter := r.meter()
	if meter == nil {
		return 0
	}
	for _, pattern := range meter.Report() {
		for name := range strings.SplitSeq(pattern.Pattern, " + ") {
			if slices.Contains(r.Counted.Patterns, name) {
				n += pattern.Calls - pattern.Refused - pattern.Errors
				break
			}
		}
	}
	return n
}
