package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// pagesFolder holds the pages of the findings. Paths in their designs are relative to it.
const pagesFolder = "../../../docs/reference/findings"

// TestPages checks the pages of the findings: each names its rule, its first design has the
// finding and its second does not.
func TestPages(t *testing.T) {
	codes := slices.Concat(shapeCodes(), loadCodes())
	for _, rule := range diag.Rules() {
		if rule.Family == diag.Files && !slices.Contains(codes, rule.Code) {
			codes = append(codes, rule.Code)
		}
	}
	for _, code := range codes {
		t.Run(string(code), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(pagesFolder, string(code)+".md"))
			if err != nil {
				t.Fatal(err)
			}
			rule, page := code.Rule(), string(text)
			head := fmt.Sprintf("# %s %s\n\nFamily %s, severity %s.\n", rule.Code, rule.Name, rule.Family, rule.Severity)
			if !strings.HasPrefix(page, head) {
				t.Errorf("the page must begin with:\n%s", head)
			}
			for _, heading := range []string{"What it means", "Why it hurts", "What to do"} {
				if !strings.Contains(page, "\n## "+heading+"\n") {
					t.Errorf("the page has no part %q", heading)
				}
			}
			if !finds(code, example(t, page, "Fires")) {
				t.Errorf("the design under Fires does not give %s", code)
			}
			repaired := example(t, page, "Repaired")
			if finds(code, repaired) {
				t.Errorf("the design under Repaired still gives %s", code)
			}
			for _, f := range findingsOf(t, repaired) {
				if f.Severity == diag.Error {
					t.Errorf("the design under Repaired has another error: %s %s", f.Code, f.Message)
				}
			}
		})
	}
}

// example returns the block of YAML under a heading.
func example(t *testing.T, page, heading string) string {
	t.Helper()
	_, after, ok := strings.Cut(page, "\n## "+heading+"\n\n```yaml\n")
	text, _, closed := strings.Cut(after, "```")
	if !ok || !closed {
		t.Fatalf("the page has no YAML under %s", heading)
	}
	return text
}

// finds reports whether loading and checking a design reports a code.
func finds(code diag.Code, text string) bool {
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: filepath.Join(pagesFolder, "test.design.yaml"), Text: []byte(text)}}, &report)
	if design != nil && !report.Failed() {
		check.Run(design, check.Options{}, &report)
	}
	return slices.ContainsFunc(report.Findings(), func(f diag.Finding) bool { return f.Code == code })
}
