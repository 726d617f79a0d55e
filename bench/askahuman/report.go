package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

// results are everything that is reported.
type results struct {
	appbench.Head
	LoadAfter string `json:"load_average_after"`
	appbench.Load
	Agents    int              `json:"agents"`
	People    int              `json:"people"`
	Endpoints []endpointResult `json:"endpoints"`
}

// endpointResult holds the results of one endpoint.
type endpointResult struct {
	appbench.Endpoint
	Bytes    int            `json:"mean_answer_bytes"`
	Refusals map[string]int `json:"refusals,omitempty"` // by status and code
}

func newResults(cfg config) *results {
	return &results{Head: appbench.NewHead(), Agents: cfg.agents, People: cfg.people}
}

// finish computes what is reported.
func (r *results) finish(cfg config) {
	r.LoadAfter, r.Duration = httpload.LoadAverage(), cfg.Duration // as asked for
	for _, e := range r.Measured {
		r.Endpoints = append(r.Endpoints, endpointResult{e, e.Bytes, e.Refusals})
	}
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nask-a-human under load, %s and %s after\n", r.Head.Text(), r.LoadAfter)
	fmt.Fprintf(&b, "%d agents and %d people at a time for %v, %s; callers in this process\n\n", r.Agents, r.People, r.Duration, r.Where)
	r.Table(&b, "  endpoint", func(e appbench.Endpoint) string { return "  " + e.Name + refusals(e.Refusals) })
	return b.String()
}

func refusals(all map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, ", %s: %d", name, all[name])
	}
	return b.String()
}
