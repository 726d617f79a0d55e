package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAppendItemOfEveryLength appends names, values and set members that are copied as
// words and longer ones, with a special character at every place.
func TestAppendItemOfEveryLength(t *testing.T) {
	for n := 1; n <= 24; n++ {
		plain := strings.Repeat("z", n)
		checkAppended(t, plain)
		for place := range n {
			for _, special := range []string{`"`, `\`, "\n", "\x00", "\x1f", "é"} {
				checkAppended(t, plain[:place]+special+plain[place+1:])
			}
		}
	}
	for _, n := range []int{127, 128, 129, 300} { // the length of a length changes
		checkAppended(t, strings.Repeat("z", n))
		checkAppended(t, strings.Repeat("z", n-1)+`"`)
	}
}

// checkAppended appends items with text in all places to buffers with more and less
// room and compares the result with what encoding/json wrote.
func checkAppended(t *testing.T, text string) {
	t.Helper()
	for _, want := range []map[string]any{
		{text: map[string]any{"S": text}},
		{text: map[string]any{"SS": []any{text}}},
		{"a": map[string]any{"L": []any{map[string]any{"S": text}}}},
		{"a": map[string]any{"M": map[string]any{text: map[string]any{"S": text}}}, text: map[string]any{"SS": []any{text}}, "~~": map[string]any{"N": "1"}},
	} {
		source, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		item := readItem(t, string(source))
		for _, room := range []int{0, len(source) / 2, 2 * len(source)} {
			answer := appendItem(append(make([]byte, 0, len("head")+room), "head"...), item)
			appended, ok := strings.CutPrefix(string(answer), "head")
			if !ok {
				t.Fatalf("%q lost what it was appended to", answer)
			}
			if diff := cmp.Diff(any(want), decoded(t, appended)); diff != "" {
				t.Fatalf("item (-want +got):\n%s", diff)
			}
		}
	}
}
