package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/yaml"
)

// TestProblems checks the message and the place of syntax errors.
func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, place, message string }{
		{"a: [b, {c: d}\n", "1:4-5", "[ is never closed"},
		{"a: {b: c\nd: e\n", "1:4-5", "{ is still open in line 2, which is not indented under it: is its closing bracket missing?"},
		{"a: [b\n---\n", "1:4-5", "[ is still open in line 2, which is not indented under it: is its closing bracket missing?"},
		{"a: [b}\n", "1:6-7", "a comma or ] is missing"},
		{"a: ['b' c]\n", "1:9-10", "a comma or ] is missing"},
		{"a: {b: c d: e}\n", "1:8-12", "a comma is missing inside this, or quotes around it"},
		{"a: {b: c\n  d: e}\n", "1:8-9", "this goes on in the next line, where a colon follows: the indentation is wrong, a colon is missing, or quotes are"},
		{"a: [,]\n", "1:5-6", "before this comma something is missing"},
		{"a: [b,,c]\n", "1:7-8", "before this comma something is missing"},
		{"a: [b:]\n", "1:6-7", "a value is missing after the colon, or the text belongs in quotes"},
		{"a: {: b}\n", "1:5-6", "a key is missing before the colon"},
		{"a: {[b]: c}\n", "1:5-8", "a key is a single text, not something in brackets"},
		{"a: {{b}}\n", "1:5-8", "inside { } a key and a colon are missing, or the text belongs in quotes"},
		{"a: [- b]\n", "1:5-6", "a - alone is no text: put it in quotes; inside brackets commas divide a list"},
		{"a: [|]\n", "1:5-6", "a text block cannot stand in brackets: put text that begins with | in quotes"},
		{"a: [b,#c\n", "1:7-8", "a comment needs a space before its #"},
		{"a: 'b'#c\n", "1:7-8", "a comment needs a space before its #"},
		{"a: ]\n", "1:4-5", "] closes nothing"},
		{"a: 'b']\n", "1:7-8", "] closes nothing"},
		{"a: ,\n", "1:4-5", "a comma begins no text: put it in quotes"},
		{"[a]: b\n", "1:1-4", "a key is a single text, not something in brackets"},
		{"a: \"b\nc: d\"\n", "1:4-6", "the text that begins with \" here is still open in line 2, which is not indented under it: is its closing quote missing?"},
		{"a: 'b\n  c\n", "1:4-6", "the text begins with ' and never ends"},
		{"a: \"b\\\n", "1:4-7", "the text begins with \" and never ends"},
		{"a: \"b\\q\"\n", "1:6-8", `after \ inside double quotes comes a letter YAML knows; use single quotes for a plain \`},
		{"a: \"\\u12x4\"\n", "1:5-7", `after \u come 4 digits 0-9 and a-f that number a character`},
		{"a: \"\\ud800\"\n", "1:5-7", `after \u come 4 digits 0-9 and a-f that number a character`},
		{"a: \"\\UFFFFFFFF\"\n", "1:5-7", `after \U come 8 digits 0-9 and a-f that number a character`},
		{"a: \"\\x+1\"\n", "1:5-7", `after \x come 2 digits 0-9 and a-f that number a character`},
		{"a: 'b' c\n", "1:8-9", "the text in quotes ended before this: put all of it in quotes"},
		{"a: [b] c\n", "1:8-9", "the brackets closed before this: nothing may follow them"},
		{"\"a\":b\n", "1:4-5", "a space is missing after the colon"},
		{"a: b: c\n", "1:4-6", "a second colon on one line: put the text after the first one in quotes"},
		{"a: b\n  c: d\n", "1:4-5", "this goes on in the next line, where a colon follows: the indentation is wrong, a colon is missing, or quotes are"},
		{"a\n  : b\n", "1:1-2", "this goes on in line 2 with a colon: a key and its colon stand on one line"},
		{"\"a\n b\": c\n", "1:1-3", "a key and its colon stand on one line"},
		{"a: 1\nbcd\n", "2:1-4", "a colon is missing: a key is followed by a colon and a space"},
		{"a: 1\n: b\n", "2:1-2", "a key is missing before the colon"},
		{"a:\n    b: 1\n   cde: 2\n", "3:4-7", "this belongs to nothing: the indentation is wrong, or quotes are missing"},
		{"a: b # c\n  def\n", "2:3-6", "this belongs to nothing: the indentation is wrong, or quotes are missing"},
		{"- a\nb: c\n", "2:1-2", "this belongs to nothing: the indentation is wrong, or quotes are missing"},
		{"a: 1\n- b\n", "2:1-2", "a list entry among keys: the indentation is wrong, or the key of the list is missing"},
		{"a: - b\n", "1:4-5", "a list begins on a line of its own: put - under the key"},
		{"a:\n\tb: 1\n", "2:1-2", "a tab: YAML takes only spaces here"},
		{"a:\n  b: 1\n \tc: 1\n", "3:2-3", "a tab: YAML takes only spaces here"},
		{"-\ta: b\n", "1:2-3", "a tab: YAML takes only spaces here"},
		{"a: |\n\tb\n", "2:1-2", "a tab: YAML takes only spaces here"},
		{"a: \"b\n\tc\"\n", "2:1-2", "a tab: YAML takes only spaces here"},
		{"a: | b\n", "1:5-7", "after | or > nothing may follow on the line: put text that begins with them in quotes"},
		{"a: >0\n", "1:5-6", "after | or > nothing may follow on the line: put text that begins with them in quotes"},
		{"a: |\n    \n  b\n", "1:4-5", "the blank lines at the start of this text block have more spaces than its first line"},
		{"|2\n  a\n", "1:2-3", "a text block that is the whole file has no indentation to count from"},
		{"a: @b\n", "1:4-5", "@ and ` begin no text: put it in quotes"},
		{"a: 1\n=======\n", "2:1-8", "this line is the mark of a merge conflict"},
		{"a: é\xff\n", "1:5-6", "the file is not UTF-8 text"},
		{"a: b\x00\n", "1:5-6", "a character that is no text: U+0000"},
		{"a: b\x7f\n", "1:5-6", "a character that is no text: U+007F"},
		{"a: \u0085\n", "1:4-5", "a character that is no text: U+0085"},
		{"a: \u2028\n", "1:4-5", "a character that is no text: U+2028"},
		{"\uFEFFa: \uFEFF\n", "1:4-5", "a byte order mark in the middle of the file"},
	} {
		d, problems := yaml.Read([]byte(c.text))
		if len(problems) != 1 || d.Root != nil {
			t.Errorf("%q: %d problems, root %v", c.text, len(problems), d.Root)
			continue
		}
		p := problems[0]
		if got := fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn); got != c.place || p.Message != c.message || p.Kind != yaml.Syntax {
			t.Errorf("%q: %s %s\n want %s %s", c.text, got, p.Message, c.place, c.message)
		}
		checkPlaces(t, d, problems)
	}
}

