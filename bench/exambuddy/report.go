package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
)

// A recorder measures the requests of all callers by endpoint.
type recorder struct {
	transport http.RoundTripper

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

// An endpoint holds the measurements of one endpoint.
type endpoint struct {
	times    []time.Duration
	refusals int
}

func newRecorder() *recorder {
	return &recorder{transport: &http.Transport{MaxIdleConns: 1000, MaxIdleConnsPerHost: 1000}, endpoints: map[string]*endpoint{}}
}

// reset forgets all measurements.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endpoints = map[string]*endpoint{}
}

// caller returns the HTTP client of one caller, who has an address of its own.
func (r *recorder) caller(number int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: caller{r, fmt.Sprintf("10.%d.%d.1", number/250, number%250)}}
}

type caller struct {
	record  *recorder
	address string
}

var id = regexp.MustCompile(`/[0-9A-Z]{26}`)

// RoundTrip sends a request and measures the time to the head of the response.
func (c caller) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Forwarded-For", c.address)
	began := time.Now()
	response, err := c.record.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	c.record.add(request.Method+" "+id.ReplaceAllString(request.URL.Path, "/{id}"), time.Since(began), response.StatusCode)
	return response, nil
}

func (r *recorder) add(name string, took time.Duration, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.endpoints[name]
	if e == nil {
		e = &endpoint{}
		r.endpoints[name] = e
	}
	e.times = append(e.times, took)
	if status >= 300 {
		e.refusals++
	}
}

// results holds everything that is reported.
type results struct {
	Started    time.Time              `json:"started"`
	Machine    string                 `json:"machine"`
	LoadBefore string                 `json:"load_average_before"`
	Candidates int                    `json:"candidates"`
	Questions  int                    `json:"questions"`
	Duration   time.Duration          `json:"duration_ns"`
	Rate       float64                `json:"requests_per_second"`
	Endpoints  []endpointResult       `json:"endpoints"`
	Patterns   []access.PatternReport `json:"patterns"`

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
	Refusals int           `json:"refusals,omitempty"`
}

func newResults(cfg config) *results {
	return &results{
		Started: time.Now().UTC(), LoadBefore: loadAverage(), Candidates: cfg.candidates, Questions: cfg.questions,
		Machine: fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
	}
}

// finish computes what is reported.
func (r *results) finish(record *recorder, took time.Duration, meter *access.Meter) {
	r.Duration, r.meter = took, meter
	if meter != nil {
		r.Patterns = meter.Report()
	}
	for name, e := range record.endpoints {
		slices.Sort(e.times)
		rate := float64(len(e.times)) / took.Seconds()
		r.Rate += rate
		r.Endpoints = append(r.Endpoints, endpointResult{name, len(e.times), rate, quantile(e.times, .50), quantile(e.times, .95), quantile(e.times, .99), e.refusals})
	}
	slices.SortFunc(r.Endpoints, func(a, b endpointResult) int { return cmp.Compare(b.Requests, a.Requests) })
}

// quantile returns the time that the share q of all times does not exceed; times are sorted.
func quantile(times []time.Duration, q float64) time.Duration {
	return times[min(int(q*float64(len(times))), len(times)-1)]
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nexambuddy under load, %s, %s, load average %s before\n", r.Started.Format(time.RFC3339), r.Machine, r.LoadBefore)
	fmt.Fprintf(&b, "%d candidates at once, exams of %d questions, %v, in this process, data in a directory, every commit synced; callers in this process\n\n", r.Candidates, r.Questions, r.Duration.Round(time.Millisecond))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "requests\treq/s\tp50\tp95\tp99\trefused\t  endpoint")
	for _, e := range r.Endpoints {
		fmt.Fprintf(t, "%d\t%.0f\t%s\t%s\t%s\t%d\t  %s\n", e.Requests, e.Rate, brief(e.P50), brief(e.P95), brief(e.P99), e.Refusals, e.Endpoint)
	}
	_ = t.Flush() // writes to memory
	fmt.Fprintf(&b, "\nall endpoints: %.0f requests/s\n", r.Rate)
	if r.meter != nil {
		b.WriteString("\nAccess patterns: units of one call, as the design estimates them and as they were\n\n")
		_ = r.meter.Text(&b) // writes to memory
	}
	return b.String()
}

// brief returns a time in milliseconds.
func brief(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }

// loadAverage returns how many processes wanted to run in the last minute.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}
