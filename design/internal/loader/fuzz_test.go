package loader

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// FuzzLoad checks for every text that Load does not panic, is deterministic, reports places
// inside the file, and returns a model without dangling references.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/examples/*.yaml", "testdata/cases/*/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sources := []Source{{Name: "fuzz", Text: text}}
		var report, again diag.Report
		d := Load(sources, &report)
		Load(sources, &again)
		if diff := cmp.Diff(report.Findings(), again.Findings()); diff != "" {
			t.Fatalf("two loads differ:\n%s", diff)
		}
		for _, finding := range report.Findings() {
			inside(t, text, finding.Place)
			for _, r := range finding.Related {
				inside(t, text, r.Place)
			}
		}
		if d == nil && len(report.Findings()) == 0 {
			t.Fatal("nothing was read and nothing reported")
		}
		if d != nil {
			isWhole(t, d)
		}
	})
}

func inside(t *testing.T, text []byte, p diag.Place) {
	t.Helper()
	lines := linesOf(text)
	if p.File != "fuzz" || p.Line < 1 || p.Line > len(lines) {
		t.Fatalf("a place outside the file of %d lines: %+v", len(lines), p)
	}
	length := len(lines[p.Line-1])
	if p.Column < 1 || p.Column > length+1 || p.EndColumn <= p.Column || p.EndColumn > max(length, 1)+2 {
		t.Fatalf("a place outside its line of %d characters: %+v", length, p)
	}
}

// isWhole checks that a model has no dangling references.
func isWhole(t *testing.T, d *model.Design) {
	t.Helper()
	has := func(what string, e *model.Entity, attributes ...*model.Attribute) {
		if e == nil || !slices.Contains(d.Entities, e) {
			t.Fatalf("%s names an entity the design does not have", what)
		}
		for _, a := range attributes {
			if a == nil || !slices.Contains(e.Attributes, a) {
				t.Fatalf("%s names an attribute %s does not have", what, e.Name)
			}
		}
	}
	for _, e := range d.Entities {
		has(e.Name, e, e.ID...)
		if len(e.ID) == 0 {
			t.Fatalf("%s has no id", e.Name)
		}
		for _, c := range e.Counters {
			has("a counter", e, c.Attribute)
			has("a counter", c.Of)
		}
	}
	for _, table := range d.Tables {
		if table.PK.Name == "" {
			t.Fatalf("table %s has no key", table.Name)
		}
		for _, item := range table.Items {
			has("an item", item.Entity)
			for _, c := range item.Computed {
				for _, part := range c.Template.Parts {
					if part.IsHole() {
						has("a template", item.Entity, part.Attribute)
					}
				}
			}
		}
	}
	for _, p := range d.Patterns {
		for _, e := range p.Entities() {
			has(p.Name, e)
		}
		if len(p.Entities()) == 0 {
			t.Fatalf("pattern %s has no entity", p.Name)
		}
		for _, a := range p.Actions() {
			for _, c := range a.Where {
				has(p.Name, a.Entity, c.Attribute)
			}
			for _, s := range a.Set {
				has(p.Name, a.Entity, s.Attribute)
			}
		}
	}
}
