package randomdesign

import (
	"fmt"
	"slices"
	"testing"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/gogen"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
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
		for _, e := range explained(t, change.Between(before, after, change.Options{}), before, after, seed) {
			t.Errorf("seed %d: %s: %s", seed, e.Kind, e)
		}
	}
}

// loaded returns a design, or nil if the loader refuses it.
func loaded(root *node) *model.Design {
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "random.design.yaml", Text: root.text()}}, &report)
	if d == nil || report.Failed() {
		return nil
	}
	return d
}

// explained explains changes and returns the evidence of none of them.
func explained(t *testing.T, c *change.Changes, before, after *model.Design, seed uint64) []*across.Evidence {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rest, err := across.Explain(t.Context(), c, before, after, db.API(), across.Options{Seed: seed, Cursors: gogen.Cursors, Everything: true})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return rest
}

// TestClassesOfChanges compares the classes of random changes with what running both versions shows.
func TestClassesOfChanges(t *testing.T) {
	for seed := range uint64(effort.Rounds(16)) {
		root := admitted(tree(seed))
		if root == nil {
			continue
		}
		a := alterations[int(seed)%len(alterations)]
		next := altering(root, a, seed)
		if next == nil {
			continue
		}
		if refused, whole := refusals(next); len(refused) > 0 || !whole {
			continue
		}
		before, after := loaded(root), loaded(next)
		for _, problem := range disagreements(t, before, after, seed) {
			t.Errorf("seed %d, %s: %s", seed, a.name, problem)
		}
	}
}

// silent says why running cannot show changes that are not compatible.
var silent = map[diag.Code]string{
	"E032": "where the old decoder takes every text or number that the new one stores, its code misreads without an error",
	"E065": "each version refuses what its own lifecycle lacks",
	"E066": "each version keeps its own conditions",
	"E072": "calls in memory need no permissions",
}

// disagreements returns where classes of changes differ from what running shows.
func disagreements(t *testing.T, before, after *model.Design, seed uint64) []string {
	c := change.Between(before, after, change.Options{Cursors: gogen.Cursors})
	rest := explained(t, c, before, after, seed)
	var all []string
	for _, e := range rest {
		all = append(all, fmt.Sprintf("no change explains %s: %s", e.Kind, e))
	}
	for _, one := range c.All {
		harmless := one.Class == diag.Compatible || one.Class == ""
		switch {
		case harmless && one.Evidence != "" && !slices.Contains([]diag.Code{"E031"}, one.Code):
			all = append(all, fmt.Sprintf("%s is %s, and running shows: %s", one.Code, one.Class, one.Evidence))
		case !harmless && one.Evidence == "" && silent[one.Code] == "":
			all = append(all, fmt.Sprintf("%s is %s, and running shows nothing: %s", one.Code, one.Class, one.Message))
		}
	}
	return all
}
