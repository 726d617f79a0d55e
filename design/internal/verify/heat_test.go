package verify

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

const counters = `
design: Counters
entities:
  Counter:
    id: name
    attributes: { name: string, value: int }
    size: 100B
    count: 1000
tables:
  counters:
    pk: name
    items: [Counter]
patterns:
  Hit: { update: Counter, where: { name: hits }, add: { value: 1 }, rate: 1M/day, peak: 400/s }
  Add: { update: Counter, where: { name: $ }, add: { value: 1 }, rate: 1M/day, peak: 400/s }
`

// TestHeatThatContradictsTheEstimate measures calls that take more units than the estimate
// says. Only those on a key that the design states contradict it.
func TestHeatThatContradictsTheEstimate(t *testing.T) {
	var report diag.Report
	layout := resolve.New(loader.Load([]loader.Source{{Name: "counters.design.yaml", Text: []byte(counters)}}, &report))
	if found := report.Findings(); len(found) > 0 {
		t.Fatal(found)
	}
	calls := program.New(layout).Calls
	priced := cost.Price(layout, cost.Options{})
	for _, test := range []struct {
		pattern string
		units   float64
		want    string
	}{
		{"Hit", 1, ""},
		{"Hit", 3, "the key hits of counters takes 120% of a partition's limits at the peak, and the estimate says 40% for the hottest key"},
		{"Add", 3, ""},
	} {
		h := newHeat()
		for _, c := range calls {
			if c.Pattern.Name == test.pattern {
				h.called(c)
				h.loads[c] = []*touched{{resolve.Path{Table: layout.Design().Tables[0]}, "hits", load{wcu: test.units}}}
			}
		}
		var got []string
		for _, d := range h.contradictions(priced) {
			got = append(got, d.Detail)
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s with %v units a call: %q, want %q", test.pattern, test.units, got, test.want)
		}
	}
}
