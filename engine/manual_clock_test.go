package engine

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestAManualClockRunsFunctionsAtTheirTimes(t *testing.T) {
	clock := NewClock(newYear)
	var ran []string
	note := func(name string) func() {
		return func() { ran = append(ran, fmt.Sprint(name, " at ", clock.Now().Sub(newYear))) }
	}
	expect := func(want ...string) {
		t.Helper()
		if !reflect.DeepEqual(ran, want) {
			t.Errorf("ran %q, want %q", ran, want)
		}
		ran = nil
	}
	clock.AfterFunc(3*time.Second, note("third"))
	clock.AfterFunc(time.Second, func() {
		note("first")()
		clock.AfterFunc(time.Second, note("second"))
	})
	clock.AfterFunc(3*time.Second, note("fourth"))
	stop := clock.AfterFunc(2*time.Second, note("stopped"))
	if !stop() || stop() {
		t.Error("a function that has not run was not stopped once")
	}
	clock.Advance(time.Second - 1)
	expect()
	clock.Advance(time.Hour)
	expect("first at 1s", "second at 2s", "third at 3s", "fourth at 3s")
	if got := clock.Now(); !got.Equal(newYear.Add(time.Hour + time.Second - 1)) {
		t.Errorf("the clock shows %v", got)
	}
	stop = clock.AfterFunc(-time.Second, note("at once"))
	clock.Set(newYear.Add(-time.Hour))
	expect()
	clock.Advance(-time.Second)
	expect("at once at -1h0m0s")
	if stop() {
		t.Error("a function that ran was stopped")
	}
}
