package askahuman_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumantest"
)

// TestMetricsAreDeclared: what is not declared is not counted.
func TestMetricsAreDeclared(t *testing.T) {
	w := askahumantest.Open(t)
	want := map[string]int64{}
	for i, metric := range askahuman.AllMetrics {
		w.Count(metric, int64(i+1))
		want[string(metric)] = int64(i + 1)
	}
	for _, seconds := range []float64{0, 60, 60.001, 7200, 7201} {
		w.Env.CountTime(askahuman.TimeCompletion, time.Duration(seconds*float64(time.Second)))
	}
	want["completion_60"], want["completion_120"], want["completion_7200"], want["completion_more"] = 2, 1, 1, 1
	if diff := cmp.Diff(want, askahumantest.Totals(t, w, 1)); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
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
		"errors, a twentieth":        {counts(metrics{"requests": 100, "failures": 5}), nil},
		"errors, more":               {counts(metrics{"requests": 100, "failures": 6}), map[string]bool{"errors": false}},
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
