package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// A fakeSystem notes who works when.
type fakeSystem struct {
	title string
	log   *workLog
	fail  error
}

type workLog struct {
	mu     sync.Mutex
	turns  []string // the systems in the order they were measured
	checks int
	closed int
}

func (s fakeSystem) name() string { return s.title }

func (s fakeSystem) caller(workload, uint64) (caller, error) { return &fakeCaller{s}, nil }

type fakeCaller struct{ fakeSystem }

func (c *fakeCaller) do(check bool) error {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	if n := len(c.log.turns); n == 0 || c.log.turns[n-1] != c.title {
		c.log.turns = append(c.log.turns, c.title)
	}
	if check {
		c.log.checks++
	}
	return c.fail
}

func (c *fakeCaller) close() error {
	c.log.closed++
	return nil
}

func TestMeasureTakesTurns(t *testing.T) {
	log := &workLog{}
	systems := []system{fakeSystem{title: "a", log: log}, fakeSystem{title: "b", log: log}, fakeSystem{title: "c", log: log}}
	all, err := measure(context.Background(), workloads[0], 2, systems, schedule{rounds: 3, slice: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	// Warming up in order, then forth, back and forth; equal neighbours are one turn.
	if got := strings.Join(log.turns, ""); got != "abc"+"abcbabc" {
		t.Errorf("turns: %s", got)
	}
	for i, s := range all {
		if s.system != systems[i].name() || len(s.rates) != 3 || s.ops == 0 || int(s.lat.total) != s.ops {
			t.Errorf("series %d: %s with %d rounds, %d operations, %d times", i, s.system, len(s.rates), s.ops, s.lat.total)
		}
	}
	if log.checks < len(systems) {
		t.Errorf("%d answers were checked, want at least one a system", log.checks)
	}
	if log.closed != 6 {
		t.Errorf("%d callers were closed, want 6", log.closed)
	}
}

func TestMeasureReportsFailures(t *testing.T) {
	broken := errors.New("wrong answer")
	log := &workLog{}
	_, err := measure(context.Background(), workloads[0], 2, []system{
		fakeSystem{title: "good", log: log}, fakeSystem{title: "bad", log: log, fail: broken},
	}, schedule{rounds: 1, slice: time.Millisecond})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "bad: ") {
		t.Errorf("got %v, want the failure of bad", err)
	}
	if log.closed != 4 {
		t.Errorf("%d callers were closed, want 4", log.closed)
	}
}

func TestMeasureStopsWhenToldTo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := measure(ctx, workloads[0], 1, []system{fakeSystem{title: "a", log: &workLog{}}}, schedule{rounds: 1, slice: time.Millisecond})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A pageCaller does seven units with every request and repeats one of two.
type pageCaller struct{ requests int }

func (c *pageCaller) do(bool) error { c.requests++; return nil }
func (c *pageCaller) close() error  { return nil }
func (c *pageCaller) units() int    { return 7 }
func (c *pageCaller) retried() int  { return c.requests / 2 }

func TestUnitsAndRetriesAreCounted(t *testing.T) {
	team := []caller{&pageCaller{}, &pageCaller{requests: 1000}}
	var s series
	if err := s.measureSlice(context.Background(), workloads[0], fakeSystem{}, team, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	requests := team[0].(*pageCaller).requests + team[1].(*pageCaller).requests - 1000
	if s.ops != 7*requests || int(s.lat.total) != requests {
		t.Errorf("%d requests: %d operations and %d times", requests, s.ops, s.lat.total)
	}
	if want := retriesOf(team) - 500; s.retries != want {
		t.Errorf("%d retries, want %d", s.retries, want)
	}
}

// A serverStub is a process of its own that has worked for some time, and works
// a second longer whenever it is asked.
type serverStub struct {
	fakeSystem
	asked *int
}

func (s serverStub) cpuTime(workload) (time.Duration, bool) {
	*s.asked++
	return time.Hour + time.Duration(*s.asked)*time.Second, true
}

func (s serverStub) memory(workload) processPages { return processPages{resident: int64(*s.asked)} }

// TestServersAreChargedForTheirBackground counts what a server does between its
// slices, and what it did before the first one not.
func TestServersAreChargedForTheirBackground(t *testing.T) {
	server := serverStub{asked: new(int)}
	team := []caller{&pageCaller{}}
	var s series
	for range 3 {
		if err := s.measureSlice(context.Background(), workloads[0], server, team, time.Microsecond); err != nil {
			t.Fatal(err)
		}
	}
	if s.cpu != 3*time.Second || len(s.cpus) != 3 || s.memory.resident != 4 {
		t.Errorf("%v of processor time in %d rounds and memory %d, want 3s in 3 rounds and the last memory, 4", s.cpu, len(s.cpus), s.memory.resident)
	}
}
