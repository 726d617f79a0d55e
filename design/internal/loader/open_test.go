package loader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// TestOpenHoles says which last values of keys may contain the delimiter.
func TestOpenHoles(t *testing.T) {
	tests := []struct {
		name  string
		items string // keys of A and B, and more of the table
		want  string // the open placeholders
	}{
		{"one entity", `A: { PK: "{a}", SK: "A" }`, "A.PK"},
		{"literals tell apart", `A: { PK: "A#{a}", SK: "A" }, B: { PK: "B#{a}#{b}", SK: "B" }`, "A.PK B.PK"},
		{"another goes on", `A: { PK: "A#{a}", SK: "A" }, B: { PK: "A#{a}#{b}", SK: "B" }`, "B.PK"},
		{"another is longer", `A: { PK: "A#{a}", SK: "A" }, B: { PK: "A#X#Y", SK: "{b}" }`, "B.SK"},
		{"the same form", `A: { PK: "A#{a}", SK: "A" }, B: { PK: "A#{a}", SK: "B#{b}" }`, "A.PK B.PK B.SK"},
		{"both sort keys", `A: { PK: "P#{n}", SK: "S#{a}" }, B: { PK: "P#{n}", SK: "S#{a}#{b}" }`, "B.SK"},
		{"other partitions", `A: { PK: "P#{n}", SK: "S#{a}" }, B: { PK: "Q#{n}", SK: "S#{a}#{b}" }`, "A.SK B.SK"},
		{"after an equal value", `A: { PK: "P#{n}", SK: "{a}#X#{b}" }, B: { PK: "P#{n}", SK: "{a}#Y#{b}#Z" }`, "A.SK"},
		{"after a value, and on", `A: { PK: "P#{n}", SK: "{a}#X#{b}" }, B: { PK: "P#{n}", SK: "{a}#X#{b}#Z" }`, ""},
		{"a counter's rows follow", `A: { PK: "{a}", SK: "A" }, C: { PK: "C", SK: "{a}" }`, "A.PK"},
		{"an attribute is a key", `A: { PK: "A#{a}", SK: "A" }, N: { SK: "N" }`, ""},
		{"a value without # in the partition", `A: { PK: "{a}", SK: "{b}" }, B: { PK: "B#{n}", SK: "X#{a}#{b}" }`, "A.SK B.SK"},
		{"a date begins with a digit", `A: { PK: "P", SK: "J:{a}" }, B: { PK: "P", SK: "{n|pad 3}#{b}" }`, "A.SK B.SK"},
		{"escaped needs none", `A: { PK: "A#{a|escape}", SK: "A" }, B: { PK: "A#{a|escape}#{b|lower}", SK: "B" }`, "B.PK"},
		{"numbers contain none", `A: { PK: "{n}", SK: "{d}" }`, ""},
		{"a guard", `A: { PK: "P", SK: "{a}" } }, guards: { A.b: { PK: "P", SK: "{b}#1" }`, ""},
	}
	for _, test := range tests {
		text := fmt.Sprintf(`
design: Open
entities:
  A: { id: a, attributes: { a: string, b: string, n: int, d: date }, unique: [b] }
  B: { id: [a, b], attributes: { a: string, b: string, n: int } }
  C: { id: a, attributes: { a: string, votes: int }, counters: { votes: { count: B, match: { a: a }, shards: 3 } } }
  N: { id: PK, attributes: { PK: string } }
tables:
  all: { pk: PK, sk: SK, items: { %s } }
patterns: {}
`, test.items)
		var report diag.Report
		d := loader.Load([]loader.Source{{Name: "open.design.yaml", Text: []byte(text)}}, &report)
		if len(d.Tables) != 1 {
			t.Fatalf("%s: %v", test.name, report.Findings())
		}
		var open []string
		for _, item := range d.Tables[0].Items {
			for _, c := range item.Computed {
				for _, part := range c.Template.Parts {
					if part.Open {
						open = append(open, item.Entity.Name+"."+c.Name)
					}
				}
			}
		}
		slices.Sort(open)
		if got := strings.Join(open, " "); got != test.want {
			t.Errorf("%s: open are %q, want %q", test.name, got, test.want)
		}
	}
}
