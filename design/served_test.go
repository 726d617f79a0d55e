package design

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/claim"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// TestServedMeansTheSameEverywhere compares claims, explain, the report, the comparison, and the
// calls that are generated and verified: for each design the same patterns are served.
func TestServedMeansTheSameEverywhere(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"testdata/*/*.design.yaml", "../apps/*/*.design.yaml", "internal/check/testdata/C3*/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v (%v)", pattern, found, err)
		}
		paths = append(paths, found...)
	}
	services := map[resolve.Service]int{}
	for _, path := range paths {
		d := open(t, path)
		m, err := d.loaded()
		if err != nil {
			continue // of a rule about reading files
		}
		t.Run(path, func(t *testing.T) {
			m = m.Whole()
			l := resolve.New(m)
			want := servedBy(l, services)
			if got := claimedAsServed(t, l, len(m.Patterns)); got != len(want) {
				t.Errorf("claims count %d of %v", got, want)
			}
			if got := calls(l); !slices.Equal(got, want) {
				t.Errorf("generated and verified are %v, want %v", got, want)
			}
			if got := explained(t, l); !slices.Equal(got, want) {
				t.Errorf("explain serves %v, want %v", got, want)
			}
			var report strings.Builder
			if err := d.Report(&report, ReportOptions{Format: "md"}); err != nil {
				t.Fatal(err)
			}
			if tile := fmt.Sprintf("%d of %d", len(want), len(m.Patterns)); !strings.Contains(report.String(), tile) {
				t.Errorf("the report does not say %s", tile)
			}
		})
	}
	for _, s := range []resolve.Service{resolve.NotServed, resolve.ByKey, resolve.ByScan} {
		if services[s] == 0 {
			t.Errorf("no pattern is %s: the test compares too little", s)
		}
	}
}

// servedBy returns the patterns that are served, and counts how.
func servedBy(l *resolve.Layout, services map[resolve.Service]int) []string {
	var all []string
	for _, plan := range l.Plans() {
		services[plan.Service()]++
		if plan.Service() != resolve.NotServed {
			all = append(all, plan.Pattern.Name)
		}
	}
	return all
}

// claimedAsServed returns the number of served patterns for which a claim holds.
func claimedAsServed(t *testing.T, l *resolve.Layout, most int) int {
	t.Helper()
	for n := range most + 1 {
		says, bad := model.ParseStated(fmt.Sprint(n))
		if bad != nil {
			t.Fatal(bad)
		}
		findings := claim.Check(&model.Claim{Text: "served", Says: says, Is: "served()"}, claim.NewEnv(l, cost.Options{}))
		if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Code == "X951" }) {
			return n
		}
	}
	return -1
}

// calls returns the patterns that have a method and are verified.
func calls(l *resolve.Layout) []string {
	var all []string
	for _, c := range program.New(l).Calls {
		all = append(all, c.Pattern.Name)
	}
	return all
}

// explained returns the patterns that explain calls served.
func explained(t *testing.T, l *resolve.Layout) []string {
	t.Helper()
	var all []string
	for _, plan := range l.Plans() {
		var text bytes.Buffer
		var said struct{ Served bool }
		if err := (Explanation{Plan: plan}).JSON(&text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text.Bytes(), &said); err != nil {
			t.Fatal(err)
		}
		if said.Served {
			all = append(all, plan.Pattern.Name)
		}
	}
	return all
}
