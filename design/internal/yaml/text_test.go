package yaml_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sortkey.dev/design/internal/yaml"
)

// TestTexts are texts in all their forms and what YAML 1.2 says they mean.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"plain", "plain"},
		{"two  words ", "two  words"},
		{"a\tb", "a\tb"},
		{"http://x:80/#y?z=[1,2]", "http://x:80/#y?z=[1,2]"},
		{"b # comment", "b"},
		{"b# none", "b# none"},
		{"-1", "-1"}, {":x", ":x"}, {"?x", "?x"}, {"<<", "<<"},
		{"one\n  two\n\n\n  three # four", "one two\n\nthree"},
		{"one\n   \n\n  - two", "one\n\n- two"},
		{"one\n  # no more", "one"},
		{"'it''s'", "it's"}, {"''", ""}, {"'a\n  b\n\n  c'", "a b\nc"}, {"' a  \n   b '", " a b "},
		{`"\x41\u00e9\U0001F44D\t\\\"\/\e\0\a\b\v\f\r\N\_\L\P\ "`, "A\u00e9\U0001F44D\t\\\"/\x1b\x00\a\b\v\f\r\u0085\u00a0\u2028\u2029 "},
		{"\"a  \\\n    \\  b\"", "a    b"},
		{"\"a\n   \\\n\n  b\"", "a \nb"},
		{"\"a\\t  \n  b\"", "a\t b"},
		{"\"a\n\n\n  b\"", "a\n\nb"},
		{"|\n  a\n   b\n\n  c\n", "a\n b\n\nc\n"},
		{"|-\n  a\n\n\n", "a"}, {"|+\n  a\n\n\n", "a\n\n\n"}, {"|\n  a", "a"}, {"|\n  a  ", "a  "}, {"|\n", ""}, {"|+\n", ""}, {"|+\n\n\n", "\n\n"},
		{"|\n\n\n  a\n", "\n\na\n"}, {"|1\n  a\n b\n", " a\nb\n"}, {"|-2 # c\n    a\n", "  a"}, {"|\n  # text\n", "# text\n"},
		{">\n  a\n  b\n\n  c\n", "a b\nc\n"},
		{">\n  a\n\n\n  b\n   c\n   d\n  e\n", "a\n\nb\n c\n d\ne\n"},
		{">-\n\n  a\n  b\n", "\na b"},
		{">\n  a\n\n   b\n\n  c\n", "a\n\n b\n\nc\n"},
	} {
		d := read(t, "k: "+c.written)
		value := d.Root.Entries[0].Value
		if value.Kind != yaml.Scalar || value.Text != c.want {
			t.Errorf("%q means %q, want %q", c.written, value.Text, c.want)
		}
		checkPlaces(t, d, nil)
	}
}

// TestEveryCharacterIsFound: wherever a character of a text is written, At finds it.
func TestEveryCharacterIsFound(t *testing.T) {
	for _, text := range []string{
		"k: xÉyz", "é: 'xyÉ'", `k: "x\ty\u00e9z"`, "k: 'it''s xyz'", "k: x\n  y\n\n  z", "k: \"x\n    y\n\n  z\"", "k: |\n  x\n\n   y\n  z\n", "k: >-\n\n  x\n  y\n\n  z",
		"k: [{a: x y\n  z}]", "k: \"x \\\n  \\ y z\"",
	} {
		d := read(t, text)
		n := d.Root.Entries[0].Value
		for len(n.Entries) > 0 {
			n = n.Entries[0].Value
		}
		for i, c := range []rune(n.Text) {
			line, column := d.At(n, i)
			written := []rune(d.Line(line))
			if strings.ContainsRune("xyzÉ", c) && (column > len(written) || written[column-1] != c) {
				t.Errorf("%q: %c is said to be at %d:%d", text, c, line, column)
			}
		}
		line, column := d.At(n, utf8.RuneCountInString(n.Text))
		if n.Style == yaml.Plain && (line != int(n.Last) || column != utf8.RuneCountInString(d.Line(line))+1) && n.Line == n.Last {
			t.Errorf("%q ends at %d:%d", text, line, column)
		}
	}
}

// TestPlaces spells the places of one design out.
func TestPlaces(t *testing.T) {
	d := read(t, "# top\ndesign: Shöp # name\nentities:\n  Üser: { id: \"é\", list: [a,\n    b] }\n  doc: |-\n    x\n\n    y\n# end\n")
	root := d.Root
	entities := root.Entries[1]
	user := entities.Value.Entries[0]
	doc := entities.Value.Entries[1].Value
	for _, c := range []struct {
		what string
		n    *yaml.Node
		want [4]int32
	}{
		{"root", root, [4]int32{2, 1, 7, 9}},
		{"design", root.Entries[0].Value, [4]int32{2, 9, 13, 2}},
		{"user", user.Key, [4]int32{4, 3, 7, 4}},
		{"brackets", user.Value, [4]int32{4, 9, 29, 5}},
		{"id", user.Value.Entries[0].Value, [4]int32{4, 15, 18, 4}},
		{"list", user.Value.Entries[1].Value, [4]int32{4, 26, 29, 5}},
		{"b", user.Value.Entries[1].Value.Entries[1].Value, [4]int32{5, 5, 6, 5}},
		{"doc", doc, [4]int32{6, 8, 10, 9}},
	} {
		if got := [4]int32{c.n.Line, c.n.Column, c.n.EndColumn, c.n.Last}; got != c.want {
			t.Errorf("%s is at %v, want %v", c.what, got, c.want)
		}
	}
	if written, after := d.Around(root.Entries[0].Value); written != "Shöp" || after != " # name" {
		t.Errorf("the name is written as %q before %q", written, after)
	}
	want := []yaml.Comment{{Text: "# top", Line: 1, Column: 1, Alone: true}, {Text: "# name", Line: 2, Column: 14}, {Text: "# end", Line: 10, Column: 1, Alone: true}}
	if len(d.Comments) != len(want) {
		t.Fatalf("comments: %+v", d.Comments)
	}
	for i, c := range d.Comments {
		if c != want[i] {
			t.Errorf("comment %+v, want %+v", c, want[i])
		}
	}
}
