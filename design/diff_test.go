package design

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/engine"
)

// differ compares two texts of a design.
func differ(t *testing.T, before, after []byte, o DiffOptions) *Changes {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o.Memory = db.API()
	changes, err := Diff(t.Context(),
		Version{Name: "old.design.yaml", Design: Parse("old.design.yaml", before)},
		Version{Name: "new.design.yaml", Design: Parse("new.design.yaml", after)}, o)
	if err != nil {
		t.Fatalf("%v", failure(err))
	}
	return changes
}

// failure returns an error with the findings of a broken design.
func failure(err error) string {
	broken, ok := err.(*BrokenError)
	if !ok {
		return err.Error()
	}
	var text bytes.Buffer
	broken.Findings.Text(&text, Style{})
	return text.String()
}

// changeCodes returns the codes of changes, each once.
func changeCodes(c *Changes) []string {
	var codes []string
	for _, one := range c.Changes.Changes {
		if !slices.Contains(codes, string(one.Code)) {
			codes = append(codes, string(one.Code))
		}
	}
	slices.Sort(codes)
	return codes
}

// Every code of a change has a page with two versions that have it, and a version that avoids it. What
// sortkey diff says about the versions is in testdata/changes.
func TestPagesOfChanges(t *testing.T) {
	for _, rule := range Rules() {
		if rule.Family != diag.Evolution || isOfHistory(rule) {
			continue
		}
		t.Run(string(rule.Code), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(pagesFolder, string(rule.Code)+".md"))
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			head := fmt.Sprintf("# %s %s\n\nFamily %s, severity %s", rule.Code, rule.Name, rule.Family, rule.Severity)
			if rule.Class != "" {
				head += ", class " + string(rule.Class)
			}
			if rule.Dangerous {
				head += ", dangerous"
			}
			if !strings.HasPrefix(page, head+".\n") {
				t.Errorf("the page must begin with %q", head)
			}
			before, after, instead := example(t, page, "## Before"), example(t, page, "## After"), example(t, page, "## Instead")
			var o DiffOptions
			if rule.Code == "E074" {
				o.MostCost = "10%"
			}
			changes := differ(t, before, after, o)
			if !slices.Contains(changeCodes(changes), string(rule.Code)) {
				t.Errorf("the version under After does not have the change but %s", changeCodes(changes))
			}
			if slices.Contains(changeCodes(differ(t, before, instead, o)), string(rule.Code)) {
				t.Error("the version under Instead has the change, too")
			}
			var b bytes.Buffer
			if err := changes.Text(&b, Style{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/changes/"+string(rule.Code)+".txt", b.Bytes())
		})
	}
}
