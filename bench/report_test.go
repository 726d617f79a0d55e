package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// someResults returns a small run in which one target is met, one is missed and one row
// failed.
func someResults() *results {
	r := &results{
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Machine: machine{OS: "linux", Arch: "amd64", CPUs: 2, Go: "go1.26", LoadBefore: "0.10", LoadAfter: "1.90"},
		Method:  method{Rounds: 3, Slice: time.Second, Items: 10000, ReadItems: 20000, Projection: "ALL", Directory: "/data"},
		Starts: []startResult{
			{Server: "no-op HTTP", FirstAnswer: 5 * time.Millisecond, Resident: 40_000_000},
			{Server: "sortkey", Data: "in memory", FirstAnswer: 12345 * time.Microsecond, Resident: 15_000_000, Private: 4_500_000},
			{Server: "sortkey", Data: "empty directory", FirstAnswer: time.Second},
		},
	}
	floor := &series{system: "no-op HTTP", rates: []float64{1000, 2000, 4000}, ops: 100, cpu: time.Millisecond, cpus: []float64{9_000, 10_000, 11_000}}
	own := &series{system: "sortkey", rates: []float64{650, 1300, 2600}, ops: 4550, retries: 12, cpu: 118 * time.Millisecond, cpus: []float64{27_000, 26_000, 22_000}}
	own.memory.resident = 121_000_000
	other := &series{system: "other", rates: []float64{325, 650, 1400}}
	putRow := row{section: sectionHTTP, work: workloadByID("put-fsync"), callers: 16, bases: []base{{name: "no-op HTTP"}}}
	for _, s := range []*series{floor, own, other} {
		s.lat.add(20 * time.Nanosecond)
	}
	bases := []base{{name: "no-op HTTP"}, {name: "other", isPeer: true}}
	r.Rows = append(r.Rows,
		newRowResult(row{section: sectionHTTP, work: workloadByID("get"), callers: 16, bases: bases}, []*series{floor, own, other}),
		newRowResult(row{section: sectionHTTP, work: workloadByID("query"), callers: 16, bases: bases}, []*series{floor, own, other}),
	)
	r.Rows = append(r.Rows, newRowResult(putRow, []*series{floor, own}), rowResult{Section: sectionHTTP, Workload: "put-fsync", Title: "PutItem 1 KB, fsync", Callers: 1, Error: "other: no answer"})
	return r
}

const wantReport = `
sortkey bench, 2026-01-02T03:04:05Z, linux/amd64, 2 CPUs, go1.26, load average 0.10 before and 1.90 after
3 rounds of 1s a system and row, medians; tables of 10 000 items of 1 KB (20 000 if only read in process), index projection ALL, data below /data

Over HTTP, loopback, server in its own process

workload             callers  system      ops/s      p50      p99   cpu/op    memory             target  x no-op HTTP      target  cpu x no-op HTTP          target  x other          target  cpu x other  target
GetItem 1 KB         16       no-op HTTP  2 000  0.02 us  0.02 us  10.0 us
                              sortkey     1 300  0.02 us  0.02 us  25.9 us  121.0 MB  < 120.0 MB MISSED          0.65  >= 0.65 ok              2.60                     2.00
                              other         650  0.02 us  0.02 us

Query 100 x 1 KB     16       no-op HTTP  2 000  0.02 us  0.02 us  10.0 us
                              sortkey     1 300  0.02 us  0.02 us  25.9 us  121.0 MB  < 120.0 MB MISSED          0.65                          2.60                     2.00  >= 3.00 MISSED
                              other         650  0.02 us  0.02 us

PutItem 1 KB, fsync  16       no-op HTTP  2 000  0.02 us  0.02 us  10.0 us
                              sortkey     1 300  0.02 us  0.02 us  25.9 us  121.0 MB  < 120.0 MB MISSED          0.65  >= 0.35 ok              2.60  <= 2.40 MISSED

PutItem 1 KB, fsync  1        failed: other: no answer

GetItem 1 KB, 16 callers: sortkey repeated 12 of 4 550 because of conflicts

Query 100 x 1 KB, 16 callers: sortkey repeated 12 of 4 550 because of conflicts

PutItem 1 KB, fsync, 16 callers: sortkey repeated 12 of 4 550 because of conflicts

Start and memory

server      data               first answer after            target  idle memory        target  of it private
no-op HTTP                                5.00 ms                        40.0 MB
sortkey     in memory                     12.3 ms      < 30.0 ms ok      15.0 MB  < 25.0 MB ok         4.5 MB
sortkey     empty directory               1000 ms  < 30.0 ms MISSED

Targets: 4 of 10 met.

missed                     callers  system                     measured      target
http: GetItem 1 KB         16       sortkey, memory            121.0 MB  < 120.0 MB
http: Query 100 x 1 KB     16       sortkey x other                2.00     >= 3.00
http: Query 100 x 1 KB     16       sortkey, memory            121.0 MB  < 120.0 MB
http: PutItem 1 KB, fsync  16       sortkey x no-op HTTP, cpu      2.60     <= 2.40
http: PutItem 1 KB, fsync  16       sortkey, memory            121.0 MB  < 120.0 MB
start: empty directory              sortkey                     1000 ms   < 30.0 ms
`

