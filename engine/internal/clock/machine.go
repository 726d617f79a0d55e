package clock

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// standing is the time for which a step must last before it is followed.
	standing = time.Minute

	// drift is the share by which two clocks of a machine may run apart, as one in so many.
	drift = 5000
)

// A Machine is the wall clock of the machine, held against a clock that counts the time since
// the machine was started, including the time it slept. A wall clock that is set by more than
// a minute is not followed until it has kept the new time for a minute: a wrong time for a
// moment would otherwise expire items and date stream records. It is safe for concurrent use.
type Machine struct {
	source Source
	log    *slog.Logger
	anchor atomic.Pointer[anchor]
	steps  atomic.Int64

	mu   sync.Mutex
	step step // zero: none is pending
}

// A Source reads the clocks of a machine.
type Source struct {
	// Now returns the wall clock, and a time that runs evenly but may stop while the machine sleeps.
	Now func() (wall time.Time, awake time.Duration)
	// Boot returns a time that runs evenly, also while the machine sleeps. It may be slow.
	Boot func() time.Duration
}

// An anchor is a moment at which the wall clock was right.
type anchor struct {
	wall        time.Time
	awake, boot time.Duration
	suspect     bool // a step is pending
}

// A step is a difference between the wall clock and the expected time.
type step struct {
	by    time.Duration
	since time.Duration // when it was first seen, by the boot clock
}

// NewMachine returns the clock of the machine.
func NewMachine(log *slog.Logger) *Machine {
	start := time.Now()
	now := func() (time.Time, time.Duration) {
		t := time.Now()
		return t.Round(0), t.Sub(start)
	}
	boot := sinceBoot
	if _, ok := boot(); !ok {
		boot = func() (time.Duration, bool) { return time.Since(start), true }
	}
	return NewMachineOf(Source{now, func() time.Duration { d, _ := boot(); return d }}, log)
}

// NewMachineOf returns the clock of a machine with these clocks.
func NewMachineOf(s Source, log *slog.Logger) *Machine {
	m := &Machine{source: s, log: log}
	wall, awake := s.Now()
	m.anchor.Store(&anchor{wall: wall, awake: awake, boot: s.Boot()})
	return m
}

// Now returns the time.
func (m *Machine) Now() time.Time {
	wall, awake := m.source.Now()
	a := m.anchor.Load()
	passed := awake - a.awake
	if !a.suspect && passed < standing && abs(wall.Sub(a.wall)-passed) <= maxStep {
		return wall
	}
	return m.compare()
}

// compare returns the time after it has compared the wall clock with the boot clock.
func (m *Machine) compare() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	wall, awake := m.source.Now()
	boot := m.source.Boot()
	a := m.anchor.Load()
	passed := awake - a.awake
	expected := a.wall.Add(max(passed, boot-a.boot))
	by := wall.Sub(expected)
	switch {
	case abs(by) <= maxStep+max(passed, boot-a.boot)/drift:
		if m.step.by != 0 {
			m.log.Info("the clock of the machine is back at the expected time")
		}
	case m.step.by == 0 || abs(by-m.step.by) > maxStep:
		m.step = step{by, boot}
		m.steps.Add(1)
		m.anchor.Store(&anchor{wall: a.wall, awake: a.awake, boot: a.boot, suspect: true})
		m.log.Warn("the clock of the machine has jumped; it is followed if it keeps the new time for a minute",
			slog.Duration("by", by), slog.Time("to", wall), slog.Time("expected", expected))
		return expected
	case boot-m.step.since < standing:
		return expected
	default:
		m.log.Warn("the clock of the machine is followed after a jump", slog.Duration("by", by), slog.Time("to", wall))
	}
	m.step = step{}
	m.anchor.Store(&anchor{wall: wall, awake: awake, boot: boot})
	return wall
}

// AfterFunc runs f after d of real time.
func (m *Machine) AfterFunc(d time.Duration, f func()) (stop func() bool) { return afterFunc(d, f) }

// State reports the steps of the wall clock.
func (m *Machine) State() State {
	m.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	return State{Steps: m.steps.Load(), Pending: m.step.by}
}
