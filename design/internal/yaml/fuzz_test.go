package yaml_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sortkey.dev/design/internal/yaml"
	"sortkey.dev/internal/effort"
)

func same(a, b value) bool { return reflect.DeepEqual(a, b) }

func read(t *testing.T, text string) *yaml.Document {
	t.Helper()
	d, problems := yaml.Read([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("%q: %+v", text, problems)
	}
	return d
}

// FuzzRead checks for every text that there is no panic, that places are inside the text, and
// that the library parses a text without problems the same, except for its quirks.
func FuzzRead(f *testing.F) {
	for _, text := range corpus(f) {
		if len(text) < 3000 {
			f.Add(text)
		}
	}
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

// check compares one text with the library, and reports whether it could.
func check(t *testing.T, text string) bool {
	t.Helper()
	d, problems := yaml.Read([]byte(text))
	checkPlaces(t, d, problems)
	if len(problems) > 0 {
		return false
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // the library counts them as characters
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // it treats an end without a line end differently
		d = read(t, text)
	}
	if quirkOf(text, d.Root) != "" {
		return false
	}
	want, err := theirs(text)
	if err != nil {
		t.Fatalf("%q is refused by the library: %v", text, err)
	}
	if got := ours(d.Root); !same(want, got) { // cmp takes forever on deep values, even equal ones
		t.Fatalf("%q\ntheirs %+v\nours   %+v", text, want, got)
	}
	return true
}

var seeds = []string{
	"a: 1 # x\n\n\nb:\n- c: [1, {d: 'e'}]\n  f: |\n    g\n", "# h\na:\n    b: >-\n      x\n      y\n  # i\nc: {d: , e}\n",
	"a: [ # x\n  b, # y\n  # z\n  c ]\nd: \"e\n  f\"\n", "- - a\n  - b\n- # c\n  d: ~\n", "a: b\n  c\n\n  d # e\n", "{a: b, 'c': [d]}",
	"a: |+\n  x\n\n\nb: |2\n    y\n", "a: >\n  x\n   y\n\n  z\n\n\nb: 'it''s\n\n  me'\n", "a: \"x\\\n   \\ y\\u00e9 \\x41\\t\"\n", "[a: b, \"c\":d, ? ]",
	"a:\r\n - b\r\n\r\n - |-\r\n  c\r\n", "--- # x\na: 1\n...\n", "a: b:c #d\n?e: f\n-g: -1\n", "a: {\n  b: c,\n}\n", "é: \"ü\" # ö\n\"k\" : 'v'\n",
}

// scraps lists the pieces of random texts: everything that is special in YAML.
var scraps = []string{
	"a", "b", "c: ", "a:", ": ", "- ", "-", "\n", "\n", "\n ", "\n  ", "\n   ", "\n\n", " ", "  ", "[", "]", "{", "}", ", ", ",", "\"", "'", "\"x\"", "'y'",
	"#", " # z", "|", ">", "|\n", ">-\n", "|+\n", "|2\n", "\\n", "\\\n", "é", ":", "?", "~", "x y", "a: ", "\n- ", "\n  - ", "\na: ", "\n  b: ", "{a: ", "[a",
	"''", "\\", "0", "<<", "=", "@", "%", "$", "&", "*", "!", "\t", "\r\n", "---", "...",
}

// TestRandomTexts checks random texts that resemble YAML.
func TestRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	rounds := effort.Rounds(8_000)
	starts := []string{"", "k: ", "k:\n  ", "- ", "k: [", "k: {a: ", "k: \"", "k: |\n  ", "k: >\n  x\n"}
	compared := 0
	for range rounds {
		text := starts[random.IntN(len(starts))]
		for range 1 + random.IntN(12) {
			text += scraps[random.IntN(len(scraps))]
		}
		if check(t, text) {
			compared++
		}
	}
	if compared < rounds/14 {
		t.Errorf("only %d of %d texts were compared", compared, rounds)
	}
}
