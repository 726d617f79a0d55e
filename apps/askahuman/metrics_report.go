package askahuman

import (
	"context"
	"fmt"
	"time"

	"sortkey.dev/access"
)

// Metrics holds the counters of the hours before a time.
type Metrics struct {
	Since, Until time.Time
	Hours        []HourMetrics
	Totals       map[string]int64
	// Medians come from the buckets of their metrics; zero if nothing happened.
	MedianFirstAnswer, MedianCompletion time.Duration
	Alerts                              []Alert
}

// HourMetrics are the metrics of one hour of UTC.
type HourMetrics struct {
	Start  time.Time
	Values map[string]int64
}

// MaxMetricsHours is the maximum number of hours that Metrics reads.
const MaxMetricsHours = 24 * 31

// Metrics returns the metrics of the last hours, including the current one, without counts
// that are not flushed yet.
func (e *Env) Metrics(ctx context.Context, hours int) (Metrics, error) {
	hours = min(max(hours, 1), MaxMetricsHours)
	now := e.Now()
	first := now.Truncate(time.Hour).Add(-time.Duration(hours-1) * time.Hour)
	n := Metrics{Since: first, Until: now, Hours: make([]HourMetrics, hours), Totals: make(map[string]int64)}
	for i := range n.Hours {
		n.Hours[i] = HourMetrics{Start: first.Add(time.Duration(i) * time.Hour), Values: make(map[string]int64)}
	}
	for day := access.DateOf(first); day <= access.DateOf(now); day = access.DateOf(day.Time().AddDate(0, 0, 1)) {
		if err := e.addDay(ctx, &n, day); err != nil {
			return Metrics{}, err
		}
	}
	n.MedianFirstAnswer, n.MedianCompletion = median(TimeFirstAnswer, n.Totals), median(TimeCompletion, n.Totals)
	n.Alerts = alerts(&n)
	return n, nil
}

// addDay adds the metrics of a day that are within the requested hours.
func (e *Env) addDay(ctx context.Context, n *Metrics, day access.Date) error {
	for metric, err := range e.DB.ListMetrics(day).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("read the metrics of %s: %w", day, err)
		}
		start := day.Time().Add(time.Duration(metric.Hour) * time.Hour)
		i := int(start.Sub(n.Since) / time.Hour)
		if start.Before(n.Since) || i >= len(n.Hours) {
			continue
		}
		n.Hours[i].Values[metric.Name] += metric.Value
		n.Totals[metric.Name] += metric.Value
	}
	return nil
}

// median estimates the median from the buckets of a histogram. It interpolates linearly
// within a bucket; the last bucket has no upper bound.
func median(prefix string, totals map[string]int64) time.Duration {
	var all int64
	for i := range len(buckets) + 1 {
		all += totals[string(bucketMetric(prefix, i))]
	}
	if all == 0 {
		return 0
	}
	half, below := float64(all)/2, float64(0)
	shortest := time.Duration(0)
	for i, longest := range buckets {
		count := float64(totals[string(bucketMetric(prefix, i))])
		if below+count >= half && count > 0 {
			return shortest + time.Duration((half-below)/count*float64(longest-shortest)).Round(time.Second)
		}
		below += count
		shortest = longest
	}
	return shortest
}
