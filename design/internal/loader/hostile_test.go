package loader

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
)

// hostile returns texts that make a naive parser slow or deeply recursive.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	keys := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-20; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"open lists":             fill("["),
		"open mappings":          fill("{"),
		"open both":              fill("[{"),
		"mappings in flow":       fill("{a: "),
		"colons":                 fill("a: "),
		"colons in flow":         "{" + fill("a: "),
		"list entries":           fill("- "),
		"long keys":              fill("? "),
		"double quotes":          fill(`"`),
		"single quotes":          fill("'"),
		"one open quote":         `a: "` + fill("x\n "),
		"comments":               fill("# x\n"),
		"one comment":            fill("#"),
		"blank lines":            fill("\n"),
		"spaces":                 fill(" "),
		"tabs":                   fill("\t"),
		"carriage returns":       fill("\r"),
		"angles":                 "a: " + fill("<"),
		"some angles":            "a: " + fill(strings.Repeat("<", 199)+" "),
		"text block of blanks":   "a: |\n" + fill("\n"),
		"text block of spaces":   "a: |\n" + fill("   \n"),
		"folded of blanks":       "a: >\n" + fill("\n"),
		"text blocks of blanks":  fill("a: |\n" + strings.Repeat("\n", 49)),
		"text block":             "a: |\n" + fill("  x\n\n"),
		"keys of one block":      keys("k%d: 1\n"),
		"keys of many blocks":    keys("k%d: {a: 1, b: 2}\n"),
		"blocks of keys":         strings.Repeat("a:\n"+strings.Repeat(" b: 1\n", 2000-1), size/(6*2000)),
		"keys without values":    keys("k%d:\n"),
		"flow without values":    "a: {" + keys("k%d: ,") + "}",
		"flow without colons":    "a: {" + keys("k%d,") + "}",
		"entries without values": fill("-\n"),
		"list in flow":           "a: [" + fill("a,") + "]",
		"documents":              fill("---\na: 1\n"),
		"document ends":          fill("...\n"),
		"anchors":                fill("&a "),
		"aliases":                fill("*a "),
		"tags":                   fill("! "),
		"directives":             fill("%a\n"),
		"indentation": func() string {
			var b strings.Builder
			for i := 0; b.Len() < size-3000; i++ {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(),
		"one long word":    "design: " + fill("x"),
		"many long words":  "design: X\nentities:\n  " + fill("y") + ": 1\n",
		"escapes":          `design: "` + fill(`\n`) + `"`,
		"reserved":         fill("@"),
		"commas":           "[" + fill(",") + "]",
		"closing brackets": fill("]"),
	}
}

// hostileBytes is large enough for a quadratic algorithm to take minutes, and small enough
// for a linear one to take no time.
const hostileBytes = 300_000

func TestHostileTextsLoadInLinearTime(t *testing.T) {
	for name, text := range hostile(hostileBytes) {
		t.Run(name, func(t *testing.T) {
			var report diag.Report
			Load([]Source{{Name: "hostile", Text: []byte(text)}}, &report)
			if len(report.Findings()) == 0 {
				t.Error("nothing was reported")
			}
		})
	}
}
