package metrics

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ContentType is the media type of an Exposition.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// An Exposition writes metrics in the text format of Prometheus. Every family is written once,
// with all its samples. It is not safe for concurrent use.
type Exposition struct {
	w      *bufio.Writer
	prefix string // of all names: the name of the system and _
}

// NewExposition returns an exposition that writes to w. The names of all families begin with
// prefix, such as askahuman_.
func NewExposition(w io.Writer, prefix string) *Exposition {
	return &Exposition{w: bufio.NewWriter(w), prefix: prefix}
}

// A Sample is a value of a family, with pairs of label names and values.
type Sample struct {
	Value  float64
	Labels []string
}

// Gauge writes a family whose values go up and down.
func (e *Exposition) Gauge(name, help string, samples ...Sample) {
	e.family("gauge", name, help, samples)
}

// Counter writes a family whose values only grow while the process runs. The name ends in _total.
func (e *Exposition) Counter(name, help string, samples ...Sample) {
	e.family("counter", name, help, samples)
}

// A Distribution is a histogram of a family, with pairs of label names and values.
type Distribution struct {
	Labels []string
	Bounds []time.Duration // upper bounds of the buckets
	Counts []int64         // of the buckets, not cumulative, and of longer durations
	Sum    time.Duration
}

// Histogram writes a family of durations in seconds. The name ends in _seconds.
func (e *Exposition) Histogram(name, help string, distributions ...Distribution) {
	e.header("histogram", name, help)
	for _, d := range distributions {
		all := int64(0)
		for i, count := range d.Counts {
			bound := math.Inf(1)
			if i < len(d.Bounds) {
				bound = d.Bounds[i].Seconds()
			}
			all += count
			e.sample(name+"_bucket", float64(all), append(slices.Clone(d.Labels), "le", number(bound)))
		}
		e.sample(name+"_sum", d.Sum.Seconds(), d.Labels)
		e.sample(name+"_count", float64(all), d.Labels)
	}
}

// Flush writes what is buffered, and returns the first error of all writes.
func (e *Exposition) Flush() error { return e.w.Flush() }

func (e *Exposition) family(kind, name, help string, samples []Sample) {
	e.header(kind, name, help)
	for _, s := range samples {
		e.sample(name, s.Value, s.Labels)
	}
}

var escapeHelp = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

func (e *Exposition) header(kind, name, help string) {
	fmt.Fprintf(e.w, "# HELP %s%s %s\n# TYPE %s%s %s\n", e.prefix, name, escapeHelp.Replace(help), e.prefix, name, kind)
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// sample writes a sample; Flush returns its error.
func (e *Exposition) sample(name string, value float64, labels []string) {
	_, _ = e.w.WriteString(e.prefix + name)
	separator := "{"
	for pair := range slices.Chunk(labels, 2) {
		_, _ = e.w.WriteString(separator + pair[0] + `="` + escapeLabel.Replace(strings.ToValidUTF8(pair[len(pair)-1], "\ufffd")) + `"`)
		separator = ","
	}
	if len(labels) > 0 {
		_, _ = e.w.WriteString("}")
	}
	_, _ = e.w.WriteString(" " + number(value) + "\n")
}

func number(value float64) string {
	if math.IsInf(value, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// Expose writes a report: the total of every declared counter as a gauge, and the medians of the
// histograms.
func (m *Metrics) Expose(e *Exposition, r Report) {
	hours := len(r.Hours)
	events := make([]Sample, len(m.counters))
	for i, name := range m.counters {
		events[i] = Sample{Value: float64(r.Totals[name]), Labels: []string{"event", name}}
	}
	e.Gauge(fmt.Sprintf("events_%dh", hours), fmt.Sprintf("Events of the last %d hours, of all processes. A process writes its counts every minute.", hours), events...)
	if len(m.histograms) == 0 {
		return
	}
	medians := make([]Sample, len(m.histograms))
	for i, h := range m.histograms {
		medians[i] = Sample{Value: r.Medians[h.Name].Seconds(), Labels: []string{"of", h.Name}}
	}
	e.Gauge("median_seconds", fmt.Sprintf("Medians of the last %d hours; 0 if there was nothing.", hours), medians...)
}
