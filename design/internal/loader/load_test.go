package loader

import (
	"path/filepath"
	"testing"

	"sortkey.dev/design/internal/diag"
)

func TestExamplesLoadWithoutFindings(t *testing.T) {
	paths, err := filepath.Glob("testdata/examples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range paths {
		sources, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var report diag.Report
		d := Load(sources, &report)
		for _, f := range report.Findings() {
			t.Errorf("%s: %s %s", f.Place, f.Code, f.Message)
		}
		if d == nil || len(d.Entities) == 0 || len(d.Patterns) == 0 {
			t.Errorf("%s: nothing was read", path)
		}
	}
}
