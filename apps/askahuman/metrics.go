package askahuman

import (
	"context"
	"time"

	"sortkey.dev/apps/internal/metrics"
)

// A Metric is the name of an hourly counter.
type Metric string

// The metrics.
const (
	MetricSubmitted   Metric = "submitted"
	MetricAnswered    Metric = "answered"
	MetricCompleted   Metric = "completed"
	MetricExpired     Metric = "expired"
	MetricFlagged     Metric = "flagged"
	MetricDuplicate   Metric = "duplicate"
	MetricRateLimited Metric = "rate_limited"
	MetricNotified    Metric = "woken"
	MetricPushFailed  Metric = "push_failed"
	MetricRequest     Metric = "requests" // as every system counts them
	MetricFailure     Metric = "failures"
)

// AllMetrics lists the metrics, in the order in which they are exported.
var AllMetrics = []Metric{
	MetricSubmitted, MetricAnswered, MetricCompleted, MetricExpired, MetricNotified, MetricPushFailed,
	MetricFlagged, MetricDuplicate, MetricRateLimited, MetricRequest, MetricFailure,
}

// The histograms.
const (
	TimeFirstAnswer = "first_answer" // from the question to its first answer
	TimeCompletion  = "completion"   // from the question to its last answer
)

// MetricOptions declares the metrics, without those that every system has: MetricRequest and
// MetricFailure.
func MetricOptions() metrics.Options {
	bounds := []time.Duration{
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
		30 * time.Minute, time.Hour, 2 * time.Hour,
	}
	options := metrics.Options{
		Keep:       KeepMetric,
		Histograms: []metrics.Histogram{{Name: TimeFirstAnswer, Bounds: bounds}, {Name: TimeCompletion, Bounds: bounds}},
	}
	for _, metric := range AllMetrics {
		if metric == MetricRequest || metric == MetricFailure {
			continue
		}
		options.Counters = append(options.Counters, string(metric))
	}
	return options
}

// Metrics holds the counters of the hours before a time.
type Metrics struct {
	metrics.Report
	Alerts []Alert
}

// Total returns the total of a metric.
func (m *Metrics) Total(name Metric) int64 { return m.Totals[string(name)] }

// Count adds to a metric. It is written by the next FlushMetrics.
func (e *Env) Count(name Metric, amount int64) { e.counts.Count(string(name), amount) }

// CountTime counts a duration in its bucket of a histogram.
func (e *Env) CountTime(histogram string, d time.Duration) { e.counts.Observe(histogram, d) }

// FlushMetrics writes the counts since the last flush.
func (e *Env) FlushMetrics(ctx context.Context) error { return e.counts.Flush(ctx) }

// Metrics returns the metrics of the last hours, including the current one, without counts
// that are not flushed yet.
func (e *Env) Metrics(ctx context.Context, hours int) (Metrics, error) {
	report, err := e.counts.Report(ctx, hours)
	if err != nil {
		return Metrics{}, err
	}
	return Judge(report), nil
}

// Counters returns the counters, for the operators' overview.
func (e *Env) Counters() *metrics.Metrics { return e.counts }

// Judge returns a report with the metrics that exceed their thresholds.
func Judge(report metrics.Report) Metrics {
	m := Metrics{Report: report}
	m.Alerts = alerts(&m)
	return m
}
