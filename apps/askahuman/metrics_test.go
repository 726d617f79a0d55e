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
)

func TestMetricsAreCountedByTheHour(t *testing.T) {
	w := askahumantest.Open(t)
	w.Clock.Set(time.Date(2035, 2, 5, 22, 59, 0, 0, time.UTC))
	w.Count(askahuman.MetricNotified, 3)
	w.Clock.Advance(time.Minute)
	w.Count(askahuman.MetricNotified, 4) // an hour later, to be written together
	w.Clock.Advance(time.Hour)
	w.Count(askahuman.MetricNotified, 5) // on the next day
	if err := w.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Count(askahuman.MetricNotified, 6)
	if err := w.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	numbers, err := w.Metrics(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	midnight := time.Date(2035, 2, 6, 0, 0, 0, 0, time.UTC)
	want := []askahuman.HourMetrics{
		{Start: midnight.Add(-3 * time.Hour), Values: map[string]int64{}},
		{Start: midnight.Add(-2 * time.Hour), Values: map[string]int64{"woken": 3}},
		{Start: midnight.Add(-time.Hour), Values: map[string]int64{"woken": 4}},
		{Start: midnight, Values: map[string]int64{"woken": 11}},
	}
	if diff := cmp.Diff(want, numbers.Hours); diff != "" {
		t.Errorf("hours (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"woken": 15}, askahumantest.Totals(t, w, 2)); diff != "" {
		t.Errorf("two hours (-want +got):\n%s", diff)
	}
}

// flaky is a database whose writes fail while it is told so.
type flaky struct {
	apps.DynamoDB
	fail func() bool
}

var errFlaky = errors.New("the database is not there")

func (f flaky) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if f.fail() {
		return nil, errFlaky
	}
	return f.DynamoDB.UpdateItem(ctx, in, options...)
}

func TestUnwrittenMetricsAreFlushedLater(t *testing.T) {
	w := askahumantest.Open(t)
	var calls atomic.Int64
	var broken atomic.Bool
	service := w.Through(t, flaky{DynamoDB: w.Database.DynamoDB, fail: func() bool {
		return broken.Load() && calls.Add(1)%2 == 0 // every other metric is written
	}}).Env
	names := []askahuman.Metric{askahuman.MetricAnswered, askahuman.MetricFlagged, askahuman.MetricNotified, askahuman.MetricExpired}
	count := func() {
		for _, name := range names {
			service.Count(name, 10)
		}
	}
	count()
	if err := service.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	for range 3 {
		count()
		if err := service.FlushMetrics(t.Context()); !errors.Is(err, errFlaky) {
			t.Fatalf("flush: %v, want %v", err, errFlaky)
		}
	}
	broken.Store(false)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := service.FlushMetrics(canceled); !errors.Is(err, context.Canceled) {
		t.Fatalf("flush: %v, want %v", err, context.Canceled)
	}
	for range 2 {
		if err := service.FlushMetrics(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int64{"answered": 40, "flagged": 40, "woken": 40, "expired": 40}
	if diff := cmp.Diff(want, askahumantest.Totals(t, w, 1)); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

func TestManyProcessesCountTogether(t *testing.T) {
	w := askahumantest.Open(t)
	var all sync.WaitGroup
	for range 4 {
		service := w.Through(t, w.Database.DynamoDB).Env
		for range 5 {
			all.Go(func() {
				for range 10 {
					service.Count(askahuman.MetricRequest, 1)
				}
				if err := service.FlushMetrics(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if got := askahumantest.Totals(t, w, 1)["request"]; got != 200 {
		t.Errorf("%d requests were counted, want 200", got)
	}
}

func TestTimesGoIntoBuckets(t *testing.T) {
	w := askahumantest.Open(t)
	for _, seconds := range []float64{0, 60, 60.001, 120, 300, 301, 900, 1800, 3600, 7200, 7201, 90000} {
		w.Env.CountTime("x", time.Duration(seconds*float64(time.Second)))
	}
	want := map[string]int64{"x_60": 2, "x_120": 2, "x_300": 1, "x_600": 1, "x_900": 1, "x_1800": 1, "x_3600": 1, "x_7200": 1, "x_more": 2}
	if diff := cmp.Diff(want, askahumantest.Totals(t, w, 1)); diff != "" {
		t.Errorf("buckets (-want +got):\n%s", diff)
	}
}

func TestMedians(t *testing.T) {
	for name, test := range map[string]struct {
		minutes []float64
		want    time.Duration
	}{
		"nothing":         {nil, 0},
		"one":             {[]float64{1.5}, 90 * time.Second},
		"many":            {[]float64{0.5, 0.5, 4, 4, 4, 4, 20}, 188 * time.Second}, // 1.5 of the four within 120 to 300 seconds: 187.5
		"in the middle":   {[]float64{0.5, 25}, time.Minute},
		"longer than all": {[]float64{200, 300}, 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			w := askahumantest.Open(t)
			for _, m := range test.minutes {
				w.Env.CountTime(askahuman.TimeCompletion, time.Duration(m*float64(time.Minute)))
			}
			askahumantest.Totals(t, w, 1)
			numbers, err := w.Metrics(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			got := numbers.MedianCompletion
			if got != test.want || numbers.MedianFirstAnswer != 0 {
				t.Errorf("median %v, want %v; of first answers %v", got, test.want, numbers.MedianFirstAnswer)
			}
		})
	}
}

func TestAlerts(t *testing.T) {
	counts := func(pairs map[askahuman.Metric]int64) func(*askahuman.Env) {
		return func(s *askahuman.Env) {
			for name, n := range pairs {
				s.Count(name, n)
			}
		}
	}
	took := func(prefix string, d time.Duration) func(*askahuman.Env) {
		return func(s *askahuman.Env) { s.CountTime(prefix, d) }
	}
	type metrics = map[askahuman.Metric]int64
	for name, test := range map[string]struct {
		happens func(*askahuman.Env)
		want    map[string]bool // whether it is severe, by name
	}{
		"nothing":                    {func(*askahuman.Env) {}, nil},
		"refusals, 100 a minute":     {counts(metrics{"rate_limited": 3000}), nil},
		"refusals, more":             {counts(metrics{"rate_limited": 3060}), map[string]bool{"rate limit": false}},
		"duplicates, 50 an hour":     {counts(metrics{"duplicate": 50}), nil},
		"duplicates, more":           {counts(metrics{"duplicate": 51}), map[string]bool{"duplicate answers": false}},
		"flagged, a tenth":           {counts(metrics{"answered": 100, "flagged": 10}), nil},
		"flagged, more":              {counts(metrics{"answered": 100, "flagged": 11}), map[string]bool{"flagged answers": false}},
		"flagged, one of one":        {counts(metrics{"answered": 1, "flagged": 1}), nil},
		"errors, a twentieth":        {counts(metrics{"request": 100, "failure": 5}), nil},
		"errors, more":               {counts(metrics{"request": 100, "failure": 6}), map[string]bool{"errors": false}},
		"completion, 80 of 100":      {counts(metrics{"completed": 80, "expired": 20}), nil},
		"completion, 79 of 100":      {counts(metrics{"completed": 79, "expired": 21}), map[string]bool{"completion": false, "expiry": false}},
		"completion, 70 of 100":      {counts(metrics{"completed": 70, "expired": 30}), map[string]bool{"completion": false, "expiry": false}},
		"completion, 69 of 100":      {counts(metrics{"completed": 69, "expired": 31}), map[string]bool{"completion": true, "expiry": true}},
		"first answer in 10 minutes": {took(askahuman.TimeFirstAnswer, 10*time.Minute), nil},
		"first answer in 11 minutes": {took(askahuman.TimeFirstAnswer, 11*time.Minute), map[string]bool{"first answer": false}},
		"first answer in 16 minutes": {took(askahuman.TimeFirstAnswer, 16*time.Minute), map[string]bool{"first answer": true}},
		"completed in half an hour":  {took(askahuman.TimeCompletion, 30*time.Minute), nil},
		"completed in 31 minutes":    {took(askahuman.TimeCompletion, 31*time.Minute), map[string]bool{"time to completion": false}},
	} {
		t.Run(name, func(t *testing.T) {
			w := askahumantest.Open(t)
			w.Clock.Advance(30 * time.Minute)
			test.happens(w.Env)
			askahumantest.Totals(t, w, 1)
			numbers, err := w.Metrics(t.Context(), 3)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]bool
			for _, alert := range numbers.Alerts {
				if got == nil {
					got = map[string]bool{}
				}
				got[alert.Name] = alert.Severe
				if alert.Is == "" || alert.Should == "" {
					t.Errorf("an alert that does not say what it is: %+v", alert)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("alerts (-want +got):\n%s", diff)
			}
		})
	}
}
