package metrics

import (
	"context"
	"fmt"
	"time"

	"sortkey.dev/access"
)

// MaxHours is the maximum number of hours of a report.
const MaxHours = 24 * 31

// A Report holds the counts of the hours before a time.
type Report struct {
	Since, Until time.Time
	Hours        []Hour
	Totals       map[string]int64 // by counter; 0 of declared counters that counted nothing
	// Medians holds the median of every histogram, estimated from its buckets; zero if nothing
	// was observed.
	Medians map[string]time.Duration
}

// An Hour holds the counts of one hour of UTC.
type Hour struct {
	Start  time.Time
	Values map[string]int64
}

// Report returns the counts of the last hours, with the current one, and without counts that are
// not flushed yet.
func (m *Metrics) Report(ctx context.Context, hours int) (Report, error) {
	hours = min(max(hours, 1), MaxHours)
	now := m.p.Now()
	first := now.Truncate(time.Hour).Add(-time.Duration(hours-1) * time.Hour)
	r := Report{
		Since: first, Until: now, Hours: make([]Hour, hours),
		Totals: make(map[string]int64), Medians: make(map[string]time.Duration),
	}
	for i := range r.Hours {
		r.Hours[i] = Hour{Start: first.Add(time.Duration(i) * time.Hour), Values: make(map[string]int64)}
	}
	for _, name := range m.counters {
		r.Totals[name] = 0
	}
	for day := access.DateOf(first); day <= access.DateOf(now); day = access.DateOf(day.Time().AddDate(0, 0, 1)) {
		if err := m.addDay(ctx, &r, day); err != nil {
			return Report{}, err
		}
	}
	for _, h := range m.histograms {
		r.Medians[h.Name] = h.median(r.Totals)
	}
	return r, nil
}

// addDay adds the counts of a day that are within the hours of a report.
func (m *Metrics) addDay(ctx context.Context, r *Report, day access.Date) error {
	for metric, err := range m.p.DB.ListMetrics(day).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("read the metrics of %s: %w", day, err)
		}
		start := day.Time().Add(time.Duration(metric.Hour) * time.Hour)
		i := int(start.Sub(r.Since) / time.Hour)
		if start.Before(r.Since) || i >= len(r.Hours) {
			continue
		}
		r.Hours[i].Values[metric.Name] += metric.Value
		r.Totals[metric.Name] += metric.Value
	}
	return nil
}

// Busiest returns the largest count of a counter in one hour.
func (r *Report) Busiest(counter string) int64 {
	most := int64(0)
	for _, hour := range r.Hours {
		most = max(most, hour.Values[counter])
	}
	return most
}

// PerMinute returns the average rate per minute in a counter's busiest hour. The current hour
// has only the minutes that have passed.
func (r *Report) PerMinute(counter string) float64 {
	most := 0.0
	for _, hour := range r.Hours {
		minutes := min(r.Until.Sub(hour.Start), time.Hour).Minutes()
		most = max(most, float64(hour.Values[counter])/max(minutes, 1))
	}
	return most
}

// median estimates the median from the buckets of a histogram. It interpolates linearly within a
// bucket; the last bucket has no upper bound.
func (h *Histogram) median(totals map[string]int64) time.Duration {
	var all int64
	for i := range len(h.Bounds) + 1 {
		all += totals[h.bucket(i)]
	}
	if all == 0 {
		return 0
	}
	half, below := float64(all)/2, float64(0)
	shortest := time.Duration(0)
	for i, longest := range h.Bounds {
		count := float64(totals[h.bucket(i)])
		if below+count >= half && count > 0 {
			return shortest + time.Duration((half-below)/count*float64(longest-shortest)).Round(time.Millisecond)
		}
		below += count
		shortest = longest
	}
	return shortest
}
