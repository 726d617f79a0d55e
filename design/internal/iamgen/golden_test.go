package iamgen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// anywhere formats ARNs that match every region and account.
var anywhere = ARN{Partition: "aws", Region: "*", Account: "*"}

// TestPoliciesOfApps compares the policies of the four systems with golden files: a change is
// a change of permissions. UPDATE=1 rewrites them.
func TestPoliciesOfApps(t *testing.T) {
	for _, path := range apps(t) {
		name := strings.TrimSuffix(filepath.Base(path), loader.Suffix)
		t.Run(name, func(t *testing.T) {
			golden(t, filepath.Join("testdata", name+".policies.txt"), policiesText(t, Of(load(t, path), anywhere.Longest())))
		})
	}
}

func policiesText(t *testing.T, policies []Policy) string {
	t.Helper()
	var b strings.Builder
	for _, p := range policies {
		for i, document := range p.Documents {
			text, err := document.JSON(anywhere.Of)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %d of %d\n%s", p.Role, i+1, len(p.Documents), text)
		}
		for _, note := range p.Notes {
			fmt.Fprintf(&b, "%s: note: %s\n", p.Role, note)
		}
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (UPDATE=1 writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; read the change and run with UPDATE=1 if it is right (-want +got):\n%s", path, diff)
	}
}

func apps(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../../apps/*/*" + loader.Suffix)
	if err != nil || len(found) != 4 {
		t.Fatalf("want four designs, got %v (%v)", found, err)
	}
	return found
}

func load(t *testing.T, path string) *resolve.Layout {
	t.Helper()
	sources, err := loader.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return layout(t, sources)
}

func layout(t *testing.T, sources []loader.Source) *resolve.Layout {
	t.Helper()
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("the design is broken: %+v", report.Findings())
	}
	return resolve.New(d)
}