func TestReport(t *testing.T) {
	if diff := cmp.Diff(wantReport, someResults().report()); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestReportOfNothing(t *testing.T) {
	if got := (&results{}).report(); strings.Contains(got, "Targets") || strings.Contains(got, "workload") {
		t.Errorf("an empty run reports\n%s", got)
	}
}

func TestWriteJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	want := someResults()
	if err := want.writeJSON(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got results
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if err := want.writeJSON(filepath.Join(file, "below")); err == nil {
		t.Error("writing below a file worked")
	}
}

func TestTargetFor(t *testing.T) {
	for _, c := range []struct {
		section, workload string
		callers           int
		system, against   string
		isPeer            bool
		want              float64
	}{
		{sectionProcess, "get", 16, "JSON", "raw Pebble", false, 0.50},
		{sectionProcess, "get", 64, "JSON", "raw Pebble", false, 0},
		{sectionProcess, "get", 64, "API", "raw Pebble", false, 0},
		{sectionHTTP, "get", 1, "sortkey", "no-op HTTP", false, 0},
		{sectionHTTP, "get", 16, "sortkey", "no-op HTTP", false, 0.65},
		{sectionHTTP, "put-fsync", 16, "sortkey", "other", true, 2.5},
		{sectionHTTP, "put-fsync", 16, "sortkey", "other", false, 0},
		{sectionHTTP, "put-fsync", 1, "sortkey", "other", true, 1},
		{sectionHTTP, "put-fsync", 64, "sortkey", "other", true, 0},
		{sectionHTTP, "transact-fsync", 16, "sortkey", "other", true, 3},
		{sectionHTTP, "put-fsync-2gsi-stream", 16, "sortkey", "other", true, 8},
		{sectionFlat, "get", 1, "5 000 000 items", "10 000 items", false, 0.5},
		{sectionFlat, "get-pebble", 1, "5 000 000 items", "10 000 items", false, 0},
		{sectionLatency, "put-nosync", 1, "Client", "SDK over TCP", false, 4},
		{sectionMarshal, "decode-large", 1, "generated", "attributevalue", false, 3},
		{sectionCalls, "put-api", 1, "generated", "guregu/dynamo", false, 1},
		{sectionCalls, "put-api", 1, "guregu/dynamo", "hand-written", false, 0},
	} {
		if got := targetFor(c.section, c.workload, c.callers, c.system, c.against, c.isPeer).atLeast; got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestTargetsNameWhatThereIs finds targets that can never apply.
func TestTargetsNameWhatThereIs(t *testing.T) {
	for _, target := range targets {
		if _, ok := sectionTitles[target.section]; !ok {
			t.Errorf("%+v: no such section", target)
		}
		for _, id := range target.workloads {
			workloadByID(id) // panics if there is none
		}
	}
}

func TestNumbersInText(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 999.5: "1 000", 12: "12", 1234567: "1 234 567"} {
		if got := thousands(v); got != want {
			t.Errorf("thousands(%v) = %q, want %q", v, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "", 1: "0.00 us", 1500: "1.50 us", 15_000: "15.0 us", 150_000: "150 us",
		1_500_000: "1.50 ms", 15_000_000: "15.0 ms", 150_000_000: "150 ms", 15 * time.Second: "15000 ms",
	} {
		if got := duration(d); got != want {
			t.Errorf("duration(%d) = %q, want %q", d, got, want)
		}
	}
}
