package shape_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access/shape"
)

func TestTallyReadsWhatACounterCounts(t *testing.T) {
	for text, want := range map[string]*shape.Tally{
		"Line match order_id = id where ": {Of: "Line", Mine: []string{"order_id"}, Theirs: []string{"id"}},
		"Order sum total match a = b, c = d where state in NEW, PAID and paid exists  and kind = big one": {
			Of: "Order", Sum: "total", Mine: []string{"a", "c"}, Theirs: []string{"b", "d"},
			Where: []shape.Condition{{Attribute: "state", Op: "in", Values: []string{"NEW", "PAID"}}, {Attribute: "paid", Op: "exists"}, {Attribute: "kind", Op: "=", Values: []string{"big one"}}},
		},
		"Order match a = b where (x = 1 or y = 2)":  nil,
		"Order match a = b where x = this and that": nil,
		"Order": nil,
	} {
		got, ok := shape.Counter{Counts: text}.Tally()
		if ok != (want != nil) {
			t.Errorf("%s: ok is %t", text, ok)
		}
		if diff := cmp.Diff(want, &got); ok && diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
