package design

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
)

const pagesFolder = "../docs/reference/findings"

// Every code has a page with a design that has the finding and a repaired one.
func TestPagesOfFindings(t *testing.T) {
	for _, rule := range Rules() {
		if rule.Family == diag.Evolution {
			continue // see TestPagesOfChanges
		}
		t.Run(string(rule.Code), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(pagesFolder, string(rule.Code)+".md"))
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			if head := fmt.Sprintf("# %s %s\n", rule.Code, rule.Name); !strings.HasPrefix(page, head) {
				t.Errorf("the page must begin with %q", head)
			}
			if line := fmt.Sprintf("Family %s, severity %s.", rule.Family, rule.Severity); !strings.Contains(page, line) {
				t.Errorf("the page must say %q, its family and severity", line)
			}
			if !slices.Contains(codesOf(t, example(t, page, "## Fires")), rule.Code) {
				t.Error("the first example does not give the finding")
			}
			if slices.Contains(codesOf(t, example(t, page, "## Repaired")), rule.Code) {
				t.Error("the repaired example still gives the finding")
			}
		})
	}
}

// example returns the YAML block under a heading.
func example(t *testing.T, page, heading string) []byte {
	t.Helper()
	_, rest, ok := strings.Cut(page, heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	_, rest, ok = strings.Cut(rest, "```yaml\n")
	block, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatalf("no YAML block under %q", heading)
	}
	return []byte(block)
}

func codesOf(t *testing.T, text []byte) []diag.Code {
	t.Helper()
	findings, err := Check([]*Design{Parse(filepath.Join(pagesFolder, "example.design.yaml"), text)}, CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var codes []diag.Code
	for _, finding := range findings.Findings.Findings {
		codes = append(codes, finding.Code)
	}
	return codes
}

// There are no pages of codes that do not exist.
func TestNoPageWithoutRule(t *testing.T) {
	paths, err := filepath.Glob(pagesFolder + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		if name == "README" {
			continue
		}
		if !slices.ContainsFunc(Rules(), func(r Rule) bool { return string(r.Code) == name }) {
			t.Errorf("%s: no rule has this code", path)
		}
	}
}

// The index of pages is generated from the rules.
func TestIndexOfFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Findings\n\nAll findings of `sortkey check`, and the changes of `sortkey diff` and findings of `sortkey drift` (evolution). A code never changes its meaning. " +
		"Errors and warnings can be [accepted or given another severity](../../guide/design.md#check).\n")
	family := diag.Family("")
	for _, rule := range Rules() {
		if rule.Family != family {
			family = rule.Family
			fmt.Fprintf(&b, "\n## %s\n\n| code | name | severity | looks for |\n|---|---|---|---|\n", strings.ToUpper(string(family[:1]))+string(family[1:]))
		}
		fmt.Fprintf(&b, "| [%[1]s](%[1]s.md) | %s | %s | %s |\n", rule.Code, rule.Name, rule.Severity, rule.Title)
	}
	golden(t, pagesFolder+"/README.md", []byte(b.String()))
}
