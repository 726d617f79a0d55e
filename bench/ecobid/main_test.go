package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestSearches measures a small city, and compares the report with what must be in it.
func TestSearches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	var out bytes.Buffer
	if err := start(t.Context(), []string{"--items", "400", "--searches", "5", "--data", t.TempDir(), "--json", file}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil || len(r.Kinds) != 12 {
		t.Fatalf("%d kinds, %v:\n%s", len(r.Kinds), err, &out)
	}
	for _, k := range r.Kinds {
		if k.Queries < 1 || k.Units < 0.5 || k.P99 < k.P50 || k.Patterns == "" {
			t.Errorf("%+v", k)
		}
		if k.Category == "" && k.Radius == 25 && k.Found < 10 {
			t.Errorf("within 25 km %.1f items were found", k.Found)
		}
	}
	if r.Scan.Items == 0 || r.Scan.Items == 400 || r.Scan.Units < r.Kinds[0].Units {
		t.Errorf("the scan is %+v", r.Scan)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"--items", "0"}, {"--searches", "0"}, {"--at-once", "0"}} {
		if _, err := parseFlags(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
	if cfg, err := parseFlags(nil); err != nil || cfg.items != 100_000 {
		t.Errorf("%+v, %v", cfg, err)
	}
}
