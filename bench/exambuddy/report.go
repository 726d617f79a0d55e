package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/bench/internal/appbench"
)

// results holds everything that is reported.
type results struct {
	appbench.Head
	appbench.Load
	Candidates int              `json:"candidates"`
	Questions  int              `json:"questions"`
	Endpoints  []endpointResult `json:"endpoints"`
}

// endpointResult holds the results of one endpoint.
type endpointResult struct {
	appbench.Endpoint
	Bytes    int `json:"mean_response_bytes"`
	Refusals int `json:"refusals,omitempty"`
}

func newResults(cfg config) *results {
	return &results{Head: appbench.NewHead(), Candidates: cfg.candidates, Questions: cfg.questions}
}

// finish computes what is reported.
func (r *results) finish() {
	slices.SortFunc(r.Measured, func(a, b appbench.Endpoint) int { return cmp.Compare(b.Requests, a.Requests) })
	for _, e := range r.Measured {
		r.Endpoints = append(r.Endpoints, endpointResult{e, e.Bytes, refusals(e)})
	}
}

func refusals(e appbench.Endpoint) (total int) {
	for _, n := range e.Refusals {
		total += n
	}
	return total
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nexambuddy under load, %s\n", r.Head.Text())
	fmt.Fprintf(&b, "%d candidates at once, exams of %d questions, %v, %s; callers in this process\n\n", r.Candidates, r.Questions, r.Duration.Round(time.Millisecond), r.Where)
	r.Table(&b, "refused\t  endpoint", func(e appbench.Endpoint) string { return fmt.Sprintf("%d\t  %s", refusals(e), e.Name) })
	return b.String()
}
