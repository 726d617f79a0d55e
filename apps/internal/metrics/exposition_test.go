package metrics_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/metrics"
)

func TestExposition(t *testing.T) {
	var out strings.Builder
	e := metrics.NewExposition(&out, "shop_")
	e.Gauge("up", "1 if all is well.", metrics.Sample{Value: 1})
	e.Gauge("nothing", "A family without samples.")
	e.Counter("requests_total", "Requests with a \\ and\na second line.",
		metrics.Sample{Value: 1e21, Labels: []string{"route", "/a", "code", "200"}},
		metrics.Sample{Value: 0.25, Labels: []string{"route", "a \"b\" \\ c\nd\u00f6\xff\x1b"}})
	e.Histogram("wait_seconds", "Waits.", metrics.Distribution{
		Labels: []string{"route", "/a"}, Bounds: []time.Duration{10 * time.Millisecond, time.Second}, Counts: []int64{2, 0, 3}, Sum: 7500 * time.Millisecond,
	}, metrics.Distribution{Bounds: []time.Duration{time.Second}, Counts: []int64{0, 0}})
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `# HELP shop_up 1 if all is well.
# TYPE shop_up gauge
shop_up 1
# HELP shop_nothing A family without samples.
# TYPE shop_nothing gauge
# HELP shop_requests_total Requests with a \\ and\na second line.
# TYPE shop_requests_total counter
shop_requests_total{route="/a",code="200"} 1000000000000000000000
shop_requests_total{route="a \"b\" \\ c\ndö` + "\ufffd\x1b" + `"} 0.25
# HELP shop_wait_seconds Waits.
# TYPE shop_wait_seconds histogram
shop_wait_seconds_bucket{route="/a",le="0.01"} 2
shop_wait_seconds_bucket{route="/a",le="1"} 2
shop_wait_seconds_bucket{route="/a",le="+Inf"} 5
shop_wait_seconds_sum{route="/a"} 7.5
shop_wait_seconds_count{route="/a"} 5
shop_wait_seconds_bucket{le="1"} 0
shop_wait_seconds_bucket{le="+Inf"} 0
shop_wait_seconds_sum 0
shop_wait_seconds_count 0
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("exposition (-want +got):\n%s", diff)
	}
}

func TestAReportIsExposed(t *testing.T) {
	_, m := open(t)
	m.Count("asked", 7)
	m.Observe("wait", 90*time.Second)
	var out strings.Builder
	e := metrics.NewExposition(&out, "shop_")
	m.Expose(e, report(t, m, 24))
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `# HELP shop_events_24h Events of the last 24 hours, of all processes. A process writes its counts every minute.
# TYPE shop_events_24h gauge
shop_events_24h{event="asked"} 7
shop_events_24h{event="answered"} 0
shop_events_24h{event="request"} 0
# HELP shop_median_seconds Medians of the last 24 hours; 0 if there was nothing.
# TYPE shop_median_seconds gauge
shop_median_seconds{of="wait"} 90
shop_median_seconds{of="other"} 0
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("exposition (-want +got):\n%s", diff)
	}
}

// closed is a connection that was closed.
type closed struct{}

var errClosed = errors.New("closed")

func (closed) Write([]byte) (int, error) { return 0, errClosed }

func TestFlushReturnsTheErrorOfAWrite(t *testing.T) {
	e := metrics.NewExposition(closed{}, "")
	for range 1000 {
		e.Gauge("up", "Up.", metrics.Sample{Value: 1})
	}
	if err := e.Flush(); !errors.Is(err, errClosed) {
		t.Errorf("flush: %v, want %v", err, errClosed)
	}
}
