package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const wantGenerated = `
Items encoded and decoded by generated code and by reflection, without a database

workload                          system          time/op   cpu/op  allocs/op  bytes/op  x attributevalue       half          target  fewer allocs          target
Decode RefreshToken, 8 scalars    attributevalue  1.00 ms  1.00 us       30.0     2 000
                                  generated        250 us  0.25 us       10.0     1 000              4.00  2.00-5.00      >= 3.00 ok          3.00      >= 3.00 ok

Encode Item                       attributevalue  1.00 ms  1.00 us       30.0     2 000
                                  generated        500 us  0.50 us       15.0     1 000              2.00  1.00-2.50  >= 3.00 MISSED          2.00  >= 3.00 MISSED

Encode nothing                    failed: no conversion

Targets: 2 of 4 met.

missed                callers  system                                   measured   target
marshal: Encode Item  1        generated x attributevalue                   2.00  >= 3.00
marshal: Encode Item  1        generated x attributevalue, allocations      2.00  >= 3.00
`

func TestReportGenerated(t *testing.T) {
	var r results
	add := func(w workload, rates []float64, generatedObjects uint64, generatedTime time.Duration) {
		reflected := &series{system: reflectSystem, rates: []float64{1000, 2000, 1000}, ops: 1000, cpu: time.Millisecond, objects: 30_000, bytes: 2_000_000}
		generated := &series{system: generatedSystem, rates: rates, ops: 1000, cpu: generatedTime, objects: generatedObjects, bytes: 1_000_000}
		r.Rows = append(r.Rows, newRowResult(
			row{section: sectionMarshal, work: w, callers: 1, bases: []base{{name: reflectSystem}}}, []*series{reflected, generated}))
	}
	add(workload{id: "decode-small", title: "Decode RefreshToken, 8 scalars"}, []float64{4000, 4000, 5000}, 10_000, 250*time.Microsecond)
	add(workload{id: "encode-large", title: "Encode Item"}, []float64{2000, 2000, 2500}, 15_000, 500*time.Microsecond)
	r.Rows = append(r.Rows, rowResult{Section: sectionMarshal, Title: "Encode nothing", Callers: 1, Error: "no conversion"})
	_, got, _ := strings.Cut(r.report(), "data below \n")
	if diff := cmp.Diff(wantGenerated, got); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestNoAllocationsAreNoRatio(t *testing.T) {
	if got := fewerText(2912.6); got != "> 100" {
		t.Errorf("got %s", got)
	}
}

// TestRunGenerated measures generated code for a moment and looks at what was found.
func TestRunGenerated(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "results.json")
	cfg, err := parseFlags([]string{
		"--rounds", "2", "--slice", "5ms", "--dir", dir, "--json", file, "--only", "^marshal|^calls/(get|transact)",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), cfg); err != nil {
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
	if want := len(marshalWorkloads) + 4; len(got.Rows) != want {
		t.Errorf("%d rows, want %d", len(got.Rows), want)
	}
	for _, row := range got.Rows {
		for _, s := range row.Systems {
			if s.System != generatedSystem {
				continue
			}
			for _, ratio := range s.Ratios {
				if ratio.Lower <= 0 || ratio.Ratio < ratio.Lower || ratio.Upper < ratio.Ratio || ratio.FewerAllocs <= 0 {
					t.Errorf("%s: %+v", row.Title, ratio)
				}
			}
			want := 2
			if row.Section == sectionMarshal && !strings.HasPrefix(row.Workload, "encode-") {
				want = 1 // only encoding has a floor
			}
			if len(s.Ratios) != want {
				t.Errorf("%s: compared with %d systems, want %d", row.Title, len(s.Ratios), want)
			}
		}
	}
}
