package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/yaml"
	"sortkey.dev/internal/effort"
)

// hostile returns texts of size bytes that make a naive parser slow or deeply recursive.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	texts := map[string]string{
		"an open quote":        `a: "` + strings.Repeat("x\n ", size/4),
		"escapes":              `a: "` + fill(`\n`) + `"`,
		"escaped line ends":    `a: "` + strings.Repeat("\\\n ", size/4) + `"`,
		"text block":           "a: |\n" + fill("  x\n\n"),
		"folded text block":    "a: >\n" + fill("  x\n   y\n\n"),
		"blank text block":     "a: |\n" + fill("\n"),
		"spaces in block":      "a: |\n" + fill("   \n"),
		"keys in brackets":     "{" + fill("a: b, ") + "}",
		"keys without values":  "{" + fill("é, ") + "}",
		"list in brackets":     "[" + fill("a,") + "]",
		"pairs in brackets":    "[" + fill("é: b,") + "]",
		"lines in brackets":    "[" + fill("a,\n ") + "]",
		"comments in brackets": "[" + fill("# é\n"),
		"plain lines":          "a: " + fill("é\n\n "),
		"plain lines in list":  "[" + fill("é\n ") + "]",
		"one long word":        "a: " + fill("é"),
		"unquoted templates":   "{" + fill("a: b{c}d,"),
		"deep lines": func() string {
			var b strings.Builder
			for i := 0; b.Len() < size-3000; i++ {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(),
		"keys": func() string {
			var b strings.Builder
			for i := 0; b.Len() < size-20; i++ {
				fmt.Fprintf(&b, "é%d: { a: [b], c: \"d\" } # e\n", i)
			}
			return b.String()
		}(),
	}
	for _, s := range []string{
		"[", "{", "[{", "{a: ", "a: ", "- ", "-\n", "? ", `"`, "'", "#", "# x\n", "\n", " ", "\t", "\r", "\r\n", "<", "]", "}", ",", ":", ": ", "@", "%", "&a ", "*a ", "! ", "!a\n",
		"|\n", "a: |\n", "- |\n", "a:\n", "- a: b\n", "---\n", "...\n", "é", "'a'", "\"a\" ", "a: 'b'\n", "[],", "{}\n", "a: [b\n", "a: {b}c\n", " a\n", "a\n", "\\",
	} {
		texts[fmt.Sprintf("many %q", s)] = fill(s)
	}
	return texts
}

// TestHostileTexts parses texts of 1 MB, in a soak of the maximum size. A linear parser takes a
// fraction of a second; a quadratic one would take many minutes.
func TestHostileTexts(t *testing.T) {
	size := min(effort.Rounds(1<<20), yaml.MaxBytes-100)
	for name, text := range hostile(size) {
		d, problems := yaml.Read([]byte(text))
		if len(problems) > 50 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		if d.Root == nil && len(problems) == 0 && strings.Trim(text, "# x\r\n\t.-") != "" {
			t.Errorf("%s: nothing was read and nothing said", name)
		}
	}
}
