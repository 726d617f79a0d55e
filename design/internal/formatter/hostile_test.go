package formatter

import (
	"bytes"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/yaml"
)

func TestInvalidYAMLIsReported(t *testing.T) {
	for _, test := range []struct {
		name, text   string
		line, column int
		message      string
	}{
		{"an open bracket", "a: 1\nb: [1, 2\n", 2, 4, "[ is never closed"},
		{"an open quote", "a: \"x\n", 1, 4, "never ends"},
		{"two colons", "a: b: c\n", 1, 4, "a second colon"},
		{"a tab as indentation", "a:\n\tb: 1\n", 2, 1, "a tab"},
		{"no text", "a: \x00\n", 1, 4, "U+0000"},
		{"not UTF-8", "a: \xff\n", 1, 4, "not UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			finding := refuse(t, []byte(test.text))
			if finding.Code != "F001" || !strings.Contains(finding.Message, test.message) {
				t.Errorf("%s: %s", finding.Code, finding.Message)
			}
			if finding.Place.File != "x.yaml" || finding.Place.Line != test.line || finding.Place.Column != test.column {
				t.Errorf("at %s, want %d:%d: %s", finding.Place, test.line, test.column, finding.Message)
			}
		})
	}
}

// refuse formats invalid text and returns the finding.
func refuse(t *testing.T, text []byte) diag.Finding {
	t.Helper()
	var report diag.Report
	out, ok := Format("x.yaml", text, &report)
	if ok || len(report.Findings()) != 1 || !bytes.Equal(out, text) {
		t.Fatalf("ok %v, %d findings, text changed %v", ok, len(report.Findings()), !bytes.Equal(out, text))
	}
	return report.Findings()[0]
}

func TestBoundsOfSizeAndDepth(t *testing.T) {
	nested := func(levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return strings.TrimSuffix(b.String(), "\n") + " 1\n"
	}
	for _, test := range []struct{ name, within, beyond string }{
		{"bytes", "# " + strings.Repeat("x", yaml.MaxBytes-2), "# " + strings.Repeat("x", yaml.MaxBytes-1)},
		{"blocks", nested(100), nested(101)},
		{"brackets", "a: " + strings.Repeat("[", 99) + strings.Repeat("]", 99), "a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100)},
		{"dashes", strings.Repeat("- ", 100) + "a", strings.Repeat("- ", 101) + "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var report diag.Report
			if _, ok := Format("x.yaml", []byte(test.within), &report); !ok {
				t.Errorf("refused within the bound: %v", report.Findings())
			}
			if finding := refuse(t, []byte(test.beyond)); finding.Code != "F010" {
				t.Errorf("%s: %s", finding.Code, finding.Message)
			}
		})
	}
}
