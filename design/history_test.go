package design

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// isOfHistory reports whether a rule is about the files of a history or about live tables, and not about two designs.
func isOfHistory(rule Rule) bool { return rule.Code < "E004" || rule.Code > "E080" }

// TestPagesOfHistory looks at the pages of the rules about histories and live tables. The stories plan and drift
// show the findings.
func TestPagesOfHistory(t *testing.T) {
	for _, rule := range Rules() {
		if rule.Family != "evolution" || !isOfHistory(rule) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(pagesFolder, string(rule.Code)+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if head := fmt.Sprintf("# %s %s\n\nFamily %s, severity %s.\n", rule.Code, rule.Name, rule.Family, rule.Severity); !strings.HasPrefix(string(text), head) {
			t.Errorf("the page must begin with %q", head)
		}
	}
}
