package design

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden compares text with a file; UPDATE=1 rewrites the file instead.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (UPDATE=1 writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; read the change and run with UPDATE=1 if it is right (-want +got):\n%s", path, diff)
	}
}

// open reads a design by a path as users of the repository's root write it.
func open(t *testing.T, path string) *Design {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(strings.TrimPrefix(filepath.ToSlash(path), "testdata/"), text)
}

func designs(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) != 4 {
		t.Fatalf("%s: want four designs, got %v (%v)", pattern, paths, err)
	}
	return paths
}

// TestSeeds compares the findings of four public design documents with golden files: a change
// is a change of what users read.
func TestSeeds(t *testing.T) {
	for _, path := range designs(t, "testdata/seeds/*.design.yaml") {
		base := strings.TrimSuffix(path, ".design.yaml")
		t.Run(filepath.Base(base), func(t *testing.T) {
			d := open(t, path)
			findings, err := Check([]*Design{d}, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := findings.Text(&text, Style{}); err != nil {
				t.Fatal(err)
			}
			golden(t, base+".findings.txt", text.Bytes())
			priced, err := d.Cost(Workload{})
			if err != nil {
				t.Fatal(err)
			}
			text.Reset()
			if err := priced.Text(&text, Style{Width: 120}); err != nil {
				t.Fatal(err)
			}
			golden(t, base+".cost.txt", text.Bytes())
		})
	}
}

// The designs of the systems and of their platform have no errors, and every warning is fixed or accepted with a
// reason.
func TestDesignsOfTheSystems(t *testing.T) {
	for _, path := range append(designs(t, "../apps/*/*.design.yaml"), "../apps/internal/platform/platform.design.yaml") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			d := open(t, path)
			findings, err := Check([]*Design{d}, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if failed, _ := findings.Failed("warning"); failed {
				var text bytes.Buffer
				if err := findings.Text(&text, Style{}); err != nil {
					t.Fatal(err)
				}
				t.Errorf("%s", text.Bytes())
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := Format(path, text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), string(formatted)); diff != "" {
				t.Errorf("not laid out as sortkey fmt does (-file +fmt):\n%s", diff)
			}
		})
	}
}

// Every alternative of a system's design serves most of the patterns, and the comparison
// names the others.
func TestAlternativesOfTheSystems(t *testing.T) {
	for _, path := range designs(t, "../apps/*/*.design.yaml") {
		comparison, err := open(t, path).Compare(Workload{})
		if err != nil {
			t.Fatal(err)
		}
		layouts := comparison.Comparison.Layouts
		if len(layouts) < 2 {
			t.Errorf("%s: no alternative to compare with", path)
		}
		if layouts[0].Unserved != 0 {
			t.Errorf("%s: %d patterns are not served", path, layouts[0].Unserved)
		}
		for _, l := range layouts[1:] {
			if l.Unserved*10 > l.Served {
				t.Errorf("%s: alternative %s leaves %d of %d patterns unserved", path, l.Name, l.Unserved, l.Served+l.Unserved)
			}
		}
	}
}
