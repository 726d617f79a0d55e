package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/httpload"
)

// results holds everything that is reported.
type results struct {
	Started    time.Time              `json:"started"`
	Machine    string                 `json:"machine"`
	LoadBefore string                 `json:"load_average_before"`
	Where      string                 `json:"where"`
	Candidates int                    `json:"candidates"`
	Questions  int                    `json:"questions"`
	Duration   time.Duration          `json:"duration_ns"`
	Rates      []float64              `json:"rates"`       // requests a second, of each round
	FloorRates []float64              `json:"floor_rates"` // of the server that does nothing
	Endpoints  []endpointResult       `json:"endpoints"`
	Patterns   []access.PatternReport `json:"patterns,omitempty"`

	meter *access.Meter
}

// endpointResult holds the results of one endpoint.
type endpointResult struct {
	Endpoint string        `json:"endpoint"`
	Requests int           `json:"requests"`
	Rate     float64       `json:"requests_per_second"`
	P50      time.Duration `json:"p50_ns"`
	P95      time.Duration `json:"p95_ns"`
	P99      time.Duration `json:"p99_ns"`
	Bytes    int           `json:"mean_response_bytes"`
	FloorP50 time.Duration `json:"floor_p50_ns"`
	FloorP99 time.Duration `json:"floor_p99_ns"`
	Refusals int           `json:"refusals,omitempty"`
}

func newResults(cfg config) *results {
	return &results{
		Started: time.Now().UTC(), LoadBefore: httpload.LoadAverage(), Candidates: cfg.candidates, Questions: cfg.questions,
		Machine: httpload.Machine(),
	}
}

// finish computes what is reported.
func (r *results) finish(record *recorder, floor *httpload.Floor, target system) {
	r.Where = "at " + target.url
	if target.meter != nil {
		r.Where, r.meter, r.Patterns = "in this process, data in a directory, every commit synced", target.meter, target.meter.Report()
	}
	total := record.Requests()
	for _, e := range record.Endpoints() {
		times, nothing, refusals := httpload.Sorted(e.Times), floor.Times(e.Name), 0
		for _, n := range e.Refusals {
			refusals += n
		}
		r.Endpoints = append(r.Endpoints, endpointResult{
			Endpoint: e.Name, Requests: len(times), Rate: httpload.Median(r.Rates) * float64(len(times)) / float64(total), Bytes: e.MeanSize(), Refusals: refusals,
			P50: httpload.Quantile(times, .50), P95: httpload.Quantile(times, .95), P99: httpload.Quantile(times, .99),
			FloorP50: httpload.Quantile(nothing, .50), FloorP99: httpload.Quantile(nothing, .99),
		})
	}
	slices.SortFunc(r.Endpoints, func(a, b endpointResult) int { return cmp.Compare(b.Requests, a.Requests) })
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nexambuddy under load, %s, %s, load average %s before\n", r.Started.Format(time.RFC3339), r.Machine, r.LoadBefore)
	fmt.Fprintf(&b, "%d candidates at once, exams of %d questions, %v, %s; callers in this process\n\n", r.Candidates, r.Questions, r.Duration.Round(time.Millisecond), r.Where)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "requests\treq/s\tp50\tp95\tp99\tbytes\tno-op p50\tx no-op\tno-op p99\tx no-op\trefused\t  endpoint")
	for _, e := range r.Endpoints {
		fmt.Fprintf(t, "%d\t%.0f\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t  %s\n", e.Requests, e.Rate, httpload.Brief(e.P50), httpload.Brief(e.P95), httpload.Brief(e.P99), e.Bytes,
			httpload.Brief(e.FloorP50), httpload.Ratio(e.P50, e.FloorP50), httpload.Brief(e.FloorP99), httpload.Ratio(e.P99, e.FloorP99), e.Refusals, e.Endpoint)
	}
	_ = t.Flush() // writes to memory
	ours, floor := httpload.Median(r.Rates), httpload.Median(r.FloorRates)
	fmt.Fprintf(&b, "\nall endpoints: %.0f requests/s, %.0f of a server that does nothing: %.2f of it (medians of %d rounds)\n", ours, floor, ours/floor, len(r.Rates))
	if r.meter == nil {
		b.WriteString("\nThe units of access patterns are not known of a system in another process.\n")
		return b.String()
	}
	b.WriteString("\nAccess patterns: units of one call, as the design estimates them and as they were\n\n")
	_ = r.meter.Text(&b) // writes to memory
	return b.String()
}
