package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLoadReachesEveryEndpoint is a short run. Limits refuse nothing, and nothing fails.
func TestTheLoadReachesEveryEndpoint(t *testing.T) {
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "results.json")
	err := start(t.Context(), []string{"--agents", "2", "--people", "2", "--rounds", "2", "--requests", "600", "--duration", "1m", "--data", t.TempDir(), "--json", file}, &out)
	if err != nil {
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
	total := 0
	for _, e := range got.Endpoints {
		total += e.Requests
		if e.P50 <= 0 || e.P99 < e.P95 || e.P95 < e.P50 || e.FloorP50 <= 0 {
			t.Errorf("%s: %+v", e.Name, e)
		}
		for refusal := range e.Refusals {
			if strings.HasPrefix(refusal, "429") || strings.HasPrefix(refusal, "5") || strings.HasPrefix(refusal, "400") {
				t.Errorf("%s was refused with %s", e.Name, refusal)
			}
		}
		if !strings.Contains(out.String(), e.Name) {
			t.Errorf("the text lacks %s", e.Name)
		}
	}
	if total != 600 || len(got.Endpoints) < 6 || len(got.Rates) != 2 || len(got.FloorRates) != 2 {
		t.Errorf("%d requests to %d endpoints, rates %v and %v\n%s", total, len(got.Endpoints), got.Rates, got.FloorRates, &out)
	}
	patterns := map[string]bool{}
	for _, p := range got.Patterns {
		first, _, _ := strings.Cut(p.Pattern, " + ") // of a transaction
		patterns[first] = patterns[first] || p.UnitsPerCall > 0 && p.Estimated > 0
	}
	for _, want := range []string{"SubmitQuestion", "ListFeedOpen", "ListFeedPartial", "GetQuestion", "CountHit"} {
		if !patterns[want] {
			t.Errorf("%s was not measured", want)
		}
	}
}

func TestOnlyThisMachineIsPutUnderLoad(t *testing.T) {
	for _, url := range []string{"https://ask.example.org", "http://192.0.2.1:8080", "http://localhost.example:80", "nonsense"} {
		if _, err := parseFlags([]string{"--url", url}); err == nil {
			t.Errorf("%s was taken", url)
		}
	}
	if _, err := parseFlags([]string{"--url", "http://127.0.0.1:8080"}); err != nil {
		t.Error(err)
	}
}
