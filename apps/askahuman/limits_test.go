package askahuman_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/refusal"
)

func TestALimitCountsDown(t *testing.T) {
	w := askahumantest.Open(t)
	w.Clock.Advance(45*time.Minute + 30*time.Second)
	limit := askahuman.LimitAsk
	reset := askahumantest.Start.Add(time.Hour)
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
	left := 14*time.Minute + 30*time.Second
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
	allow(askahuman.Allowance{Limit: limit, Remaining: 59, Reset: reset.Add(time.Hour)}, false)
}

// overtaken is a database where a concurrent writer changes the item before the first update.
type overtaken struct {
	apps.DynamoDB
	other func()
}

func (o *overtaken) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if o.other != nil {
		o.other()
		o.other = nil
	}
	return o.DynamoDB.UpdateItem(ctx, in, options...)
}

func TestConcurrentFirstHitsAreBothCounted(t *testing.T) {
	w := askahumantest.Open(t)
	allow := func(s *askahuman.Env, remaining int) {
		t.Helper()
		if got, err := s.Allow(t.Context(), askahuman.LimitAsk, "a"); err != nil || got.Remaining != remaining {
			t.Errorf("%d remain (%v), want %d", got.Remaining, err, remaining)
		}
	}
	slower := w.Through(t, &overtaken{DynamoDB: w.Database.DynamoDB, other: func() { allow(w.Env, 59) }}).Env
	allow(slower, 58)
	allow(slower, 57)
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
			case !errors.As(err, &refused) || refused.Kind != refusal.TooMany || got.Remaining != 0 || got.Wait != time.Hour:
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
