package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/httpload"
)

// results are everything that is reported.
type results struct {
	Started    time.Time              `json:"started"`
	Machine    string                 `json:"machine"`
	LoadBefore string                 `json:"load_average_before"`
	LoadAfter  string                 `json:"load_average_after"`
	Where      string                 `json:"where"`
	Agents     int                    `json:"agents"`
	People     int                    `json:"people"`
	Duration   time.Duration          `json:"duration_ns"`
	Rates      []float64              `json:"rates"`       // requests a second, of each round
	FloorRates []float64              `json:"floor_rates"` // of the server that does nothing
	Endpoints  []endpointResult       `json:"endpoints"`
	Patterns   []access.PatternReport `json:"patterns,omitempty"`

	meter *access.Meter
}

// endpointResult holds the results of one endpoint.
type endpointResult struct {
	Endpoint string         `json:"endpoint"`
	Requests int            `json:"requests"`
	Rate     float64        `json:"requests_per_second"`
	P50      time.Duration  `json:"p50_ns"`
	P95      time.Duration  `json:"p95_ns"`
	P99      time.Duration  `json:"p99_ns"`
	Bytes    int            `json:"mean_answer_bytes"`
	FloorP50 time.Duration  `json:"floor_p50_ns"`
	FloorP99 time.Duration  `json:"floor_p99_ns"`
	Refusals map[string]int `json:"refusals,omitempty"` // by status and code
}

func newResults(cfg config) *results {
	return &results{
		Started: time.Now().UTC(), LoadBefore: httpload.LoadAverage(), Agents: cfg.agents, People: cfg.people, Duration: cfg.duration,
		Machine: httpload.Machine(),
	}
}

func (r *results) addRate(to *[]float64, requests int, took time.Duration) {
	*to = append(*to, float64(requests)/took.Seconds())
}

// finish computes what is reported.
func (r *results) finish(ours *recorder, floor *httpload.Floor, target system) {
	r.LoadAfter, r.Where = httpload.LoadAverage(), "in this process, data in a directory, every commit synced"
	if target.meter == nil {
		r.Where = "at " + target.url
	} else {
		r.meter, r.Patterns = target.meter, target.meter.Report()
	}
	total := ours.Requests()
	for _, e := range ours.Endpoints() {
		times := httpload.Sorted(e.Times)
		one := endpointResult{
			Endpoint: e.Name, Requests: len(times), Rate: httpload.Median(r.Rates) * float64(len(times)) / float64(total), Bytes: e.MeanSize(),
			P50: httpload.Quantile(times, 0.50), P95: httpload.Quantile(times, 0.95), P99: httpload.Quantile(times, 0.99), Refusals: e.Refusals,
		}
		nothing := floor.Times(e.Name)
		one.FloorP50, one.FloorP99 = httpload.Quantile(nothing, 0.50), httpload.Quantile(nothing, 0.99)
		r.Endpoints = append(r.Endpoints, one)
	}
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nask-a-human under load, %s, %s, load average %s before and %s after\n", r.Started.Format(time.RFC3339), r.Machine, r.LoadBefore, r.LoadAfter)
	fmt.Fprintf(&b, "%d agents and %d people at a time for %v, %s; callers in this process\n\n", r.Agents, r.People, r.Duration, r.Where)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "requests\treq/s\tp50\tp95\tp99\tbytes\tno-op p50\tx no-op\tno-op p99\tx no-op\t  endpoint")
	for _, e := range r.Endpoints {
		fmt.Fprintf(t, "%d\t%.0f\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t  %s%s\n", e.Requests, e.Rate, httpload.Brief(e.P50), httpload.Brief(e.P95), httpload.Brief(e.P99), e.Bytes,
			httpload.Brief(e.FloorP50), httpload.Ratio(e.P50, e.FloorP50), httpload.Brief(e.FloorP99), httpload.Ratio(e.P99, e.FloorP99), e.Endpoint, refusals(e.Refusals))
	}
	_ = t.Flush() // writes to memory
	fmt.Fprintf(&b, "\nall endpoints: %.0f requests/s, %.0f of a server that does nothing: %.2f of it (medians of %d rounds)\n",
		httpload.Median(r.Rates), httpload.Median(r.FloorRates), httpload.Median(r.Rates)/httpload.Median(r.FloorRates), len(r.Rates))
	if r.meter == nil {
		b.WriteString("\nWhat the access patterns took is not known of a system in another process.\n")
		return b.String()
	}
	b.WriteString("\nAccess patterns: units of one call, as the design estimates them and as they were\n\n")
	_ = r.meter.Text(&b) // writes to memory
	return b.String()
}

func refusals(all map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, ", %s: %d", name, all[name])
	}
	return b.String()
}
