// Package metrics counts what happens in a system, by the hour. Counts are collected in the
// process and written to the database by a periodic flush, where those of all processes add up;
// a report reads the last hours. An Exposition prints metrics in the text format of Prometheus.
//
// The names of counters and histograms are the system's. The package sets no alarms and serves
// no requests: the systems' domains count, their workers flush, and operators' pages read.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A Histogram declares a distribution of durations. Each of its buckets is a counter.
type Histogram struct {
	Name string
	// Bounds lists the upper bounds of the buckets, in ascending order and whole milliseconds. A
	// last bucket takes longer durations.
	Bounds []time.Duration
}

// Options declares the metrics of a system.
type Options struct {
	Counters   []string
	Histograms []Histogram
	// Keep is the time after which counts are deleted; 90 days by default.
	Keep time.Duration
}

// Metrics holds the metrics of one system. It is safe for concurrent use.
type Metrics struct {
	p          *platform.Platform
	counters   []string // declared ones, without buckets
	histograms []Histogram
	known      map[string]bool // names that can be counted, with those of buckets
	keep       time.Duration

	mu     sync.Mutex
	counts map[key]int64 // since the last flush
}

// A key is a counter in an hour.
type key struct {
	hour int64 // of the Unix epoch
	name string
}

// New returns the metrics of a platform.
func New(p *platform.Platform, options Options) (*Metrics, error) {
	if options.Keep <= 0 {
		options.Keep = 90 * 24 * time.Hour
	}
	m := &Metrics{p: p, keep: options.Keep, known: make(map[string]bool), counts: make(map[key]int64)}
	for _, name := range options.Counters {
		if err := m.declare(name); err != nil {
			return nil, err
		}
		m.counters = append(m.counters, name)
	}
	for _, h := range options.Histograms {
		if len(h.Bounds) == 0 || h.Bounds[0] < time.Millisecond || !slices.IsSorted(h.Bounds) {
			return nil, fmt.Errorf("metrics: histogram %q needs ascending bounds", h.Name)
		}
		for i := range len(h.Bounds) + 1 {
			if err := m.declare(h.bucket(i)); err != nil {
				return nil, err
			}
		}
		m.histograms = append(m.histograms, Histogram{Name: h.Name, Bounds: slices.Clone(h.Bounds)})
	}
	return m, nil
}

// declare makes a counter known. A name is part of a key, where # is the delimiter.
func (m *Metrics) declare(name string) error {
	switch {
	case name == "" || strings.Contains(name, "#"):
		return fmt.Errorf("metrics: %q is not a name of a counter", name)
	case m.known[name]:
		return fmt.Errorf("metrics: counter %q is declared twice", name)
	}
	m.known[name] = true
	return nil
}

// bucket returns the counter of the nth bucket: the name of the histogram with the upper bound in
// seconds, or with more.
func (h *Histogram) bucket(n int) string {
	if n == len(h.Bounds) {
		return h.Name + "_more"
	}
	return h.Name + "_" + strconv.FormatFloat(h.Bounds[n].Seconds(), 'f', -1, 64)
}

// Count adds to a counter of the current hour. The next Flush writes it. A counter that is not
// declared is logged and not counted, because a wrong name must not fail a request.
func (m *Metrics) Count(name string, amount int64) {
	if !m.known[name] {
		m.p.Log.Error("a counter is not declared", slog.String("counter", name))
		return
	}
	m.add(key{hour: m.p.Now().Unix() / 3600, name: name}, amount)
}

func (m *Metrics) add(key key, amount int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[key] += amount
}

// Observe counts a duration in its bucket of a histogram.
func (m *Metrics) Observe(histogram string, d time.Duration) {
	for _, h := range m.histograms {
		if h.Name == histogram {
			n, _ := slices.BinarySearch(h.Bounds, d)
			m.Count(h.bucket(n), 1)
			return
		}
	}
	m.p.Log.Error("a histogram is not declared", slog.String("histogram", histogram))
}

// Flush writes the counts since the last flush, one write for each counter and hour. Counts that
// cannot be written are kept for the next flush. Flush is called every minute and when the
// process ends; a process that is killed loses the counts of the last minute.
func (m *Metrics) Flush(ctx context.Context) error {
	var first error
	failed := 0
	counts := m.take()
	for key, amount := range counts {
		err := ctx.Err()
		if err == nil {
			err = m.write(ctx, key, amount)
		}
		if err != nil {
			m.add(key, amount)
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

// take returns and resets the collected counts, so that concurrent flushes never write the same
// count.
func (m *Metrics) take() map[key]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := m.counts
	m.counts = make(map[key]int64)
	return counts
}

func (m *Metrics) write(ctx context.Context, key key, amount int64) error {
	hour := time.Unix(key.hour*3600, 0).UTC()
	metric := platformdb.Metric{
		Day: access.DateOf(hour), Hour: int64(hour.Hour()), Name: key.name, Value: amount, TTL: hour.Add(m.keep),
	}
	_, err := m.p.DB.CountMetric(ctx, metric.Key(), platformdb.CountMetricParams{Amount: amount})
	if !errors.Is(err, access.ErrNotFound) {
		return err
	}
	if _, err = m.p.DB.OpenMetric(ctx, metric); !errors.Is(err, access.ErrExists) {
		return err
	}
	// Another process created it in between.
	_, err = m.p.DB.CountMetric(ctx, metric.Key(), platformdb.CountMetricParams{Amount: amount})
	return err
}
