package formatter

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormatIgnoresOriginalLayout writes random trees in two sloppy ways. Both must be
// formatted the same.
func TestFormatIgnoresOriginalLayout(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		tree := randomTree(random, 0)
		var versions [2]string
		for i := range versions {
			w := &sloppyWriter{Rand: rand.New(rand.NewPCG(seed, uint64(i)+2))}
			w.block(tree, 0, "")
			versions[i] = w.String()
		}
		one, other := format(t, versions[0]), format(t, versions[1])
		if diff := cmp.Diff(one, other); diff != "" {
			t.Fatalf("seed %d: (-one +other):\n%s\nwritten as\n%s\nand\n%s", seed, diff, versions[0], versions[1])
		}
		if strings.Contains(one, " \n") || strings.Contains(one, "\n\n\n") || strings.Contains(one, "  #") && strings.Contains(one, ":  ") {
			t.Errorf("seed %d: not canonical:\n%s", seed, one)
		}
		for line := range strings.Lines(one) {
			if spaces := len(line) - len(strings.TrimLeft(line, " ")); spaces%2 != 0 {
				t.Errorf("seed %d: an odd indentation: %q", seed, line)
			}
		}
	}
}

// A sketch is a tree to write.
type sketch struct {
	key     string
	text    string // of a scalar
	list    bool
	flow    bool
	comment string // at the end of its line
	above   string // on the line above
	blank   bool   // a blank line above
	inside  []sketch
}

func randomTree(random *rand.Rand, depth int) sketch {
	s := sketch{list: depth > 0 && random.IntN(3) == 0, flow: depth > 0 && random.IntN(3) == 0}
	for i := range random.IntN(4) + 1 {
		var c sketch
		if depth < 4 && random.IntN(2) == 0 {
			c = randomTree(random, depth+1)
		} else {
			c.text = []string{"plain", "two words", "42", "$", "'quoted'", "'USER#{id}'", "between $a and $b", "enum(A)"}[random.IntN(8)]
		}
		c.key = fmt.Sprintf("key_%d", i)
		if !s.flow && random.IntN(4) == 0 {
			c.above = fmt.Sprintf("# above %d", random.IntN(100))
		}
		if !s.flow && random.IntN(4) == 0 && (c.text != "" || !s.list) {
			c.comment = fmt.Sprintf("# beside %d", random.IntN(100))
		}
		c.blank = !s.flow && random.IntN(4) == 0
		s.inside = append(s.inside, c)
	}
	return s
}

// A sloppyWriter writes a tree with random spacing.
type sloppyWriter struct {
	strings.Builder
	*rand.Rand
}

func (w *sloppyWriter) spaces(least int) string { return strings.Repeat(" ", least+w.IntN(3)) }

// block writes the entries of a tree from a column on; the first one after the prefix.
func (w *sloppyWriter) block(s sketch, column int, prefix string) {
	for _, c := range s.inside {
		if prefix == "" {
			if c.blank {
				w.WriteString(strings.Repeat("\n", 1+w.IntN(3)))
			}
			if c.above != "" {
				w.WriteString(strings.Repeat(" ", column) + c.above + w.spaces(0) + "\n")
			}
			prefix = strings.Repeat(" ", column)
		}
		w.entry(s, c, column, prefix)
		prefix = ""
	}
}

func (w *sloppyWriter) entry(parent, c sketch, column int, prefix string) {
	w.WriteString(prefix)
	comment := ""
	if c.comment != "" {
		comment = w.spaces(1) + c.comment
	}
	if !parent.list {
		w.WriteString(c.key + ":")
	}
	switch {
	case parent.list && (c.text != "" || c.flow):
		w.WriteString("-" + w.spaces(1) + w.inline(c) + comment + "\n")
	case parent.list:
		dash := "-" + w.spaces(1)
		c.inside[0].above, c.inside[0].blank = "", false // it is on the line of the dash
		w.block(c, column+len(dash), dash)
	case c.text != "" || c.flow:
		w.WriteString(w.spaces(1) + w.inline(c) + comment + "\n")
	default:
		w.WriteString(comment + w.spaces(0) + "\n")
		deeper := column + 1 + w.IntN(5)
		if c.list && w.IntN(2) == 0 {
			deeper = column
		}
		w.block(c, deeper, "")
	}
}

// inline writes a scalar, or a tree in brackets.
func (w *sloppyWriter) inline(s sketch) string {
	if s.text != "" {
		if w.IntN(2) == 0 {
			return strings.ReplaceAll(s.text, "'", `"`)
		}
		return s.text
	}
	var parts []string
	for _, c := range s.inside {
		part := w.inline(c)
		if !s.list {
			part = c.key + ":" + w.spaces(1) + part
		}
		parts = append(parts, w.spaces(0)+part+w.spaces(0))
	}
	if s.list {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}
