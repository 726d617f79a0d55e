package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// update says to rewrite the golden designs instead of comparing.
var update = os.Getenv("UPDATE") != ""

// shapeFamilies lists the families of rules about keys, order, coverage and limits, which
// testdata covers with one folder per code.
var shapeFamilies = []diag.Family{diag.Keys, diag.Order, diag.Coverage, diag.Limits}

func shapeCodes() []diag.Code {
	codes := []diag.Code{"F012", "F014", "F015", "F016", "F017", "F018", "F019", "F020", "F022"}
	for _, rule := range diag.Rules() {
		if slices.Contains(shapeFamilies, rule.Family) {
			codes = append(codes, rule.Code)
		}
	}
	return codes
}

// TestGolden checks the designs in testdata/<code>. The expected findings are at the end of
// each design, in comments that begin with "# want". A design whose name begins with silent
// must not have the code of its folder.
func TestGolden(t *testing.T) {
	for _, code := range shapeCodes() {
		t.Run(string(code), func(t *testing.T) {
			cases := map[string]int{}
			paths, err := filepath.Glob(filepath.Join("testdata", string(code), "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".yaml"), "_")
				cases[kind]++
				t.Run(filepath.Base(path), func(t *testing.T) { golden(t, code, kind, path) })
			}
			for _, kind := range []string{"fires", "silent"} {
				if cases[kind] == 0 {
					t.Errorf("testdata/%s has no design named %s*.yaml", code, kind)
				}
			}
		})
	}
}

func golden(t *testing.T, code diag.Code, kind, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findingsOf(t, string(text)) {
		if f.Code == code {
			got = append(got, describe(f)...)
		}
	}
	design, want := splitWanted(string(text))
	if update {
		lines := append([]string{strings.TrimRight(design, "\n")}, got...)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if fired := len(got) > 0; fired != (kind == "fires") {
		t.Errorf("a design named %s: %s is found %v", kind, code, fired)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings of %s differ (-want +got):\n%s", code, diff)
	}
}

// findingsOf loads and checks a design; a design that does not load fails the test.
func findingsOf(t *testing.T, text string) []diag.Finding {
	t.Helper()
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: filepath.Join(pagesFolder, "test.design.yaml"), Text: []byte(text)}}, &report)
	for _, f := range report.Findings() {
		if f.Severity == diag.Error {
			t.Errorf("%s: %s %s", f.Place, f.Code, f.Message)
		}
	}
	if design == nil || report.Failed() {
		t.Fatal("the design does not load")
	}
	check.Run(design, check.Options{}, &report)
	return report.Findings()
}

// describe formats a finding as in testdata.
func describe(f diag.Finding) []string {
	accepted := ""
	if f.Accepted != "" {
		accepted = " (accepted: " + f.Accepted + ")"
	}
	lines := []string{fmt.Sprintf("# want %d:%d-%d %s: %s%s", f.Place.Line, f.Place.Column, f.Place.EndColumn, f.Subject, f.Message, accepted)}
	if f.Fix != "" {
		lines = append(lines, "# want   fix "+f.Fix)
	}
	for _, r := range f.Related {
		lines = append(lines, fmt.Sprintf("# want   see %d:%d %s", r.Place.Line, r.Place.Column, r.Message))
	}
	return lines
}

func splitWanted(text string) (design string, want []string) {
	design, rest, found := strings.Cut(text, "# want")
	if !found {
		return text, nil
	}
	return design, strings.Split(strings.TrimSpace("# want"+rest), "\n")
}
