package verify_test

import (
	"context"
	"path/filepath"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/file"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// TestSystemsAreWhatTheyPromise runs every pattern of the four systems: no answer, no
// change and no price may differ from what was proved.
func TestSystemsAreWhatTheyPromise(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := run(t, layoutOf(t, filepath.Join("../../../apps", name, name+".design.yaml")), verify.Options{Seed: 1})
			for _, p := range report.Patterns {
				for _, d := range p.Differences {
					t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
				}
				if p.Found == 0 {
					t.Errorf("%s: none of %d calls found or did anything", p.Name, p.Calls)
				}
			}
			for _, d := range report.Leftover {
				t.Errorf("afterwards: %s: %s", d.Kind, d.Detail)
			}
		})
	}
}

func run(t *testing.T, l *resolve.Layout, o verify.Options) *verify.Report {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	report, err := verify.Run(context.Background(), l, db.API(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func layoutOf(t *testing.T, path string) *resolve.Layout {
	t.Helper()
	sources, err := file.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return layoutFrom(t, sources)
}

func layoutFrom(t *testing.T, sources []file.Source) *resolve.Layout {
	t.Helper()
	var report diag.Report
	d := file.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("the design cannot be read: %v", report.Findings())
	}
	return resolve.New(d)
}
