package access

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Meter is an Observer that adds up the calls of every pattern, so that what a design
// estimates can be held against what happens. The zero value is ready; it is safe for use
// by many goroutines at once and takes about 5 kB for each pattern.
type Meter struct {
	mu       sync.Mutex
	patterns map[string]*tally
}

// A tally holds the sums of one pattern.
type tally struct {
	report    PatternReport
	measured  int64 // calls that DynamoDB told the units of
	estimated float64
	latencies latencies
}

// A PatternReport sums up the calls of one pattern.
type PatternReport struct {
	Pattern, Table, Index    string
	Calls                    int64
	Refused                  int64 // there was no item, or a condition did not hold
	Errors                   int64 // all other errors
	Requests, Items, Retries int64
	Units                    float64 // of all calls
	Estimated                float64 // of one call, as the design has it
	// UnitsPerCall is the mean of the calls that DynamoDB told the units of: those it
	// refused are not among them. Ratio is the units of these calls by what was estimated
	// for them: above 1 they took more. Both are 0 if there was no such call, and Ratio is
	// if nothing was estimated.
	UnitsPerCall, Ratio float64
	P50, P99            time.Duration // of a whole call, within four percent
}

// Observe adds a call.
func (m *Meter) Observe(_ context.Context, call Call) {
	refused := call.Err != nil && Refused(call.Err)
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.patterns[call.Pattern]
	if t == nil {
		if m.patterns == nil {
			m.patterns = map[string]*tally{}
		}
		t = &tally{report: PatternReport{Pattern: call.Pattern, Table: call.Table, Index: call.Index}}
		m.patterns[call.Pattern] = t
	}
	t.add(call, refused)
}

func (t *tally) add(call Call, refused bool) {
	r := &t.report
	r.Calls++
	switch {
	case refused:
		r.Refused++
	case call.Err != nil:
		r.Errors++
	}
	r.Requests += int64(call.Requests)
	r.Items += int64(call.Items)
	r.Retries += int64(call.Retries)
	r.Units += call.Units
	r.Estimated += call.Estimated
	if call.Units > 0 {
		t.measured++
		t.estimated += call.Estimated
	}
	t.latencies.add(call.Duration)
}

// Report returns a report for each pattern called so far, sorted by pattern.
func (m *Meter) Report() []PatternReport {
	m.mu.Lock()
	defer m.mu.Unlock()
	reports := make([]PatternReport, 0, len(m.patterns))
	for _, t := range m.patterns {
		r := t.report
		r.Estimated /= float64(r.Calls)
		if t.measured > 0 {
			r.UnitsPerCall = r.Units / float64(t.measured)
		}
		if t.estimated > 0 {
			r.Ratio = r.Units / t.estimated
		}
		r.P50, r.P99 = t.latencies.quantile(0.50), t.latencies.quantile(0.99)
		reports = append(reports, r)
	}
	slices.SortFunc(reports, func(a, b PatternReport) int { return cmp.Compare(a.Pattern, b.Pattern) })
	return reports
}

// Text writes the report as a table.
func (m *Meter) Text(w io.Writer) error {
	rows := [][]string{{"pattern", "path", "calls", "refused", "errors", "retries", "estimated", "actual", "ratio", "p50", "p99"}}
	for _, r := range m.Report() {
		path := (&Pattern{Table: r.Table, Index: r.Index}).Path()
		actual, ratio := "-", "-"
		if r.UnitsPerCall > 0 {
			actual = strconv.FormatFloat(r.UnitsPerCall, 'f', 2, 64)
		}
		if r.Ratio > 0 {
			ratio = strconv.FormatFloat(r.Ratio, 'f', 2, 64)
		}
		rows = append(rows, []string{r.Pattern, path, fmt.Sprint(r.Calls), fmt.Sprint(r.Refused), fmt.Sprint(r.Errors), fmt.Sprint(r.Retries),
			strconv.FormatFloat(r.Estimated, 'f', 2, 64), actual, ratio, brief(r.P50), brief(r.P99)})
	}
	if _, err := io.WriteString(w, aligned(rows, 2)); err != nil {
		return fmt.Errorf("access: the report of the meter: %w", err)
	}
	return nil
}

// aligned sets rows in columns two spaces apart: so many to the left, the others, numbers,
// to the right.
func aligned(rows [][]string, left int) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < left {
				b.WriteString(cell + fill)
			} else {
				b.WriteString(fill + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// brief returns a duration with three digits.
func brief(d time.Duration) string {
	for unit := time.Nanosecond; unit < time.Hour; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
	return d.String()
}

// latencies counts durations in buckets whose bounds grow by a sixteenth of a power of two,
// from microseconds to days.
type latencies struct {
	n       int64
	buckets [16 * 38]int64
}

func (l *latencies) add(d time.Duration) {
	l.n++
	l.buckets[min(bucketOf(d), len(l.buckets)-1)]++
}

// quantile returns the middle of the bucket in which the q-th part of all durations ends.
func (l *latencies) quantile(q float64) time.Duration {
	rank := int64(q*float64(l.n-1)) + 1
	for i, count := range l.buckets {
		if rank -= count; rank <= 0 {
			return (bucketStart(i) + bucketStart(i+1)) / 2
		}
	}
	return 0
}

// bucketOf returns the bucket of a duration. Up to 16 ticks of 128 ns each has its own, then
// the four bits after the first choose among sixteen of each power of two.
func bucketOf(d time.Duration) int {
	ticks := uint64(max(d, 0)) >> 7
	if ticks < 16 {
		return int(ticks)
	}
	shift := bits.Len64(ticks) - 5
	return shift*16 + int(ticks>>shift)
}

func bucketStart(i int) time.Duration {
	if i < 16 {
		return time.Duration(i) << 7
	}
	shift := i/16 - 1
	return time.Duration(i-shift*16) << shift << 7
}
