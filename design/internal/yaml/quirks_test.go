package yaml_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/yaml"
)

// A quirk is a deviation of the library from YAML 1.2. Texts that show one are not compared;
// TestTexts has the results according to YAML.
type quirk struct {
	reason  string
	applies func(text string, root *yaml.Node) bool
	example string
}

var quirks = []quirk{
	{"it drops tabs inside plain texts and takes them for part of others", matches(`\t`), "a\tb\n"},
	{"it counts spaces at the end of lines as text and lines of spaces not at all", func(text string, root *yaml.Node) bool {
		return spacesAtEnd.MatchString(text) && anyNode(root, false, func(n *yaml.Node, _ bool) bool { return n.Kind == yaml.Scalar && n.Last > n.Line })
	}, "k:\n  a\n  - b\n   "},
	{"it takes ... and --- for marks before any word", matches(`(?m)^(\.\.\.|---)`), "...a: b\n"},
	{"it refuses text blocks without text, or gives them a line end", nodes(func(n *yaml.Node, _ bool) bool {
		return (n.Style == yaml.Literal || n.Style == yaml.Folded) && strings.TrimSpace(n.Text) == ""
	}), "a: |+\n"},
	{"it keeps comments and loses the indentation after a line of a text that begins with a dash", nodes(func(n *yaml.Node, _ bool) bool {
		return n.Style == yaml.Plain && dashLine.MatchString(n.Raw)
	}), "a: b\n  - # c\n"},
	{"it takes the key below an empty list entry for its value", nodes(func(n *yaml.Node, _ bool) bool {
		return n.Kind == yaml.List && slices.ContainsFunc(n.Entries, func(e yaml.Entry) bool { return e.Value.Kind == yaml.Missing })
	}), "a:\n-\nb:\n"},
	{"it loses spaces before an escaped line end", matches(`\\\n`), "a: \"b\n   \\\n\n  c\"\n"},
	{"it takes a colon inside brackets for that of a key without a space after it", nodes(func(n *yaml.Node, inFlow bool) bool {
		return inFlow && n.Style == yaml.Plain && strings.Contains(n.Text, ":")
	}), "{0:0}\n"},
	{"it refuses a key without a value inside [ ]", nodes(func(n *yaml.Node, _ bool) bool {
		return n.Kind == yaml.Mapping && n.Style == yaml.Pair && n.Entries[0].Value.Kind == yaml.Missing
	}), "[a: ]\n"},
	{"it takes << for a merge wherever a key ends with it", matches(`<<`), "a<<: b\n"},
	{"it refuses plain texts that go on in another line inside { }", nodes(func(n *yaml.Node, inFlow bool) bool {
		return inFlow && n.Style == yaml.Plain && n.Last > n.Line
	}), "{a: b\n c}\n"},
}

var (
	spacesAtEnd = regexp.MustCompile(`(?m) +$`)
	dashLine    = regexp.MustCompile(`(?m)\n *-`)
)

func matches(pattern string) func(string, *yaml.Node) bool {
	compiled := regexp.MustCompile(pattern)
	return func(text string, _ *yaml.Node) bool { return compiled.MatchString(text) }
}

func nodes(shows func(n *yaml.Node, inFlow bool) bool) func(string, *yaml.Node) bool {
	return func(_ string, root *yaml.Node) bool { return anyNode(root, false, shows) }
}

// anyNode reports whether shows is true for a node or one of its descendants.
func anyNode(n *yaml.Node, inFlow bool, shows func(n *yaml.Node, inFlow bool) bool) bool {
	if n == nil {
		return false
	}
	if shows(n, inFlow) {
		return true
	}
	inFlow = inFlow || n.Kind != yaml.Scalar && n.Style == yaml.Flow
	for _, e := range n.Entries {
		if anyNode(e.Key, inFlow, shows) || anyNode(e.Value, inFlow, shows) {
			return true
		}
	}
	return false
}

// quirkOf returns why the library may parse a text differently, or "".
func quirkOf(text string, root *yaml.Node) string {
	for _, q := range quirks {
		if q.applies(text, root) {
			return q.reason
		}
	}
	return ""
}

// TestQuirksAreStillThere fails when the library has been fixed, so that the texts can be
// compared.
func TestQuirksAreStillThere(t *testing.T) {
	for _, q := range quirks {
		if q.example == "" {
			continue
		}
		d := read(t, q.example)
		if !q.applies(q.example, d.Root) {
			t.Errorf("%q does not show that %s", q.example, q.reason)
		}
		want, err := theirs(q.example)
		if err == nil && same(want, ours(d.Root)) {
			t.Errorf("%q is read the same by now, although %s", q.example, q.reason)
		}
	}
	plain := "design: App\nentities:\n  User: { id: a, where: [b, c] } # d\ndoc: |\n  text\nx: \"y\\n\"\nl:\n  - a: b\n"
	if reason := quirkOf(plain, read(t, plain).Root); reason != "" {
		t.Errorf("a plain design counts as a quirk: %s", reason)
	}
}
