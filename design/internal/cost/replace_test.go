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

// TestFixedEntriesAreNotReplaced prices puts of items whose index entry depends on the id alone: one
// that replaces an item does not write the entry again.
func TestFixedEntriesAreNotReplaced(t *testing.T) {
	const text = `
design: Links
entities:
  Tagged: { id: [tag, owner], attributes: { tag: string, owner: ulid }, count: 100 }
  Noted: { id: [tag, owner], attributes: { tag: string, owner: ulid, note: string }, count: 100 }
tables:
  tagged: { pk: tag, sk: owner, indexes: { ByOwner: { pk: owner, sk: tag, project: all } }, items: [Tagged] }
  noted: { pk: tag, sk: owner, indexes: { ByOwner: { pk: owner, sk: tag, project: all } }, items: [Noted] }
patterns:
  Tag: { put: Tagged, rate: 10/day }
  Note: { put: Noted, rate: 10/day }
`
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}, &report)
	if d == nil || report.Failed() {
		t.Fatal(report.Findings())
	}
	e := Price(resolve.New(d), Options{})
	for i, want := range []string{"1", "2"} {
		equal(t, "write units of "+d.Patterns[i].Name, e.Pattern(d.Patterns[i]).Write, want)
	}
}
