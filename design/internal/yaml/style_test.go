package yaml_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/internal/effort"
)

// TestEveryStyleMeansTheSame writes random values in many ways. However they are
// written, reading gives the values back, and so does the library.
func TestEveryStyleMeansTheSame(t *testing.T) {
	for seed := range uint64(effort.Rounds(300)) {
		want := randomValue(rand.New(rand.NewPCG(seed, 1)), 0)
		for style := range uint64(3) {
			w := &writer{Rand: rand.New(rand.NewPCG(seed, style+2))}
			w.block(want, 0)
			text := w.String()
			if w.IntN(4) == 0 {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			if diff := cmp.Diff(want, ours(read(t, text).Root)); diff != "" {
				t.Fatalf("seed %d: written as\n%s\n(-want +got):\n%s", seed, text, diff)
			}
			check(t, text)
		}
	}
}

func randomValue(r *rand.Rand, depth int) value {
	kind := r.IntN(4)
	if depth == 0 {
		kind = 2
	}
	v := value{Kind: []string{"text", "null", "mapping", "list"}[kind]}
	switch {
	case kind == 0 || depth > 4:
		words := []string{"plain", "two words", "USER#{id}", "a: b", "- x", "it's", `say "x"`, " spaced ", "", "line\nbreak", "é漢👍", "null", "42", "# none", "[x]", "tab\there", `C:\x`, "x # y", "? z"}
		return value{Kind: "text", Text: words[r.IntN(len(words))]}
	case kind == 1:
		return v
	}
	for i := range r.IntN(4) + 1 {
		if kind == 2 {
			v.Keys = append(v.Keys, fmt.Sprintf("%s%d", []string{"k", "some key ", "é", "a#", "-"}[r.IntN(5)], i))
		}
		v.Entries = append(v.Entries, randomValue(r, depth+1))
	}
	return v
}

// A writer writes values in any style that can hold them.
type writer struct {
	strings.Builder
	*rand.Rand
}

func (w *writer) spaces(least int) string { return strings.Repeat(" ", least+w.IntN(3)) }

// rest ends a line, sometimes with a comment, and adds lines that mean nothing.
func (w *writer) rest() {
	if w.IntN(5) == 0 {
		w.WriteString(w.spaces(1) + "# a: [comment")
	}
	w.WriteString("\n")
	switch w.IntN(8) {
	case 0:
		w.WriteString("\n")
	case 1:
		w.WriteString(w.spaces(0) + "# - another: {\n")
	}
}

// block writes the entries of a mapping or list by indentation; the first one stands
// where the writer is.
func (w *writer) block(v value, column int) {
	for i, e := range v.Entries {
		if i > 0 {
			w.WriteString(strings.Repeat(" ", column))
		}
		if v.Kind == "list" {
			dash := "-" + w.spaces(1)
			if e.Kind != "mapping" && e.Kind != "list" || w.IntN(3) == 0 {
				w.value(e, column, "-")
				continue
			}
			w.WriteString(dash)
			w.block(e, column+len(dash))
			continue
		}
		w.value(e, column, w.key(v.Keys[i])+w.spaces(0)+":")
	}
}

func (w *writer) key(text string) string {
	switch w.IntN(4) {
	case 0:
		return quote(text)
	case 1:
		return "'" + text + "'"
	}
	return text
}

// value writes what follows a key or a dash.
func (w *writer) value(v value, column int, start string) {
	w.WriteString(start)
	switch {
	case v.Kind == "null":
		w.WriteString([]string{"", " ~", " null", " Null"}[w.IntN(4)])
		w.rest()
	case v.Kind == "text" && w.IntN(3) == 0 && canBlock(v.Text):
		w.literal(v.Text, column)
	case v.Kind == "text" || w.IntN(3) == 0:
		w.WriteString(w.spaces(1) + w.inline(v, false, column+1))
		w.rest()
	default:
		w.rest()
		deeper := column + 1 + w.IntN(3)
		if v.Kind == "list" && !strings.HasSuffix(start, "-") && w.IntN(2) == 0 {
			deeper = column
		}
		w.WriteString(strings.Repeat(" ", deeper))
		w.block(v, deeper)
	}
}

func canBlock(text string) bool {
	return text != "" && !strings.HasPrefix(text, " ") && !strings.HasSuffix(text, " ")
}

func (w *writer) literal(text string, column int) {
	indent := strings.Repeat(" ", column+1+w.IntN(3))
	if w.IntN(2) == 0 {
		w.WriteString(" |-\n" + indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n")
		return
	}
	w.WriteString(" >-\n" + indent + strings.ReplaceAll(text, "\n", "\n\n"+indent) + "\n")
}

// inline writes a value that ends on its line, or in brackets over several.
func (w *writer) inline(v value, inFlow bool, column int) string {
	switch v.Kind {
	case "null":
		return []string{"~", "null"}[w.IntN(2)]
	case "text":
		return w.text(v.Text, inFlow, column)
	}
	var parts []string
	for i, e := range v.Entries {
		part := w.inline(e, true, column)
		if v.Kind == "mapping" {
			part = w.key(v.Keys[i]) + ":" + w.spaces(1) + part
			if e.Kind == "null" && w.IntN(2) == 0 {
				part = w.key(v.Keys[i]) + ": "
			}
		}
		if w.IntN(6) == 0 {
			part = "\n" + strings.Repeat(" ", column+w.IntN(4)) + part
		}
		parts = append(parts, w.spaces(0)+part+w.spaces(0))
	}
	inside := strings.Join(parts, ",")
	if w.IntN(4) == 0 {
		inside += ","
	}
	if v.Kind == "list" {
		return "[" + inside + "]"
	}
	return "{" + inside + "}"
}

// text writes a text plain if it can be, else in quotes.
func (w *writer) text(text string, inFlow bool, column int) string {
	plain := map[string]bool{"plain": true, "two words": true, "it's": true, "é漢👍": true, "42": true, `C:\x`: true, "USER#{id}": !inFlow, `say "x"`: true}[text]
	switch {
	case plain && w.IntN(2) == 0:
		if text == "two words" && !inFlow && w.IntN(2) == 0 {
			return "two\n" + strings.Repeat(" ", column) + "words"
		}
		return text
	case w.IntN(2) == 0 && !strings.ContainsAny(text, "\n\t"):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return quote(text)
}

// quote writes a text in double quotes.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "é", `\u00e9`).Replace(text) + `"`
}
