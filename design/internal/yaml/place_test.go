package yaml_test

import (
	"testing"
	"unicode/utf8"

	"sortkey.dev/design/internal/yaml"
)

// checkPlaces checks that all places are inside the text, children are inside their parents'
// lines, and plain and quoted texts are at their places.
func checkPlaces(t *testing.T, d *yaml.Document, problems []yaml.Problem) {
	t.Helper()
	inside := func(what string, line, column, end int) {
		t.Helper()
		length := utf8.RuneCountInString(d.Line(line))
		if line < 1 || line > max(1, d.Lines()) || column < 1 || column > length+1 || end <= column || end > length+2 {
			t.Fatalf("%s at %d:%d-%d, where a line of %d characters is and the file has %d lines", what, line, column, end, length, d.Lines())
		}
	}
	for _, p := range problems {
		if p.Message == "" {
			t.Fatal("a problem without words")
		}
		if p.Kind != yaml.TooLarge || d.Lines() > 1 {
			inside(p.Message, p.Line, p.Column, p.EndColumn)
		}
	}
	above := int32(0)
	for _, c := range d.Comments {
		inside("a comment", int(c.Line), int(c.Column), int(c.Column)+utf8.RuneCountInString(c.Text))
		if rest := []rune(d.Line(int(c.Line)))[c.Column-1:]; string(rest[:utf8.RuneCountInString(c.Text)]) != c.Text || c.Line <= above {
			t.Fatalf("comment %q is not where it says", c.Text)
		}
		above = c.Line
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		inside("a node", int(n.Line), int(n.Column), int(n.EndColumn))
		if n.Last < n.Line || int(n.Last) > d.Lines() {
			t.Fatalf("a node from line %d to %d of %d", n.Line, n.Last, d.Lines())
		}
		if written := []rune(d.Line(int(n.Line)))[n.Column-1 : n.EndColumn-1]; n.Kind == yaml.Scalar && n.Line == n.Last && string(written) != n.Raw {
			t.Fatalf("%q is written as %q", n.Raw, string(written))
		}
		if n.Kind == yaml.Scalar {
			line, column := d.At(n, utf8.RuneCountInString(n.Text)/2)
			inside("a character of a text", line, column, column+1)
		}
		for _, e := range n.Entries {
			if e.Key != nil {
				walk(e.Key)
			}
			walk(e.Value)
			if e.Value.Last > n.Last {
				t.Fatalf("a value ends in line %d, after what it is in, %d", e.Value.Last, n.Last)
			}
		}
	}
	if d.Root != nil {
		walk(d.Root)
	}
}
