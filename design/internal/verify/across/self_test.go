package across_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/across"
)

// TestDesignsOfTheRepositoryAgainstThemselves runs every design on its own items.
func TestDesignsOfTheRepositoryAgainstThemselves(t *testing.T) {
	root := "../../../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".design.yaml") {
			return err
		}
		t.Run(strings.TrimPrefix(path, root+"/"), func(t *testing.T) {
			sources, err := loader.Read(path)
			if err != nil {
				t.Skip(err)
			}
			var report diag.Report
			d := loader.Load(sources, &report)
			if d == nil || report.Failed() {
				t.Skip("the loader refuses it")
			}
			if strings.HasSuffix(path, "seeds/askahuman.design.yaml") {
				t.Skip("its tables refuse its own items: a Boolean is the key of an index")
			}
			for _, part := range d.Parts() {
				against(t, part, part)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func against(t *testing.T, before, after *model.Design) {
	t.Helper()
	for _, e := range run(t, resolve.New(before), resolve.New(after), across.Options{Seed: 1, Reads: 4, Writes: 3, Everything: true}) {
		t.Errorf("%s: %s: %s", before.Name, e.Kind, e)
	}
}
