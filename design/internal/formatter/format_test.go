package formatter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
)

// lines joins lines to a text, so that tables stay readable.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func format(t *testing.T, text string) string {
	t.Helper()
	var report diag.Report
	out, ok := Format("shop.design.yaml", []byte(text), &report)
	if !ok || len(report.Findings()) > 0 {
		t.Fatalf("%q cannot be formatted: %v", text, report.Findings())
	}
	return string(out)
}

func TestFormat(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"indentation is two spaces",
			lines("entities:", "    User:", "          id: user_id"),
			lines("entities:", "  User:", "    id: user_id")},
		{"lists are indented under their key",
			lines("transact:", "- create: User", "  if: a = 1", "-   put: Log"),
			lines("transact:", "  - create: User", "    if: a = 1", "  - put: Log")},
		{"lists inside lists stand beside their dash",
			lines("a:", "-   - b", "    - c", "-  d"),
			lines("a:", "  - - b", "    - c", "  - d")},
		{"one blank line at most, none at the start and the end",
			lines("", "", "a: 1", "", "", "", "b: 2", "", ""),
			lines("a: 1", "", "b: 2")},
		{"no blank line after a key that opens a block",
			lines("a:", "", "  b: 1", "", "  c: 2"),
			lines("a:", "  b: 1", "", "  c: 2")},
		{"brackets have single spaces",
			lines("where: {a:   $,b: [ x,y ] ,}", "empty: {  }", "none: [ ]"),
			lines("where: { a: $, b: [x, y] }", "empty: {}", "none: []")},
		{"keys without values",
			lines("a:", "b: {c: , d}", "e: null", "f: ~", "g:", "-", "- x"),
			lines("a:", "b: { c:, d: }", "e: null", "f: ~", "g:", "  -", "  - x")},
		{"brackets over several lines close up",
			lines("a: [", "  b,", "", "  c", "]", "d: {", "  e: 1", "  }"),
			lines("a: [b, c]", "d: { e: 1 }")},
		{"a value below its key moves up",
			lines("a:", "    b", "c:", "  [d]"),
			lines("a: b", "c: [d]")},
		{"single quotes become double ones where no escape is needed",
			lines("a: 'x'", "'b': ['y', '']", "c: 'it''s'", "d: 'say \"x\"'", `e: 'C:\x'`, `f: "z"`, "g: 'ü'"),
			lines(`a: "x"`, `"b": ["y", ""]`, `c: "it's"`, `d: 'say "x"'`, `e: 'C:\x'`, `f: "z"`, `g: "ü"`)},
		{"double quotes stay, even where they are not needed",
			lines(`PK: "USER#{id}"`, `doc: "text"`, `x: "\u00e9 \" \\"`),
			lines(`PK: "USER#{id}"`, `doc: "text"`, `x: "\u00e9 \" \\"`)},
		{"texts over several lines keep their breaks",
			lines("doc: one", "         two", "", "         three", "x: \"four", " five\"", "y: 'six", " seven'"),
			lines("doc: one", "  two", "", "  three", "x: \"four", "  five\"", "y: 'six", "  seven'")},
		{"text blocks move with their key",
			lines("a:", "    doc: |", "            one", "              two", "", "            three  ", "    b: >-", "       x", "       y", "", "    c: 1"),
			lines("a:", "  doc: |", "    one", "      two", "", "    three  ", "  b: >-", "    x", "    y", "", "  c: 1")},
		{"text blocks in lists",
			lines("a:", "- |", "  x", "-   b: |", "        y"),
			lines("a:", "  - |", "    x", "  - b: |", "      y")},
		{"line ends and spaces at the end",
			"a: 1  \r\nb:\t2\t\r\n# c  \r\n\r\n",
			lines("a: 1", "b: 2", "# c")},
		{"a byte order mark goes", "\uFEFFa:  1", lines("a: 1")},
		{"numbers, dates and words are not touched",
			lines("a:  1.50", "b: 0x1F", "c: 1_000", "d: yes", "e: 2026-02-17", "f: 1,000", "g: $1.75", "h: -.5"),
			lines("a: 1.50", "b: 0x1F", "c: 1_000", "d: yes", "e: 2026-02-17", "f: 1,000", "g: $1.75", "h: -.5")},
		{"nothing", "", ""},
		{"blank lines only", "\n\n \n", ""},
		{"comments only", "\n\n#  a\n\n\n\n   # b", lines("#  a", "", "# b")},
		{"a whole design in brackets", "{a: 1, b: [2]}", lines("{ a: 1, b: [2] }")},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, format(t, test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestComments(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"at the end of a line: one space before",
			lines("a: 1      # one", "b: a#no comment", "c: # block", "    d: [1,2]   # list", "e: 'x' #y"),
			lines("a: 1 # one", "b: a#no comment", "c: # block", "  d: [1, 2] # list", "e: \"x\" #y")},
		{"before an entry: with its indentation",
			lines("a:", "# first", "    b: 1", "      # second", "    c: 2", "# end"),
			lines("a:", "  # first", "  b: 1", "  # second", "  c: 2", "# end")},
		{"at the end of a block: in the block",
			lines("a:", "    b:", "       c: 1", "       # of c", "    # of b", "# of a", "d: 2", "    # of d"),
			lines("a:", "  b:", "    c: 1", "    # of c", "  # of b", "# of a", "d: 2", "# of d")},
		{"blank lines around them stay",
			lines("# a", "", "", "# b", "c: 1", "", "# d", "", "e: 2"),
			lines("# a", "", "# b", "c: 1", "", "# d", "", "e: 2")},
		{"inside brackets: the brackets open",
			lines("a: [ # all", "  b, # first", "  # second", "  c, d", "  # done", "]", "e: {", "  f: 1, # one", "  g: { h: 2 }", "}"),
			lines("a: # all", "  - b # first", "  # second", "  - c", "  - d", "  # done", "e:", "  f: 1 # one", "  g: { h: 2 }")},
		{"between a key and its value: before both",
			lines("x: 0", "a: # why", "  1", "b:", "  # how", "  2 # two", "c: 3"),
			lines("x: 0", "# why", "a: 1", "# how", "b: 2 # two", "c: 3")},
		{"beside a dash",
			lines("a:", "- # one", "  b: 1", "- c: 2 # two", "  # three", "  d: 3", "# four", "- e"),
			lines("a:", "  # one", "  - b: 1", "  - c: 2 # two", "    # three", "    d: 3", "  # four", "  - e")},
		{"around a text block",
			lines("a: |   # head", "    # text", "    x", "# after", "b: 1"),
			lines("a: | # head", "  # text", "  x", "# after", "b: 1")},
		{"the mode line stays first",
			lines("# yaml-language-server: $schema=design.schema.json", "#", "# Shop.", "design: Shop"),
			lines("# yaml-language-server: $schema=design.schema.json", "#", "# Shop.", "design: Shop")},
		{"a # inside a text is none",
			lines(`PK: "USER#{id} # x"`, "b: a#b", "c: 'x # y'   # z"),
			lines(`PK: "USER#{id} # x"`, "b: a#b", `c: "x # y" # z`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, format(t, test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBracketsFitIn120Columns(t *testing.T) {
	fitting := "  a: [" + strings.Repeat("x", 120-7) + "]"
	text := lines("k:", fitting)
	if got := format(t, text); got != text {
		t.Errorf("120 columns were broken:\n%s", got)
	}
	long := "  a: [" + strings.Repeat("x", 120-6) + "]"
	if got, want := format(t, lines("k:", long)), lines("k:", "  a:", "    - "+strings.Repeat("x", 114)); got != want {
		t.Errorf("121 columns were kept:\n%s", got)
	}
	commented := lines("k:", fitting+" # a comment does not count")
	if got := format(t, commented); got != commented {
		t.Errorf("a comment broke the brackets:\n%s", got)
	}
}

func TestLongBracketsOpenFromOutside(t *testing.T) {
	inner := "{ get: User, where: { user_id: $ }, order: created_at desc }"
	text := "patterns: { First: " + inner + ", Second: " + inner + " }\nlist: [{ a: " + strings.Repeat("x", 60) + ", b: " + strings.Repeat("y", 60) + " }]\n"
	want := lines("patterns:", "  First: "+inner, "  Second: "+inner, "list:", "  - a: "+strings.Repeat("x", 60), "    b: "+strings.Repeat("y", 60))
	if diff := cmp.Diff(want, format(t, text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnsupportedYAMLStaysUnchanged(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"an anchor: its block stays, the others are laid out",
			lines("a:   1", "", "", "b:   &x", "     c:  [1,2]   # why", "", "", "d:   [3,4]"),
			lines("a: 1", "", "b:   &x", "     c:  [1,2]   # why", "", "", "d: [3, 4]")},
		{"tags", lines("a:   1", "b:  !x  2"), lines("a: 1", "b:  !x  2")},
		{"long keys", lines("a:   1", "? b", ":  2"), lines("a:   1", "? b", ":  2")},
		{"text blocks that keep their blank lines",
			lines("a:   1", "b:   |+", "    x", "", "", "c:   3"), lines("a: 1", "b:   |+", "    x", "", "", "c: 3")},
		{"text blocks with an indentation of their own",
			lines("a:   1", "b:   |1", "   x", "c:   3"), lines("a: 1", "b:   |1", "   x", "c: 3")},
		{"several documents", lines("a:   1", "---", "b:   2"), lines("a:   1", "---", "b:   2")},
		{"a text alone", lines("  hello"), lines("  hello")},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, format(t, test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
