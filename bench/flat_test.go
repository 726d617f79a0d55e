package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReportFlat(t *testing.T) {
	small := &series{system: "10 000 items", rates: []float64{200_000}, ops: 1, cpu: 6 * time.Microsecond}
	large := &series{system: "5 000 000 items", rates: []float64{125_000}, ops: 1, cpu: 9 * time.Microsecond}
	huge := &series{system: "50 000 000 items", rates: []float64{50_000}, ops: 1, cpu: 12 * time.Microsecond}
	bases := []base{{name: "10 000 items"}}
	raw := flatWorkloads[0]
	raw.id, raw.title = raw.id+rawSuffix, raw.title+", raw Pebble"
	r := &results{Sizes: []sizeResult{{Items: 1_000_000, Open: 5 * time.Millisecond}}}
	for _, work := range []workload{flatWorkloads[0], raw} {
		r.Rows = append(r.Rows, newRowResult(row{section: sectionFlat, work: work, callers: 1, bases: bases}, []*series{small, large, huge}))
	}
	r.Rows = append(r.Rows, rowResult{Section: sectionFlat, Title: "PutItem", Error: "no answer"})
	var b strings.Builder
	r.reportFlat(&b)
	r.reportTargets(&b)
	const want = `
Small and large tables, JSON door, one caller, no fsync, items of about 100 bytes that fit the cache

workload                     table             time/op  x first          target   cpu/op  x first
GetItem 100 B                10 000 items      5.00 us                           6.00 us
                             5 000 000 items   8.00 us     1.60      <= 2.00 ok  9.00 us     1.50
                             50 000 000 items  20.0 us     4.00  <= 2.00 MISSED  12.0 us     2.00

GetItem 100 B, raw Pebble    10 000 items      5.00 us                           6.00 us
                             5 000 000 items   8.00 us     1.60                  9.00 us     1.50
                             50 000 000 items  20.0 us     4.00                  12.0 us     2.00

PutItem                      failed: no answer

opening a database of 1 000 000 items: 5.00 ms

Targets: 1 of 2 met.

missed               callers  system                           measured   target
flat: GetItem 100 B  1        50 000 000 items x 10 000 items      4.00  <= 2.00
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

// TestFlatHasToBeNamed: a pattern that only happens to match does not start a
// run of minutes.
func TestFlatHasToBeNamed(t *testing.T) {
	for _, only := range []string{"", "get/1$"} {
		cfg, err := parseFlags([]string{"--only", only})
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{config: cfg, dir: t.TempDir()}
		if err := b.flatSection(context.Background()); err != nil || len(b.results.Rows) != 0 {
			t.Errorf("--only %q: %d rows, %v", only, len(b.results.Rows), err)
		}
	}
}

// TestFlatLeavesTheSizeAsItIs does every workload of the section and counts.
func TestFlatLeavesTheSizeAsItIs(t *testing.T) {
	own := &engines{unsynced: loadedEngine(t), run: testRun}
	for _, w := range flatWorkloads {
		c, err := jsonDoor{own}.caller(w, 3)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := c.do(true); err != nil {
				t.Fatalf("%s: %v", w.id, err)
			}
		}
	}
	if err := (sizedDoor{jsonDoor{own}}).readAll(context.Background()); err != nil {
		t.Error(err)
	}
	own.run.items++
	if err := (sizedDoor{jsonDoor{own}}).readAll(context.Background()); err == nil {
		t.Error("a missing item was not noticed")
	}
}
