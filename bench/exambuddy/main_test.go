package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoad plays a short load, and compares the report with what was played.
func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	var out bytes.Buffer
	if err := start(t.Context(), []string{"--candidates", "3", "--questions", "2", "--duration", "1s", "--rounds", "2", "--data", t.TempDir(), "--json", file}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"POST /v1/student/sessions/{id}/answers", "GET /v1/results/attempts/{id}", "ReviseAnswer", "SubmitExam"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil || r.Candidates != 3 || len(r.Rates) != 2 || r.Rates[0] <= 0 || len(r.FloorRates) != 2 || r.FloorRates[0] <= 0 || len(r.Patterns) == 0 {
		t.Errorf("the results are %+v: %v", r, err)
	}
	for _, e := range r.Endpoints {
		if e.P50 <= 0 || e.FloorP50 <= 0 {
			t.Errorf("%+v is not measured", e)
		}
		if e.Refusals > 0 || strings.Contains(e.Name, "/v1/auth/") {
			t.Errorf("%+v", e)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"--candidates", "0"}, {"--questions", "0"}, {"--questions", "51"}, {"--duration", "0s"}, {"--rounds", "0"}, {"--url", "https://exams.example.org"}} {
		if _, err := parseFlags(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
