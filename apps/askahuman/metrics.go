package askahuman

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
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
	MetricRequest     Metric = "request"
	MetricFailure     Metric = "failure"
	MetricNotified    Metric = "woken"
	MetricPushFailed  Metric = "push_failed"
)

// Prefixes of histogram metrics. Each bucket is a metric of its own.
const (
	TimeFirstAnswer = "first_answer" // from the question to its first answer
	TimeCompletion  = "completion"   // from the question to its last answer
)

// buckets lists the upper bounds of the histogram's buckets; a last bucket takes longer
// times.
var buckets = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	30 * time.Minute, time.Hour, 2 * time.Hour,
}

// bucketMetric returns the metric of the nth bucket of a histogram.
func bucketMetric(prefix string, n int) Metric {
	if n == len(buckets) {
		return Metric(prefix + "_more")
	}
	return Metric(prefix + "_" + strconv.Itoa(int(buckets[n]/time.Second)))
}

// tally collects counts in the process until FlushMetrics writes them.
type tally struct {
	mu     sync.Mutex
	counts map[tallyKey]int64
}

type tallyKey struct {
	hour int64 // of the Unix epoch
	name Metric
}

func (t *tally) add(key tallyKey, amount int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[tallyKey]int64)
	}
	t.counts[key] += amount
}

// take returns and resets the collected counts, so that concurrent flushes never write the
// same count.
func (t *tally) take() map[tallyKey]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := t.counts
	t.counts = nil
	return counts
}

// Count adds to a metric. It is written by the next FlushMetrics.
func (e *Env) Count(name Metric, amount int64) {
	e.metrics.add(tallyKey{hour: e.Now().Unix() / 3600, name: name}, amount)
}

// CountTime counts a duration in its bucket of a histogram.
func (e *Env) CountTime(prefix string, d time.Duration) {
	n := 0
	for n < len(buckets) && d > buckets[n] {
		n++
	}
	e.Count(bucketMetric(prefix, n), 1)
}

// FlushMetrics writes the counts since the last flush, one write for each metric and hour.
// Counts that cannot be written are kept for the next flush.
func (e *Env) FlushMetrics(ctx context.Context) error {
	var first error
	failed := 0
	counts := e.metrics.take()
	for key, amount := range counts {
		err := ctx.Err()
		if err == nil {
			err = e.writeMetric(ctx, key, amount)
		}
		if err != nil {
			e.metrics.add(key, amount)
			failed++
			if first == nil { // one is enough; they are all alike
				first = err
			}
		}
	}
	if first != nil {
		return fmt.Errorf("write %d of %d metrics: %w", failed, len(counts), first)
	}
	return nil
}

func (e *Env) writeMetric(ctx context.Context, key tallyKey, amount int64) error {
	hour := time.Unix(key.hour*3600, 0).UTC()
	metric := askahumandb.MetricKey{Day: access.DateOf(hour), Hour: int64(hour.Hour()), Name: string(key.name)}
	_, err := e.DB.CountMetric(ctx, metric, askahumandb.CountMetricParams{Amount: amount, TTL: hour.Add(KeepMetric)})
	return err
}
