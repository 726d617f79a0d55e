package check_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
)

// loadFamilies lists the families of rules about a design under its workload.
var loadFamilies = []diag.Family{diag.Indexes, diag.Heat, diag.Time, diag.Writes, diag.Cost, diag.Claims}

func loadCodes() []diag.Code {
	var codes []diag.Code
	for _, rule := range diag.Rules() {
		if slices.Contains(loadFamilies, rule.Family) {
			codes = append(codes, rule.Code)
		}
	}
	return codes
}

// TestLoadGolden checks the designs of loadFamilies as TestGolden checks those of
// shapeFamilies.
func TestLoadGolden(t *testing.T) {
	for _, code := range loadCodes() {
		t.Run(string(code), func(t *testing.T) {
			paths, err := filepath.Glob(filepath.Join("testdata", string(code), "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			cases := map[string]int{}
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
