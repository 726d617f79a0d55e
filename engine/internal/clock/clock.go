// Package clock provides the clocks of a database: the clock of the machine, which does not
// follow a sudden step at once, and a function that tells the time, of which a single wrong
// reading is ignored.
//
// It dates nothing itself: package catalog dates stream records with a clock that never runs
// backwards. The engine opens a clock for each database.
package clock

import (
	"context"
	"time"
)

// A Clock tells the time and runs functions later.
type Clock interface {
	Now() time.Time

	// AfterFunc runs f once, after d. stop prevents that, and reports whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// maxStep is the greatest difference from the expected time that is followed at once.
const maxStep = time.Minute

// Sleep waits for d on a clock. If ctx ends first, it returns the error of ctx.
func Sleep(ctx context.Context, c Clock, d time.Duration) error {
	over := make(chan struct{})
	stop := c.AfterFunc(d, func() { close(over) })
	select {
	case <-ctx.Done():
		stop()
		return ctx.Err()
	case <-over:
		return nil
	}
}

// State describes what a clock has seen.
type State struct {
	Steps   int64         // readings or changes of the time source that were not followed at once
	Pending time.Duration // the step that is not followed yet
}

// afterFunc is the AfterFunc of clocks whose timers are real.
func afterFunc(d time.Duration, f func()) (stop func() bool) { return time.AfterFunc(d, f).Stop }

func abs(d time.Duration) time.Duration { return max(d, -d) }
