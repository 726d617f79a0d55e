package diag

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	verbs := []string{"check", "compare", "cost", "explain", "fmt", "init", "report", "schema", "serve"}
	for _, c := range []struct{ typed, want string }{
		{"chekc", "check"},         // neighbours swapped
		{"check", "check"},         // itself
		{"CHECK", "check"},         // case is no mistake
		{"costs", "cost"},          // one letter too many
		{"rport", "report"},        // one too few
		{"servr", "serve"},         // one wrong
		{"xyzzy", ""},              // nothing near
		{"", ""},                   // nothing at all
		{"explanation", "explain"}, // half of it is right
		{"compile", "compare"},     // the nearest of several, not the first
		{"y", ""},                  // another letter is another name
		{"X", "x"},
		{"ic", "id"},
	} {
		got, ok := Nearest(c.typed, append(verbs, "x", "id"))
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", c.typed, got, ok, c.want)
		}
	}
}

func TestNamesTooLongToGuess(t *testing.T) {
	longest := strings.Repeat("a", maxName)
	if _, ok := Nearest(longest, []string{longest + "b"}); !ok {
		t.Error("the longest name got no suggestion")
	}
	if got, ok := Nearest(longest+"a", []string{longest}); ok {
		t.Errorf("a name that is too long got %q", got)
	}
}
