package design

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strangers returns the paths of the published designs of others.
func strangers(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/strangers/*.design.yaml")
	if err != nil || len(paths) != 10 {
		t.Fatalf("want ten designs, got %v (%v)", paths, err)
	}
	return paths
}

func name(path string) string { return strings.TrimSuffix(filepath.Base(path), ".design.yaml") }

// TestStrangers compares the findings of ten published designs of others with golden files.
func TestStrangers(t *testing.T) {
	for _, path := range strangers(t) {
		t.Run(name(path), func(t *testing.T) {
			findings, err := Check([]*Design{open(t, path)}, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := findings.Text(&text, Style{}); err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".design.yaml")+".findings.txt", text.Bytes())
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := Format(path, source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(source), string(formatted)); diff != "" {
				t.Errorf("not formatted (-file +fmt):\n%s", diff)
			}
		})
	}
}
