package resolve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// update says to write what the code does now into testdata instead of comparing.
var update = os.Getenv("UPDATE") != ""

// TestPlansOfSeeds keeps the plans of the designs people wrote by hand, bugs included.
func TestPlansOfSeeds(t *testing.T) {
	for _, name := range designs(t, "../../testdata/seeds/*"+loader.Suffix) {
		golden := filepath.Join("testdata", strings.TrimSuffix(filepath.Base(name), loader.Suffix)+".plans.txt")
		t.Run(filepath.Base(name), func(t *testing.T) {
			got := allPlans(loadFile(t, name))
			if update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("plans differ from %s; run with UPDATE=1 and read the difference (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// TestPlansOfAppsHaveAPath shows that the designs of the apps have a key for every read,
// and a key for every write.
func TestPlansOfAppsHaveAPath(t *testing.T) {
	for _, name := range designs(t, "../../../apps/*/*"+loader.Suffix) {
		l := loadFile(t, name)
		for _, p := range l.Plans() {
			if p.Read == nil && len(p.Writes) == 0 {
				t.Errorf("%s: %s has no path: %+v", name, p.Pattern.Name, p.Problems)
			}
		}
		for _, c := range l.Collisions() {
			t.Errorf("%s: %s and %s can have the same key", name, c.A.Entity.Name, c.B.Entity.Name)
		}
	}
}

func designs(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("no designs at %s: %v", pattern, err)
	}
	return found
}

func loadFile(t *testing.T, name string) *Layout {
	t.Helper()
	sources, err := loader.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil {
		t.Fatalf("%s: %+v", name, report.Findings())
	}
	return New(d)
}

func allPlans(l *Layout) string {
	var b strings.Builder
	for _, p := range l.Plans() {
		fmt.Fprintf(&b, "%s\n", p.Pattern.Name)
		for _, line := range strings.Split(strings.TrimSpace(describeWrites(p)), "\n") {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		for _, r := range p.Refused {
			fmt.Fprintf(&b, "  - %s: %s %s\n", r.Path, r.Code, r.Reason)
		}
	}
	return b.String()
}
