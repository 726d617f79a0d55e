package cost

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// TestPutThatNeedsAbsenceReplacesNothing compares a put that may replace an item, which moves its
// index entry, with one that succeeds only if there is none.
func TestPutThatNeedsAbsenceReplacesNothing(t *testing.T) {
	const text = `
design: Claims
entities:
  Claim: { id: key, attributes: { key: ulid, owner: string, note: string? }, size: 300B, count: 10 }
tables:
  claims: { pk: key, indexes: { ByOwner: { pk: owner } }, items: [Claim] }
patterns:
  Take: { put: Claim, IF rate: 10/day }
  ListOwned: { list: Claim, where: { owner: $ }, limit: 10, rate: 1/day }
`
	for condition, want := range map[string]string{"": "3", "if: key missing,": "2", "if: note missing,": "3"} {
		var report diag.Report
		d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(strings.Replace(text, "IF", condition, 1))}}, &report)
		if d == nil || report.Failed() {
			t.Fatal(report.Findings())
		}
		e := Price(resolve.New(d), Options{})
		equal(t, "write units with "+condition, e.Pattern(d.Patterns[0]).Write, want)
	}
}
