package clock

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

const year = 365 * 24 * time.Hour

// A computer has clocks that a test moves.
type computer struct {
	*Machine
	wall        time.Time
	awake, boot time.Duration
	log         bytes.Buffer
}

func newComputer() *computer {
	c := &computer{wall: noon}
	c.Machine = NewMachineOf(Source{
		Now:  func() (time.Time, time.Duration) { return c.wall, c.awake },
		Boot: func() time.Duration { return c.boot },
	}, slog.New(slog.NewTextHandler(&c.log, nil)))
	return c
}

// run lets time pass.
func (c *computer) run(d time.Duration) {
	c.wall, c.awake, c.boot = c.wall.Add(d), c.awake+d, c.boot+d
}

// sleep suspends the computer.
func (c *computer) sleep(d time.Duration) { c.wall, c.boot = c.wall.Add(d), c.boot+d }

// set sets the wall clock.
func (c *computer) set(by time.Duration) { c.wall = c.wall.Add(by) }

// shows compares the time with noon plus d, and the number of steps.
func (c *computer) shows(t *testing.T, d time.Duration, steps int64) {
	t.Helper()
	if got := c.Now().Sub(noon); got != d {
		t.Errorf("the clock shows noon + %v, want noon + %v", got, d)
	}
	if got := c.State().Steps; got != steps {
		t.Errorf("%d steps were counted, want %d", got, steps)
	}
}

func TestTheWallClockIsFollowedInSmallSteps(t *testing.T) {
	c := newComputer()
	want := time.Duration(0)
	for _, by := range []time.Duration{0, time.Second, -time.Second, time.Minute, -time.Minute} {
		c.run(time.Hour)
		c.shows(t, want+time.Hour, 0)
		c.set(by)
		want += time.Hour + by
		c.shows(t, want, 0)
	}
}

func TestAJumpIsFollowedAfterAMinute(t *testing.T) {
	for _, by := range []time.Duration{61 * time.Second, year, -61 * time.Second, -year} {
		c := newComputer()
		c.run(time.Hour)
		c.shows(t, time.Hour, 0)
		c.set(by)
		c.shows(t, time.Hour, 1)
		if got := c.State().Pending; got != by || !strings.Contains(c.log.String(), "has jumped") {
			t.Errorf("a step of %v: pending %v, log %s", by, got, &c.log)
		}
		c.run(59 * time.Second)
		c.shows(t, time.Hour+59*time.Second, 1)
		c.run(time.Second)
		c.shows(t, time.Hour+time.Minute+by, 1)
		if got := c.State().Pending; got != 0 || !strings.Contains(c.log.String(), "is followed") {
			t.Errorf("a step of %v: pending %v, log %s", by, got, &c.log)
		}
		c.run(time.Hour)
		c.shows(t, 2*time.Hour+time.Minute+by, 1)
	}
}

func TestAJumpThatIsTakenBackIsNeverFollowed(t *testing.T) {
	c := newComputer()
	for i := range int64(3) {
		c.set(year)
		c.shows(t, time.Duration(i)*40*time.Second, i+1)
		c.set(-year)
		c.run(40 * time.Second)
		c.shows(t, time.Duration(i+1)*40*time.Second, i+1)
	}
}

// A second jump starts the minute again.
func TestAClockThatKeepsJumpingIsNotFollowed(t *testing.T) {
	c := newComputer()
	passed := time.Duration(0)
	for i := range int64(10) {
		c.set(time.Duration(i+1) * time.Hour)
		c.shows(t, passed, i+1)
		c.run(50 * time.Second)
		passed += 50 * time.Second
		c.shows(t, passed, i+1)
	}
}

func TestWakingFromSleepIsNoJump(t *testing.T) {
	c := newComputer()
	c.run(time.Second)
	c.shows(t, time.Second, 0)
	c.sleep(8 * time.Hour)
	c.shows(t, 8*time.Hour+time.Second, 0)
	c.sleep(8 * time.Hour)
	c.set(year)
	c.shows(t, 16*time.Hour+time.Second, 1)
	c.sleep(time.Hour)
	c.set(-year)
	c.shows(t, 17*time.Hour+time.Second, 1)
}

// The clock of a computer that slept may be set only some time after it has woken up.
func TestAClockThatStoodStillDuringSleepIsNotFollowed(t *testing.T) {
	c := newComputer()
	c.boot += 8 * time.Hour
	c.run(2 * time.Minute)
	c.shows(t, 8*time.Hour+2*time.Minute, 1)
	c.set(8 * time.Hour)
	c.shows(t, 8*time.Hour+2*time.Minute, 1)
}

// Clocks of a machine run apart by a few seconds a day.
func TestDriftWhileNoTimeIsReadIsNoJump(t *testing.T) {
	c := newComputer()
	c.run(35 * 24 * time.Hour)
	c.set(5 * time.Minute)
	c.shows(t, 35*24*time.Hour+5*time.Minute, 0)
}

func TestTheClocksOfThisMachineAgree(t *testing.T) {
	var log bytes.Buffer
	m := NewMachine(slog.New(slog.NewTextHandler(&log, nil)))
	before := time.Now().Round(0)
	got := m.Now()
	if after := time.Now().Round(0); got.Before(before) || got.After(after) {
		t.Errorf("the clock shows %v, between %v and %v", got, before, after)
	}
	if a, b := m.compare(), m.State(); a.Before(got) || b != (State{}) {
		t.Errorf("compared with the boot clock: %v after %v, state %v, log %s", a, got, b, &log)
	}
}

func TestASingleWrongReadingIsIgnored(t *testing.T) {
	for _, wrong := range []time.Duration{year, -year, 2 * time.Minute} {
		for at := range 12 {
			var log bytes.Buffer
			reading := 0
			f := NewFunc(func() time.Time {
				now := noon.Add(time.Duration(reading) * time.Second)
				if reading++; reading == at+1 {
					now = now.Add(wrong)
				}
				return now
			}, slog.New(slog.NewTextHandler(&log, nil)))
			for range 10 {
				if got := f.Now().Sub(noon); got < 0 || got > time.Minute {
					t.Errorf("reading %d is wrong by %v: the clock shows noon + %v", at, wrong, got)
				}
			}
			if ignored := at > 0 && at < 11; ignored != (f.State().Steps == 1) || ignored != strings.Contains(log.String(), "Options.Now") {
				t.Errorf("reading %d of %d is wrong: state %v, log %s", at, reading, f.State(), &log)
			}
		}
	}
}

func TestAFunctionIsFollowedWhenASecondReadingConfirmsIt(t *testing.T) {
	now := noon
	f := NewFunc(func() time.Time { return now }, slog.New(slog.DiscardHandler))
	for _, by := range []time.Duration{time.Hour, year, -2 * year, 0, -time.Minute} {
		now = now.Add(by)
		if got := f.Now(); !got.Equal(now) {
			t.Errorf("after a step of %v the clock shows %v, want %v", by, got, now)
		}
	}
	if got := f.State().Steps; got != 0 {
		t.Errorf("%d readings were ignored", got)
	}
}

func BenchmarkNow(b *testing.B) {
	m := NewMachine(slog.New(slog.DiscardHandler))
	f := NewFunc(time.Now, slog.New(slog.DiscardHandler))
	for name, now := range map[string]func() time.Time{"time.Now": time.Now, "machine": m.Now, "func": f.Now, "compare": m.compare} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				now()
			}
		})
	}
}
