package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplay replays a few weeks with few messages, and compares the report with what was played.
func TestReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	var out bytes.Buffer
	if err := start(t.Context(), []string{"--messages", "300", "--days", "40", "--data", t.TempDir(), "--json", file}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"LogActivity", "SaveMessage", "2026-02", "heap: flat"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil || r.Messages != 300 || len(r.Months) != 2 || len(r.Patterns) == 0 {
		t.Errorf("the results are %+v: %v", r, err)
	}
	for _, p := range r.Patterns {
		if p.Errors > 0 {
			t.Errorf("%s failed %d times", p.Pattern, p.Errors)
		}
	}
}

func TestFlat(t *testing.T) {
	r := results{Months: []month{{Heap: 1 << 20}, {Heap: 1<<20 + flat}}}
	if !r.Flat() {
		t.Error("a heap at the bound is not flat")
	}
	r.Months[1].Heap++
	if r.Flat() {
		t.Error("a heap above the bound is flat")
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"--messages", "0"}, {"--days", "0"}} {
		if _, err := parseFlags(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
