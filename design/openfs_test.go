package design_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"sortkey.dev/apps"
	"sortkey.dev/design"
)

// A design in a file system finds the designs it uses there, and nowhere else.
func TestOpenFS(t *testing.T) {
	const path = "ecobid/ecobid.design.yaml"
	d, err := design.OpenFS(apps.Designs, path)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
	if err != nil || findings.Summary().Errors > 0 {
		t.Errorf("%v: %+v", err, findings.Summary())
	}
	text, err := fs.ReadFile(apps.Designs, path)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := design.OpenFS(fstest.MapFS{path: {Data: text}}, path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = alone.Cost(design.Workload{})
	if broken, ok := errors.AsType[*design.BrokenError](err); !ok || !strings.Contains(findingsText(t, broken.Findings), "cannot read internal/platform/platform.design.yaml") {
		t.Errorf("without the platform's design: %v", err)
	}
	if _, err := design.OpenFS(apps.Designs, "other.design.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func findingsText(t *testing.T, f *design.Findings) string {
	t.Helper()
	var b strings.Builder
	if err := f.Text(&b, design.Style{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
