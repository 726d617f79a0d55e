package main

import (
	"slices"
	"testing"
)

// TestFloorDoesEveryWorkload has raw Pebble do all workloads for a while, and
// then looks at what they have left.
func TestFloorDoesEveryWorkload(t *testing.T) {
	var rows []row
	all := slices.Concat(workloads, streamWorkloads, flatWorkloads)
	for _, w := range all {
		rows = append(rows, row{work: w})
	}
	floor, err := openPebbleFloor(t.TempDir(), 1<<20, datasetsOf(rows), testRun)
	if err != nil {
		t.Fatal(err)
	}
	defer floor.close()
	const times = 50
	for _, w := range all {
		c, err := floor.caller(w, 3)
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			if err := c.do(true); err != nil {
				t.Fatalf("%s: %v", w.id, err)
			}
		}
	}
	for _, c := range []struct {
		name    string
		dataset *dataset
		kind    byte
		want    int
	}{
		{"items of a put", twoStreamed, rawItems, testRun.items},
		{"entries of the first index", twoStreamed, rawEntries, testRun.items},
		{"entries of the second index", twoStreamed, rawEntries + 1, testRun.items},
		{"stream records", twoStreamed, rawRecords, testRun.items + times},
		{"items of transactions", orders, rawItems, testRun.items + times},
		{"tokens of transactions", orders, rawTokens, times},
		{"items of transactions that replace", flatItems, rawItems, testRun.items},
	} {
		if got, err := countRaw(floor.synced, c.dataset, c.kind); c.dataset != flatItems && (err != nil || got != c.want) {
			t.Errorf("synced: %d %s, want %d; %v", got, c.name, c.want, err)
		}
		if got, err := countRaw(floor.unsynced, c.dataset, c.kind); err != nil || got != c.want {
			t.Errorf("unsynced: %d %s, want %d; %v", got, c.name, c.want, err)
		}
	}
}

func TestRawConsumerReadsTheStreamAgainAndAgain(t *testing.T) {
	run := testRun
	run.items = 2*rawPageRecords + 500
	db, err := openRaw(t.TempDir(), 1<<20, []*dataset{streamItems}, run)
	if err != nil {
		t.Fatal(err)
	}
	floor := &pebbleFloor{synced: db, run: run}
	defer floor.close()
	c, err := floor.caller(streamWorkloads[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	var pages []int
	for range 6 {
		if err := c.do(true); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, c.(bulkCaller).units())
	}
	if want := []int{1000, 1000, 500, 1000, 1000, 500}; !slices.Equal(pages, want) {
		t.Errorf("pages of %v records, want %v", pages, want)
	}
	floor.run.items++
	if c, err = floor.caller(streamWorkloads[0], 1); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err = c.do(true)
	}
	if err == nil {
		t.Error("a missing record was not noticed")
	}
}
