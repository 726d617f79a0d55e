package main

import (
	"bytes"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

// results holds everything that is reported.
type results struct {
	appbench.Head
	Days       int                    `json:"days"`
	Messages   int                    `json:"messages"`
	Said       int                    `json:"bot_lines"` // in the group
	Duration   time.Duration          `json:"duration_ns"`
	Rate       float64                `json:"messages_per_second"`
	Stored     quantiles              `json:"stored"`
	Understood quantiles              `json:"understood"`
	Months     []month                `json:"months"`
	Patterns   []access.PatternReport `json:"patterns"`

	began              time.Time
	stored, understood []time.Duration
	meter              *access.Meter
}

// quantiles of the times that something took.
type quantiles struct {
	P50 time.Duration `json:"p50_ns"`
	P95 time.Duration `json:"p95_ns"`
	P99 time.Duration `json:"p99_ns"`
}

// A month holds what was measured at the end of a month.
type month struct {
	Month    string        `json:"month"`
	Messages int           `json:"messages"` // so far
	Took     time.Duration `json:"took_ns"`  // so far
	Heap     uint64        `json:"heap_bytes"`
	Data     int64         `json:"data_bytes"`
}

func newResults(cfg config) *results {
	return &results{
		Head: appbench.NewHead(), Days: cfg.days,
		stored: make([]time.Duration, 0, cfg.messages), understood: make([]time.Duration, 0, cfg.messages), // not part of a heap that grows
	}
}

// month measures at the end of a month. The heap is that after a collection.
func (r *results) month(date time.Time, s *system) {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.Months = append(r.Months, month{date.Format("2006-01"), r.Messages, time.Since(r.began), memory.HeapAlloc, s.size()})
}

// Flat bounds the heap: at the end of no month may it be larger than in the first month by more.
const flat = 8 << 20

// Flat reports whether the heap stayed within the bound.
func (r *results) Flat() bool {
	for _, m := range r.Months {
		if m.Heap > r.Months[0].Heap+flat {
			return false
		}
	}
	return true
}

// finish computes what is reported.
func (r *results) finish(meter *access.Meter) {
	r.Duration, r.meter, r.Patterns = time.Since(r.began), meter, meter.Report()
	r.Rate = float64(r.Messages) / r.Duration.Seconds()
	r.Stored, r.Understood = quantilesOf(r.stored), quantilesOf(r.understood)
}

func quantilesOf(times []time.Duration) quantiles {
	times = httpload.Sorted(times)
	return quantiles{httpload.Quantile(times, .50), httpload.Quantile(times, .95), httpload.Quantile(times, .99)}
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%d days of a household in homeops, %s\n", r.Days, r.Head.Text())
	fmt.Fprintf(&b, "%d messages in %v, one after the other, in this process, data in a directory, every commit synced; the bot wrote %d lines in the group\n\n", r.Messages, r.Duration.Round(time.Second), r.Said)
	fmt.Fprintf(&b, "throughput: %.0f messages/s\n", r.Rate)
	fmt.Fprintf(&b, "stored (the answer of the webhook): p50 %s, p95 %s, p99 %s\n", httpload.Brief(r.Stored.P50), httpload.Brief(r.Stored.P95), httpload.Brief(r.Stored.P99))
	fmt.Fprintf(&b, "understood and answered:            p50 %s, p95 %s, p99 %s\n\n", httpload.Brief(r.Understood.P50), httpload.Brief(r.Understood.P95), httpload.Brief(r.Understood.P99))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "month\tmessages\tseconds\theap\tdata\t")
	for _, m := range r.Months {
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%s\t%s\t\n", m.Month, m.Messages, m.Took.Seconds(), mega(int64(m.Heap)), mega(m.Data))
	}
	_ = t.Flush() // writes to memory
	verdict := "flat"
	if !r.Flat() {
		verdict = "NOT flat"
	}
	fmt.Fprintf(&b, "\nheap: %s (bound: %s above the first month)\n", verdict, mega(flat))
	appbench.Patterns(&b, r.meter)
	return b.String()
}

func mega(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)) }
