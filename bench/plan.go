package main

import (
	"fmt"
	"regexp"
	"slices"
)

// The sections of a run.
const (
	sectionProcess  = "process"  // the engine in this process, beside raw Pebble
	sectionLatency  = "latency"  // the typed doors beside the SDK over TCP
	sectionHTTP     = "http"     // the server, beside a no-op server and peers
	sectionStream   = "stream"   // a consumer of a stream
	sectionBackfill = "backfill" // an index added to a table that is in use
	sectionFlat     = "flat"     // the same work on small and large tables
	sectionMarshal  = "marshal"  // generated code that encodes and decodes items
	sectionCalls    = "calls"    // generated code that calls the engine
	sectionStart    = "start"    // start time and memory of the server
	sectionMemory   = "memory"   // memory of the server under loads
)

// A row is one workload with one number of callers, done by some systems.
type row struct {
	section string
	work    workload
	callers int
	systems []system
	bases   []base
}

// label returns the text that --only is matched with.
func label(section, workload string, callers int) string {
	return fmt.Sprintf("%s/%s/%d", section, workload, callers)
}

func (r row) label() string { return label(r.section, r.work.id, r.callers) }

// plannedRows returns the rows of a section that the user wants, still without systems.
func plannedRows(section string, all []workload, callers []int, only *regexp.Regexp) []row {
	var rows []row
	for _, w := range all {
		for _, n := range callers {
			if only.MatchString(label(section, w.id, n)) {
				rows = append(rows, row{section: section, work: w, callers: n})
			}
		}
	}
	return rows
}

// datasetsOf returns the datasets the rows need, each once.
func datasetsOf(rows []row) []*dataset {
	var all []*dataset
	for _, r := range rows {
		if !slices.Contains(all, r.work.dataset) {
			all = append(all, r.work.dataset)
		}
	}
	return all
}

// workloadsOf returns the workloads of the rows, each once.
func workloadsOf(rows []row) []workload {
	var all []workload
	for _, r := range rows {
		if !slices.Contains(all, r.work) {
			all = append(all, r.work)
		}
	}
	return all
}
