package clock

import (
	"log/slog"
	"slices"
	"sync/atomic"
	"time"
)

// A Func is a clock made of a function that tells the time. It follows a step of more than a
// minute if a second reading confirms it, and ignores a single wrong reading. Its timers are
// real. It is safe for concurrent use.
type Func struct {
	now   func() time.Time
	log   *slog.Logger
	last  atomic.Int64 // the latest returned time, in milliseconds
	steps atomic.Int64
}

// NewFunc returns a clock that reads now.
func NewFunc(now func() time.Time, log *slog.Logger) *Func {
	f := &Func{now: now, log: log}
	f.last.Store(now().UnixMilli())
	return f
}

// Now returns the time.
func (f *Func) Now() time.Time {
	t := f.now()
	last := time.UnixMilli(f.last.Load()).UTC()
	if abs(t.Sub(last)) > maxStep {
		t = f.confirm(last, t)
	}
	f.last.Store(t.UnixMilli())
	return t
}

// confirm reads the time again after a step and returns the median of both readings and the
// last time.
func (f *Func) confirm(last, first time.Time) time.Time {
	times := []time.Time{last, first, f.now()}
	slices.SortFunc(times, time.Time.Compare)
	if !times[1].Equal(first) && abs(times[1].Sub(first)) > maxStep {
		f.steps.Add(1)
		f.log.Warn("a reading of Options.Now is ignored: the next one does not confirm it", slog.Time("ignored", first), slog.Time("next", times[1]))
	}
	return times[1]
}

// AfterFunc runs fn after d of real time.
func (f *Func) AfterFunc(d time.Duration, fn func()) (stop func() bool) { return afterFunc(d, fn) }

// State reports the ignored readings.
func (f *Func) State() State { return State{Steps: f.steps.Load()} }
