package randomdesign

import (
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/across"
	"sortkey.dev/engine"
	"sortkey.dev/internal/effort"
)

// TestDesignsAgainstThemselves runs the code of random designs on their own items.
func TestDesignsAgainstThemselves(t *testing.T) {
	for seed := range uint64(effort.Rounds(12)) {
		root := admitted(tree(seed))
		if root == nil {
			continue
		}
		before, after := loaded(root), loaded(root)
		for _, e := range evidence(t, before, after, seed) {
			t.Errorf("seed %d: %s: %s", seed, e.Kind, e)
		}
	}
}

// loaded returns a design, or nil if the loader refuses it.
func loaded(root *node) *model.Design {
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "random.design.yaml", Text: root.text()}}, &report)
	if report.Failed() {
		return nil
	}
	return d
}

// evidence returns what goes wrong between two designs.
func evidence(t *testing.T, before, after *model.Design, seed uint64) []*across.Evidence {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	same := across.NewPairs()
	for _, e := range before.Entities {
		if other := after.Entity(e.Name); other != nil {
			same.Entities(e, other)
			for _, a := range e.Attributes {
				if its := other.Attribute(a.Name); its != nil {
					same.Attributes(a, its)
				}
			}
		}
	}
	found, err := across.Run(t.Context(), resolve.New(before), resolve.New(after), same, db.API(), across.Options{Seed: seed, Everything: true})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return found
}
