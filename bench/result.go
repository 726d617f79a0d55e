package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// results is all that a run found out, as it is written by --json.
type results struct {
	Started time.Time      `json:"started"`
	Machine machine        `json:"machine"`
	Method  method         `json:"method"`
	Rows    []rowResult    `json:"rows"`
	Starts  []startResult  `json:"starts,omitempty"`
	Sizes   []sizeResult   `json:"sizes,omitempty"`
	Memory  []memoryResult `json:"memory,omitempty"`
}

type machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	CPUs       int    `json:"cpus"`
	Go         string `json:"go"`
	LoadBefore string `json:"load_before"` // average of one minute
	LoadAfter  string `json:"load_after"`
}

type method struct {
	Rounds        int           `json:"rounds"`
	Slice         time.Duration `json:"slice_ns"`
	Items         int           `json:"items"`
	ReadItems     int           `json:"read_items"` // of tables that are only read, in process
	StreamRecords int           `json:"stream_records"`
	BackfillItems int           `json:"backfill_items"`
	Projection    string        `json:"projection"`
	Directory     string        `json:"directory"`
}

// rowResult is one workload with one number of callers.
type rowResult struct {
	Section  string         `json:"section"`
	Workload string         `json:"workload"`
	Title    string         `json:"title"`
	Callers  int            `json:"callers"`
	Load     string         `json:"load"` // average of one minute when the row began
	Systems  []systemResult `json:"systems,omitempty"`
	Error    string         `json:"error,omitempty"`
}

// systemResult holds the measurements of one system in a row.
type systemResult struct {
	System   string        `json:"system"`
	Rate     float64       `json:"ops_per_second"` // median of the rounds
	P50      time.Duration `json:"p50_ns"`
	P99      time.Duration `json:"p99_ns"`
	CPUPerOp time.Duration `json:"cpu_per_op_ns,omitempty"`  // without the caller, if that is another process
	CPUs     []float64     `json:"cpus_ns,omitempty"`        // the same in each round
	Resident int64         `json:"resident_bytes,omitempty"` // of a server after the row, and all rows before it
	Retries  int           `json:"retries,omitempty"`        // requests repeated because of a conflict
	Allocs   float64       `json:"allocs_per_op,omitempty"`  // with those of the caller
	Bytes    float64       `json:"bytes_per_op,omitempty"`
	Ops      int           `json:"ops"`
	Rates    []float64     `json:"rates"`
	Ratios   []ratioResult `json:"ratios,omitempty"`
}

// ratioResult compares a system with another of its row.
type ratioResult struct {
	Against string  `json:"against"`
	Ratio   float64 `json:"ratio"`
	Lower   float64 `json:"lower_quartile,omitempty"` // of the rounds
	Upper   float64 `json:"upper_quartile,omitempty"`
	Target  float64 `json:"target,omitempty"` // 0: none is set

	// CPU is the processor time per operation divided by that of the other system.
	CPU       float64 `json:"cpu_ratio,omitempty"`
	CPUTarget float64 `json:"cpu_ratio_target,omitempty"`

	// FewerAllocs is the ratio of the other system's allocations to ours.
	FewerAllocs  float64 `json:"fewer_allocs,omitempty"`
	AllocsTarget float64 `json:"fewer_allocs_target,omitempty"`
}

// met reports whether the ratio meets its target. It is compared as it is printed, with
// two digits.
func (r ratioResult) met() bool { return r.Ratio >= r.Target-0.005 }

// base is a system that others of the row are compared with.
type base struct {
	name   string
	isPeer bool
}

// newRowResult computes what is reported of a row.
func newRowResult(r row, all []*series) rowResult {
	out := rowResult{Section: r.section, Workload: r.work.id, Title: r.work.title, Callers: r.callers}
	bases := map[string]*series{}
	for _, s := range all {
		for _, b := range r.bases {
			if b.name == s.system {
				bases[b.name] = s
			}
		}
	}
	for _, s := range all {
		one := systemResult{
			System: s.system, Rate: httpload.Median(s.rates), Rates: s.rates,
			P50: s.lat.quantile(0.50), P99: s.lat.quantile(0.99), CPUPerOp: s.cpuPerOp(), CPUs: s.cpus, Resident: s.memory.resident,
			Ops: s.ops, Retries: s.retries, Allocs: s.perOp(s.objects), Bytes: s.perOp(s.bytes),
		}
		for _, b := range r.bases {
			// Peers are not compared with each other: this is about our engine.
			if bases[b.name] == nil || bases[s.system] != nil {
				continue
			}
			one.Ratios = append(one.Ratios, compare(r, b, s, bases[b.name]))
		}
		out.Systems = append(out.Systems, one)
	}
	return out
}

// compare compares a system of a row with a base of it.
func compare(r row, b base, s, other *series) ratioResult {
	all := pairedRatios(s.rates, other.rates)
	t := targetFor(r.section, r.work.id, r.callers, s.system, b.name, b.isPeer)
	result := ratioResult{Against: b.name, Ratio: httpload.Median(all), Target: t.atLeast, AllocsTarget: t.fewerAllocs}
	result.Lower, result.Upper = quartiles(all)
	if len(s.cpus) > 0 && len(other.cpus) > 0 {
		result.CPU = httpload.Median(pairedRatios(s.cpus, other.cpus))
		result.CPUTarget = cpuTargetFor(r.section, r.work.id, r.callers, s.system, b.name)
	}
	if s.objects > 0 {
		result.FewerAllocs = other.perOp(other.objects) / s.perOp(s.objects)
	}
	return result
}

// ratio returns the comparison with the system of that name, if there is one.
func (s systemResult) ratio(against string) (ratioResult, bool) {
	for _, r := range s.Ratios {
		if r.Against == against {
			return r, true
		}
	}
	return ratioResult{}, false
}

// thisMachine describes where the run happens.
func thisMachine() machine {
	return machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version(), LoadBefore: httpload.LoadAverage()}
}

// writeJSON writes the results to a file.
func (r *results) writeJSON(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}
