package formatter

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	design "sortkey.dev/design/internal/yaml"
)

// TestDesignsOfTheProject formats every design that is checked in.
func TestDesignsOfTheProject(t *testing.T) {
	found := 0
	for _, pattern := range []string{"testdata/*.yaml", "../../testdata/*/*.yaml", "../../testdata/*.yaml", "../../../apps/*/*.design.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			found++
			t.Run(filepath.Base(path), func(t *testing.T) {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				checkFormat(t, text)
				if !libraryReads(string(text)) {
					t.Error("the library does not read it as we do")
				}
			})
		}
	}
	if found == 0 {
		t.Error("there is no design to format")
	}
}

// TestCanonicalDesignsStay checks that formatted designs stay unchanged.
func TestCanonicalDesignsStay(t *testing.T) {
	text, err := os.ReadFile("testdata/canonical.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), format(t, string(text))); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// checkFormat formats a text and checks with the YAML library that the result means the same,
// has the same comments and does not change when formatted again.
func checkFormat(t *testing.T, text []byte) {
	t.Helper()
	var report diag.Report
	out, ok := Format("x.yaml", text, &report)
	if !ok {
		if len(report.Findings()) == 0 || string(out) != string(text) {
			t.Fatalf("%q was refused without a finding, or changed", text)
		}
		return
	}
	if again, ok := Format("x.yaml", out, &report); !ok || string(again) != string(out) {
		t.Errorf("%q is formatted as\n%s\nand that as\n%s", text, out, again)
	}
	if !libraryReads(string(text)) || !libraryReads(string(out)) {
		return // not valid YAML for the library; Format has compared it with our parser
	}
	if diff := cmp.Diff(comments(string(text)), comments(string(out))); diff != "" {
		t.Errorf("%q: comments (-before +after):\n%s", text, diff)
	}
	before, okBefore := decode(text)
	after, okAfter := decode(out)
	if okBefore && !okAfter {
		t.Errorf("%q can be decoded; formatted, %q, it cannot", text, out)
	}
	if diff := cmp.Diff(before, after); okBefore && diff != "" {
		t.Errorf("%q means something else when formatted as %q (-before +after):\n%s", text, out, diff)
	}
	if string(out) != string(text) && len(out) > 0 && out[len(out)-1] != '\n' {
		t.Errorf("%q is formatted as %q, without a line end", text, out)
	}
}

const byteOrderMark = "\uFEFF"

// comments returns the comments the scanner finds.
func comments(text string) []string {
	var all []string
	for _, tk := range lexer.Tokenize(strings.TrimPrefix(text, byteOrderMark)) {
		if tk.Type == token.CommentType {
			all = append(all, strings.TrimRight(tk.Value, " \t\r"))
		}
	}
	return all
}

// libraryReads reports whether the library and our parser find the same words in a text.
func libraryReads(text string) bool {
	var theirs, ours []string
	for _, tk := range lexer.Tokenize(strings.TrimPrefix(text, byteOrderMark)) {
		switch tk.Type {
		case token.StringType, token.SingleQuoteType, token.DoubleQuoteType, token.NullType, token.BoolType, token.InfinityType, token.NanType,
			token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType, token.FloatType, token.MergeKeyType:
			theirs = append(theirs, tk.Value)
		}
	}
	if _, problems := design.Read([]byte(text)); len(problems) > 0 {
		return false
	}
	document, _ := read([]byte(text))
	var walk func(n *node)
	walk = func(n *node) {
		if n.class != "" {
			ours = append(ours, n.value)
		}
		for _, e := range n.entries {
			if e.key != nil {
				walk(e.key)
			}
			walk(e.value)
		}
	}
	if document.root != nil {
		walk(document.root)
	}
	value, ok := decode([]byte(text))
	return slices.Equal(theirs, ours) && (!ok || shapeOf(value) == document.root.shape())
}

// shapeOf describes the nesting of mappings and lists in a value decoded by the library.
func shapeOf(value any) string {
	switch value := value.(type) {
	case yaml.MapSlice:
		s := "{"
		for _, item := range value {
			s += shapeOf(item.Value)
		}
		return s + "}"
	case []any:
		s := "["
		for _, item := range value {
			s += shapeOf(item)
		}
		return s + "]"
	}
	return "."
}

// shape describes the nesting of mappings and lists in a node.
func (n *node) shape() string {
	if n == nil || n.kind != mapping && n.kind != list {
		return "."
	}
	s := ""
	for _, e := range n.entries {
		s += e.value.shape()
	}
	return map[kind]string{mapping: "{" + s + "}", list: "[" + s + "]"}[n.kind]
}

// decode decodes a text to Go values, keeping the order of keys. The library may panic on
// input it does not fully support; then decode returns false.
func decode(text []byte) (value any, ok bool) {
	defer func() {
		if recover() != nil {
			value, ok = nil, false
		}
	}()
	text = []byte(strings.TrimPrefix(string(text), byteOrderMark))
	err := yaml.UnmarshalWithOptions(text, &value, yaml.UseOrderedMap(), yaml.AllowDuplicateMapKey())
	return value, err == nil
}

func FuzzFormat(f *testing.F) {
	for _, seed := range []string{
		"a: 1 # x\n\n\nb:\n- c: [1, {d: 'e'}]\n  f: |\n    g\n",
		"# h\na:\n    b: >-\n      x\n      y\n  # i\nc: {d: , e}\n",
		"a: [ # x\n  b, # y\n  # z\n  c ]\nd: \"e\n  f\"\n",
		"a: &x 1\nb: *x\nc: !t 2\n? d\n: e\n",
		"- - a\n  - b\n- # c\n  d: ~\n",
		"a: b\n  c\n\n  d # e\n---\nf: g\n", "{a: b, 'c': [d]}", "a:\r\n\tb\r\n", "a: |+\n  x\n\n\nb: |2\n    y\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 2000 {
			return // long texts only slow the fuzzer
		}
		checkFormat(t, text)
	})
}
