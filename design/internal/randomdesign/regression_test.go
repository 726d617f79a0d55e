package randomdesign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/design"
)

// TestRegressionDesignsPassThePipeline runs designs through all stages that once failed. The
// first line of each says what went wrong.
func TestRegressionDesignsPassThePipeline(t *testing.T) {
	packages := map[string][]design.GeneratedFile{}
	for i, path := range designsIn(t, "passes") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := read(t, path)
			if findings, whole := refusalsOf(text); !whole {
				t.Fatalf("the checker rejects it: %v", findings.Findings.Findings)
			}
			for _, s := range stages {
				if f := walkOnly(s, text); f != nil {
					t.Errorf("%s: %s", f.stage, f.detail)
				}
			}
			pkg := fmt.Sprintf("regression%ddb", i)
			if files, err := generated(design.Parse("random.design.yaml", text), pkg); err == nil {
				packages[pkg] = files
			}
		})
	}
	vet(t, packages)
}

// TestInvalidDesignsAreRejected checks that designs whose results would be wrong have the
// findings that their comments list, one per comment.
func TestInvalidDesignsAreRejected(t *testing.T) {
	for _, path := range designsIn(t, "rejected") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := read(t, path)
			findings, whole := refusalsOf(text)
			if whole {
				t.Error("the checker accepts it")
			}
			for line := range strings.Lines(string(text)) {
				want, announced := strings.CutPrefix(strings.TrimSpace(line), "# ")
				if !announced || findings == nil {
					continue
				}
				found := false
				for _, f := range findings.Findings.Findings {
					found = found || fmt.Sprintf("%s %s", f.Code, f.Message) == want
				}
				if !found {
					t.Errorf("no finding says %q; there are %v", want, findings.Findings.Findings)
				}
			}
		})
	}
}

func designsIn(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no designs in %s: %v", folder, err)
	}
	return paths
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
