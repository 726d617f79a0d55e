package metrics_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformtest"
)

// declared declares the metrics of tests.
var declared = metrics.Options{
	Counters: []string{"asked", "answered", "request"},
	Histograms: []metrics.Histogram{
		{Name: "wait", Bounds: []time.Duration{500 * time.Millisecond, time.Minute, 2 * time.Minute, 5 * time.Minute}},
		{Name: "other", Bounds: []time.Duration{time.Minute}},
	},
}

func on(t testing.TB, p *platform.Platform) *metrics.Metrics {
	t.Helper()
	m, err := metrics.New(p, declared)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func open(t testing.TB) (*platformtest.World, *metrics.Metrics) {
	t.Helper()
	w := platformtest.Open(t)
	return w, on(t, w.Platform)
}

// report flushes and reports the last hours.
func report(t testing.TB, m *metrics.Metrics, hours int) metrics.Report {
	t.Helper()
	if err := m.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := m.Report(t.Context(), hours)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMetricsAreCountedByTheHour(t *testing.T) {
	w, m := open(t)
	w.Clock.Set(time.Date(2037, 2, 5, 22, 59, 0, 0, time.UTC))
	m.Count("asked", 3)
	w.Clock.Advance(time.Minute)
	m.Count("asked", 4) // an hour later, to be written together
	w.Clock.Advance(time.Hour)
	m.Count("asked", 5) // on the next day
	report(t, m, 1)
	m.Count("asked", 6)
	w.Clock.Advance(30 * time.Minute)
	r := report(t, m, 4)
	midnight := time.Date(2037, 2, 6, 0, 0, 0, 0, time.UTC)
	want := []metrics.Hour{
		{Start: midnight.Add(-3 * time.Hour), Values: map[string]int64{}},
		{Start: midnight.Add(-2 * time.Hour), Values: map[string]int64{"asked": 3}},
		{Start: midnight.Add(-time.Hour), Values: map[string]int64{"asked": 4}},
		{Start: midnight, Values: map[string]int64{"asked": 11}},
	}
	if diff := cmp.Diff(want, r.Hours); diff != "" {
		t.Errorf("hours (-want +got):\n%s", diff)
	}
	if r.Since != midnight.Add(-3*time.Hour) || r.Until != w.Now() {
		t.Errorf("the report is of %v to %v", r.Since, r.Until)
	}
	if diff := cmp.Diff(map[string]int64{"asked": 15, "answered": 0, "request": 0}, report(t, m, 2).Totals); diff != "" {
		t.Errorf("totals of two hours (-want +got):\n%s", diff)
	}
	if r.Busiest("asked") != 11 || r.PerMinute("asked") != 11.0/30 || r.Busiest("request") != 0 {
		t.Errorf("the busiest hour has %d, %v a minute", r.Busiest("asked"), r.PerMinute("asked"))
	}
}

func TestReportsHaveABoundedLength(t *testing.T) {
	_, m := open(t)
	for hours, want := range map[int]int{-1: 1, 0: 1, 1: 1, metrics.MaxHours: metrics.MaxHours, metrics.MaxHours + 1: metrics.MaxHours} {
		if got := len(report(t, m, hours).Hours); got != want {
			t.Errorf("a report of %d hours has %d, want %d", hours, got, want)
		}
	}
}

// flaky is a database whose updates fail while it is told so.
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

func TestUnwrittenCountsAreFlushedLater(t *testing.T) {
	w := platformtest.Open(t)
	var calls atomic.Int64
	var broken atomic.Bool
	database := w.Database
	database.DynamoDB = flaky{DynamoDB: database.DynamoDB, fail: func() bool {
		return broken.Load() && calls.Add(1)%2 == 0 // every other counter is written
	}}
	m := on(t, platformtest.On(t, database, w.Box, w.Clock))
	count := func() {
		for _, name := range declared.Counters {
			m.Count(name, 10)
		}
	}
	count()
	report(t, m, 1)
	broken.Store(true)
	for range 3 {
		count()
		if err := m.Flush(t.Context()); !errors.Is(err, errFlaky) {
			t.Fatalf("flush: %v, want %v", err, errFlaky)
		}
	}
	broken.Store(false)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Flush(canceled); !errors.Is(err, context.Canceled) {
		t.Fatalf("flush: %v, want %v", err, context.Canceled)
	}
	report(t, m, 1)
	want := map[string]int64{"asked": 40, "answered": 40, "request": 40}
	if diff := cmp.Diff(want, report(t, m, 1).Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

func TestManyProcessesCountTogether(t *testing.T) {
	w, reader := open(t)
	var all sync.WaitGroup
	for range 4 {
		m := on(t, w.Platform)
		for range 5 {
			all.Go(func() {
				for range 10 {
					m.Count("request", 1)
				}
				if err := m.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if got := report(t, reader, 1).Totals["request"]; got != 200 {
		t.Errorf("%d requests were counted, want 200", got)
	}
}

func TestDurationsGoIntoBuckets(t *testing.T) {
	_, m := open(t)
	for _, seconds := range []float64{0, 0.5, 0.501, 60, 60.001, 120, 300, 301, 90000} {
		m.Observe("wait", time.Duration(seconds*float64(time.Second)))
	}
	want := map[string]int64{"asked": 0, "answered": 0, "request": 0, "wait_0.5": 2, "wait_60": 2, "wait_120": 2, "wait_300": 1, "wait_more": 2}
	if diff := cmp.Diff(want, report(t, m, 1).Totals); diff != "" {
		t.Errorf("buckets (-want +got):\n%s", diff)
	}
}

func TestMedians(t *testing.T) {
	for name, test := range map[string]struct {
		seconds []float64
		want    time.Duration
	}{
		"nothing":         {nil, 0},
		"one":             {[]float64{90}, 90 * time.Second},
		"many":            {[]float64{30, 30, 240, 240, 240, 240, 1200}, 187500 * time.Millisecond}, // 1.5 of the four within 120 to 300 seconds
		"in the middle":   {[]float64{30, 200}, time.Minute},
		"short":           {[]float64{0.1}, 250 * time.Millisecond},
		"longer than all": {[]float64{301, 3000}, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			_, m := open(t)
			for _, s := range test.seconds {
				m.Observe("wait", time.Duration(s*float64(time.Second)))
			}
			want := map[string]time.Duration{"wait": test.want, "other": 0}
			if diff := cmp.Diff(want, report(t, m, 1).Medians); diff != "" {
				t.Errorf("medians (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUndeclaredMetricsAreLoggedAndNotCounted(t *testing.T) {
	w := platformtest.Open(t)
	var log bytes.Buffer
	w.Platform.Log = slog.New(slog.NewTextHandler(&log, nil))
	m := on(t, w.Platform)
	m.Count("askd", 1)
	m.Count("wait", 1) // a histogram is no counter
	m.Observe("asked", time.Second)
	if got := report(t, m, 1).Totals; len(got) != len(declared.Counters) {
		t.Errorf("counted: %v", got)
	}
	for _, want := range []string{"counter=askd", "counter=wait", "histogram=asked"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not contain %s:\n%s", want, &log)
		}
	}
}

func TestMetricsThatCannotBeDeclaredAreRefused(t *testing.T) {
	w := platformtest.Open(t)
	for name, options := range map[string]metrics.Options{
		"no name":         {Counters: []string{""}},
		"a delimiter":     {Counters: []string{"C#"}},
		"twice":           {Counters: []string{"a", "a"}},
		"as a bucket":     {Counters: []string{"a_60"}, Histograms: []metrics.Histogram{{Name: "a", Bounds: []time.Duration{time.Minute}}}},
		"no bounds":       {Histograms: []metrics.Histogram{{Name: "a"}}},
		"descending":      {Histograms: []metrics.Histogram{{Name: "a", Bounds: []time.Duration{time.Hour, time.Minute}}}},
		"equal bounds":    {Histograms: []metrics.Histogram{{Name: "a", Bounds: []time.Duration{time.Hour, time.Hour}}}},
		"a negative one":  {Histograms: []metrics.Histogram{{Name: "a", Bounds: []time.Duration{-time.Hour}}}},
		"histogram twice": {Histograms: []metrics.Histogram{{Name: "a", Bounds: []time.Duration{1e9}}, {Name: "a", Bounds: []time.Duration{2e9}}}},
	} {
		if _, err := metrics.New(w.Platform, options); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
