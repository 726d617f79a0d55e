package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// measured returns a row of a section with the rates of its systems, the floor first.
func measured(section, workload string, callers int, systems ...systemResult) rowResult {
	return rowResult{Section: section, Workload: workload, Title: workloadByID(workload).title, Callers: callers, Systems: systems}
}

// TestReportScaling compares what rises, what does not, and leaves out what was
// measured once only, failed, or is not ours.
func TestReportScaling(t *testing.T) {
	r := &results{Rows: []rowResult{
		measured(sectionProcess, "get", 1, systemResult{System: "raw Pebble", Rate: 100}, systemResult{System: "JSON", Rate: 50}, systemResult{System: "API", Rate: 40}),
		measured(sectionProcess, "get", 16, systemResult{System: "raw Pebble", Rate: 150}, systemResult{System: "JSON", Rate: 60}, systemResult{System: "API", Rate: 40}),
		measured(sectionProcess, "get", 64, systemResult{System: "raw Pebble", Rate: 1}, systemResult{System: "JSON", Rate: 1}, systemResult{System: "API", Rate: 1}),
		measured(sectionProcess, "query", 1, systemResult{System: "raw Pebble", Rate: 9}, systemResult{System: "JSON", Rate: 9}),
		measured(sectionHTTP, "get", 1, systemResult{System: "no-op HTTP", Rate: 1000}, systemResult{System: "sortkey", Rate: 500}, systemResult{System: "other", Rate: 100}),
		measured(sectionHTTP, "get", 16, systemResult{System: "no-op HTTP", Rate: 1000}, systemResult{System: "sortkey", Rate: 1000}, systemResult{System: "other", Rate: 100}),
		measured(sectionHTTP, "query", 1, systemResult{System: "no-op HTTP", Rate: 9}, systemResult{System: "sortkey", Rate: 9}),
		{Section: sectionHTTP, Workload: "query", Callers: 16, Error: "no answer"},
	}}
	var b strings.Builder
	r.reportScaling(&b)
	r.reportTargets(&b)
	const want = `
Throughput of 1 and of 16 callers, operations a second

workload      section  system   1 caller  16 callers  ratio         target  floor's
GetItem 1 KB  process  JSON           50          60   1.20      > 1.00 ok     1.50
                       API            40          40   1.00  > 1.00 MISSED     1.50

GetItem 1 KB  http     sortkey       500       1 000   2.00      > 1.00 ok     1.00

Targets: 2 of 3 met.

missed                 callers  system  measured  target
process: GetItem 1 KB  1 to 16  API         1.00  > 1.00
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}
