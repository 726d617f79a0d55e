package engine

import (
	"slices"
	"sync"
	"time"
)

// A Clock is the time and the timers of a database: see [Options].
type Clock interface {
	// Now returns the time.
	Now() time.Time

	// AfterFunc runs f once, when d has passed. stop prevents that if f does not run yet, and
	// reports whether it did. The background jobs of the database are such functions.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// A ManualClock stands still until a test moves it. Several databases may share it. It is safe
// for concurrent use.
type ManualClock struct {
	advancing sync.Mutex // held by Advance while it runs functions

	mu     sync.Mutex
	now    time.Time
	passed time.Duration // the sum of all Advances
	timers []*manualTimer
}

// A manualTimer is a function that waits for its time. The timers are in the order of their times.
type manualTimer struct {
	due time.Duration // in terms of passed
	f   func()
}

// NewClock returns a clock for tests that stands at start:
//
//	clock := engine.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
//	db, err := engine.Open("", &engine.Options{Clock: clock})
//	…
//	clock.Advance(24 * time.Hour) // expired items are deleted, streams are trimmed
func NewClock(start time.Time) *ManualClock { return &ManualClock{now: start} }

// Now returns the time of the clock.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc runs f within the Advance that reaches its time.
func (c *ManualClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{c.passed + max(0, d), f}
	after := func(other *manualTimer) bool { return other.due > t.due }
	i := slices.IndexFunc(c.timers, after)
	if i < 0 {
		i = len(c.timers)
	}
	c.timers = slices.Insert(c.timers, i, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.timers, t)
		if i >= 0 {
			c.timers = slices.Delete(c.timers, i, i+1)
		}
		return i >= 0
	}
}

// Advance moves the clock by d. On the way it runs the background jobs of its databases, each
// at its time and one after the other, and it returns when all jobs that were due have ended:
// then expired items are deleted and old stream records trimmed. Jobs that wait for
// something else than the time, like the creation of an index, run on their own.
//
// It must not be called by a function of AfterFunc. A d below zero counts as zero: see [ManualClock.Set].
func (c *ManualClock) Advance(d time.Duration) {
	c.advancing.Lock()
	defer c.advancing.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for end := c.passed + max(0, d); ; {
		next := end
		due := len(c.timers) > 0 && c.timers[0].due <= end
		if due {
			next = c.timers[0].due
		}
		c.now = c.now.Add(next - c.passed)
		c.passed = next
		if !due {
			return
		}
		f := c.timers[0].f
		c.timers = slices.Delete(c.timers, 0, 1)
		c.mu.Unlock()
		f()
		c.mu.Lock()
	}
}

// Set sets the clock to a time, which may be earlier, as when an operator sets the clock of a
// machine. No time passes: no job runs.
func (c *ManualClock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}
