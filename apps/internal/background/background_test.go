package background

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// group returns a group without chance in its rests.
func group(t *testing.T, log *bytes.Buffer, loops ...Loop) *Group {
	t.Helper()
	handler := slog.DiscardHandler
	if log != nil {
		handler = slog.NewTextHandler(log, nil)
	}
	g, err := New(slog.New(handler), loops...)
	if err != nil {
		t.Fatal(err)
	}
	g.random = func() float64 { return 0.5 }
	return g
}

// start runs a group and returns what stops it and waits.
func start(t *testing.T, g *Group) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.Run(ctx)
	}()
	return func() {
		cancel(errors.New("interrupted")) // as signal.NotifyContext does
		<-done
	}
}

// calls collects when a function was called, in seconds after the start.
func calls(at *[]int, results ...error) func(context.Context) error {
	began := time.Now()
	return func(context.Context) error {
		*at = append(*at, int(time.Since(began).Seconds()))
		if n := len(*at); n <= len(results) {
			return results[n-1]
		}
		return nil
	}
}

func TestALoopRunsAtOnceAndThenAtItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fast, slow []int
		g := group(t, nil, Loop{Name: "fast", Every: 10 * time.Second, Do: calls(&fast)}, Loop{Name: "slow", Every: 25 * time.Second, Do: calls(&slow)})
		stop := start(t, g)
		time.Sleep(45 * time.Second)
		stop()
		if diff := cmp.Diff([]int{0, 10, 20, 30, 40}, fast); diff != "" {
			t.Errorf("fast ran at (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]int{0, 25}, slow); diff != "" {
			t.Errorf("slow ran at (-want +got):\n%s", diff)
		}
	})
}

func TestFailingLoopBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []int
		var log bytes.Buffer
		broken := errors.New("no database")
		g := group(t, &log, Loop{Name: "jobs", Every: 10 * time.Second, Do: calls(&at, broken, broken, broken)})
		stop := start(t, g)
		time.Sleep(155 * time.Second)
		stop()
		if diff := cmp.Diff([]int{0, 20, 60, 140, 150}, at); diff != "" {
			t.Errorf("it ran at (-want +got):\n%s", diff)
		}
		if got := strings.Count(log.String(), "no database"); got != 3 {
			t.Errorf("the log tells of %d failures, want 3:\n%s", got, &log)
		}
		state := g.States()[0]
		if state.Runs != 5 || state.Failures != 0 || state.LastError != "no database" || state.Running {
			t.Errorf("the state is %+v", state)
		}
	})
}

func TestBackoffOfALoopIsBounded(t *testing.T) {
	g := group(t, nil)
	if got := g.rest(10*time.Second, 100); got != longestRest {
		t.Errorf("after 100 failures it rests %v, want %v", got, longestRest)
	}
	if got := g.rest(time.Hour, 3); got != time.Hour {
		t.Errorf("a loop of an hour rests %v after failures, want an hour", got)
	}
	g.random = func() float64 { return 0 }
	if got := g.rest(10*time.Second, 0); got != 9*time.Second {
		t.Errorf("the shortest rest is %v, want 9s", got)
	}
}

func TestAPanicIsAFailureOfItsLoopOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []int
		count := calls(&at)
		g := group(t, nil,
			Loop{Name: "wild", Every: 10 * time.Second, Do: func(context.Context) error { panic("out of bounds") }},
			Loop{Name: "calm", Every: 10 * time.Second, Do: count})
		stop := start(t, g)
		time.Sleep(25 * time.Second)
		stop()
		if len(at) != 3 {
			t.Errorf("the other loop ran %d times, want 3", len(at))
		}
		wild := g.States()[0]
		if wild.Failures != 2 || !strings.HasPrefix(wild.LastError, "panic: out of bounds") {
			t.Errorf("the state is %+v", wild)
		}
	})
}

func TestAKickRunsALoopNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []int
		g := group(t, nil, Loop{Name: "jobs", Every: time.Hour, Do: calls(&at)})
		stop := start(t, g)
		time.Sleep(7 * time.Second)
		if !g.Kick("jobs") || g.Kick("nobody") {
			t.Error("Kick finds the loop jobs and no loop nobody")
		}
		synctest.Wait()
		stop()
		if diff := cmp.Diff([]int{0, 7}, at); diff != "" {
			t.Errorf("it ran at (-want +got):\n%s", diff)
		}
	})
}

func TestKicksDuringACallAreOneMoreCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, runs := make(chan struct{}), 0
		g := group(t, nil, Loop{Name: "jobs", Every: time.Hour, Do: func(context.Context) error {
			runs++
			<-gate
			return nil
		}})
		stop := start(t, g)
		synctest.Wait()
		if !g.States()[0].Running {
			t.Error("the state does not say that it runs")
		}
		g.Kick("jobs")
		g.Kick("jobs")
		g.Kick("jobs")
		close(gate)
		synctest.Wait()
		stop()
		if runs != 2 {
			t.Errorf("it ran %d times, want 2", runs)
		}
	})
}

func TestRunWaitsForTheCallInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		finished := false
		g := group(t, nil, Loop{Name: "slow", Every: time.Hour, Listens: true, Do: func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Minute) // what it does to stop in order
			finished = true
			return ctx.Err()
		}})
		stop := start(t, g)
		synctest.Wait()
		if state := g.States()[0]; !state.Running || !state.Listens {
			t.Errorf("a loop that listens is %+v", state)
		}
		stop()
		if !finished {
			t.Error("Run returned before its loop had ended")
		}
		if state := g.States()[0]; state.Failures != 0 {
			t.Errorf("being stopped counts as a failure: %+v", state)
		}
	})
}

func TestLoopsThatCannotRunAreRefused(t *testing.T) {
	do := func(context.Context) error { return nil }
	for name, loops := range map[string][]Loop{
		"no name":     {{Every: time.Second, Do: do}},
		"no interval": {{Name: "a", Do: do}},
		"no function": {{Name: "a", Every: time.Second}},
		"twice":       {{Name: "a", Every: time.Second, Do: do}, {Name: "a", Every: time.Second, Do: do}},
	} {
		if _, err := New(slog.New(slog.DiscardHandler), loops...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