// TestRefused checks that unsupported features of YAML are reported and the rest is parsed.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		text, signs string // the characters the problems are at
		goesOn      bool
	}{
		{"a: &x b\nc: *x\n", "&*", true}, {"a: !t b\n", "!", true}, {"a: &x !t\n  b: c\n", "&!", true}, {"&x a: b\n", "&", true}, {"a: 1\n&x b: c\n", "&", true},
		{"*a : b\n", "*", true}, {"- &x\n- !t b\n", "&!", true}, {"&x\na: b\n", "&", true}, {"a: [&x b, *y, !t , {c: !u}]\n", "&*!!", true}, {"<<: {a: b}\n", "<", true},
		{"a: {<<: *b}\n", "<*", true}, {"a: &x\n- b\n", "&", true},
		{"? a\n: b\n", "?", false}, {"a: 1\n? b\n", "?", false}, {"a: ? b\n", "?", false}, {"[? a]\n", "?", false}, {"%YAML 1.2\n---\na: 1\n", "%", false},
		{"a: %b\n", "%", false}, {"a: 1\n---\nb: 2\n", "-", false}, {"---\n---\n", "-", false}, {"a: 1\n...\nb: 2\n", "b", false}, {"--- a\n", "a", false},
	} {
		d, problems := yaml.Read([]byte(c.text))
		signs := ""
		for _, p := range problems {
			if p.Kind != yaml.Refused {
				t.Errorf("%q: %+v", c.text, p)
			}
			signs += string([]rune(d.Line(p.Line))[p.Column-1])
		}
		if signs != c.signs || (d.Root != nil) != c.goesOn {
			t.Errorf("%q: problems at %s, want %s; root %v", c.text, signs, c.signs, d.Root != nil)
		}
		checkPlaces(t, d, problems)
	}
	if _, problems := yaml.Read([]byte(strings.Repeat("- &a\n", 1000))); len(problems) != 50 {
		t.Errorf("%d anchors were reported", len(problems))
	}
}

// TestUnquoted checks that texts split by their own brackets are parsed as if quoted.
func TestUnquoted(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: {b}#c\n", "{b}#c"}, {"a: {b}#{c}: d # e\n", "{b}#{c}: d # e"}, {"a: { b: C#{d|pad 3}#E }\n", "C#{d|pad 3}#E"}, {"a: [B#{c}, d]\n", "B#{c}"}, {"a: { b: {c}#D }\n", "{c}#D"},
	} {
		d, problems := yaml.Read([]byte(c.text))
		if len(problems) != 1 || problems[0].Kind != yaml.Unquoted || problems[0].Text != c.want || d.Root == nil {
			t.Errorf("%q: %+v", c.text, problems)
			continue
		}
		n := d.Root.Entries[0].Value
		for len(n.Entries) > 0 {
			n = n.Entries[0].Value
		}
		if n.Kind != yaml.Scalar || n.Text != c.want {
			t.Errorf("%q was read as %q", c.text, n.Text)
		}
	}
}

func TestBounds(t *testing.T) {
	nested := func(open, inside, shut string, levels int) string {
		return strings.Repeat(open, levels) + inside + strings.Repeat(shut, levels)
	}
	blocks := func(levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for _, c := range []struct{ name, within, beyond string }{
		{"bytes", "#" + strings.Repeat("x", yaml.MaxBytes-1), "#" + strings.Repeat("x", yaml.MaxBytes)},
		{"lists in brackets", nested("[", "", "]", 100), nested("[", "", "]", 101)},
		{"mappings in brackets", nested("{a: ", "", "}", 100), nested("{a: ", "", "}", 101)},
		{"lists", nested("- ", "a", "", 100), nested("- ", "a", "", 101)},
		{"mappings", blocks(100), blocks(101)},
		{"pairs", nested("[", "a: b", "]", 99), nested("[", "a: b", "]", 100)},
	} {
		if _, problems := yaml.Read([]byte(c.within)); len(problems) > 0 {
			t.Errorf("%s: %+v", c.name, problems)
		}
		if d, problems := yaml.Read([]byte(c.beyond)); len(problems) != 1 || problems[0].Kind != yaml.TooLarge || d.Root != nil {
			t.Errorf("%s beyond the bound: %+v", c.name, problems)
		}
	}
}
