package askahuman_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/refusal"
)

// TestALimitSlides: a full window has room again when its oldest uses are an hour old, and not
// when an hour of the clock begins.
func TestALimitSlides(t *testing.T) {
	w := askahumantest.Open(t)
	w.Clock.Advance(45*time.Minute + 30*time.Second)
	limit := askahuman.LimitAsk
	reset := askahumantest.Start.Add(45*time.Minute + 65*time.Minute) // by slots of five minutes
	allow := func(want askahuman.Allowance, refused bool) {
		t.Helper()
		got, err := w.Allow(t.Context(), limit, "a")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("allowance (-want +got):\n%s", diff)
		}
		var failed *refusal.Error
		switch {
		case !refused:
			if err != nil {
				t.Error(err)
			}
		case !errors.As(err, &failed) || failed.Kind != refusal.TooMany:
			t.Errorf("error %v, want %s", err, refusal.TooMany)
		default:
			told := &refusal.Limit{Name: limit.Name, Most: limit.Most, Window: limit.Window, Reset: want.Reset}
			if diff := cmp.Diff(told, failed.Limit); diff != "" || failed.Wait != want.Wait {
				t.Errorf("the refusal's allowance (-want +got):\n%s", diff)
			}
		}
	}
	left := 64*time.Minute + 30*time.Second
	for n := range 59 {
		allow(askahuman.Allowance{Limit: limit, Remaining: 59 - n, Reset: reset}, false)
	}
	allow(askahuman.Allowance{Limit: limit, Reset: reset, Wait: left}, false)
	allow(askahuman.Allowance{Limit: limit, Reset: reset, Wait: left}, true) // the 61st
	w.Clock.Advance(left - time.Second)
	allow(askahuman.Allowance{Limit: limit, Reset: reset, Wait: time.Second}, true)
	if _, err := w.Allow(t.Context(), limit, "b"); err != nil {
		t.Errorf("another person: %v", err)
	}
	if _, err := w.Allow(t.Context(), askahuman.LimitPoll, "a"); err != nil {
		t.Errorf("something else: %v", err)
	}
	w.Clock.Advance(time.Second)
	allow(askahuman.Allowance{Limit: limit, Remaining: 59, Reset: reset.Add(65 * time.Minute)}, false)
}

func TestALimitIsExactForManyAtOnce(t *testing.T) {
	w := askahumantest.Open(t)
	var all sync.WaitGroup
	var passed atomic.Int64
	for range 100 {
		all.Go(func() {
			got, err := w.Allow(t.Context(), askahuman.LimitAsk, "192.0.2.1")
			var refused *refusal.Error
			switch {
			case err == nil:
				passed.Add(1)
			case !errors.As(err, &refused) || refused.Kind != refusal.TooMany || got.Remaining != 0 || got.Wait != 65*time.Minute:
				t.Errorf("refused with %v, allowance %+v", err, got)
			}
		})
	}
	all.Wait()
	if passed.Load() != 60 {
		t.Errorf("%d passed, want 60", passed.Load())
	}
	if err := w.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	numbers, err := w.Metrics(t.Context(), 1)
	if err != nil || numbers.Totals["rate_limited"] != 40 {
		t.Errorf("%d refusals were counted (%v), want 40", numbers.Totals["rate_limited"], err)
	}
}
