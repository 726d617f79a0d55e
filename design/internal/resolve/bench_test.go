package resolve

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

// largeDesign has 200 entities in one partition of one table, and 1000 patterns.
func largeDesign(tb testing.TB) *model.Design {
	tb.Helper()
	var entities, items, patterns strings.Builder
	for i := range 200 {
		fmt.Fprintf(&entities, "  E%d: { id: id, attributes: { id: ulid, tenant: string, at: timestamp, state: \"enum(on, off)\" } }\n", i)
		fmt.Fprintf(&items, "      E%d: { PK: \"T#{tenant}\", SK: \"E%d#{id}\", P1: \"T#{tenant}#{state}\", S1: \"E%d#{at}#{id}\" }\n", i, i, i)
		for j, pattern := range []string{
			"get: E%d, where: { tenant: $, id: $ }", "list: E%d, where: { tenant: $ }", "create: E%d",
			"list: E%d, where: { tenant: $, state: on, at: between $a and $b }, order: at desc", "update: E%d, where: { tenant: $, id: $ }, set: [state]",
		} {
			fmt.Fprintf(&patterns, "  P%d_%d: { %s, rate: 1/day }\n", i, j, fmt.Sprintf(pattern, i))
		}
	}
	text := fmt.Sprintf("design: Large\nentities:\n%stables:\n  Tab:\n    pk: PK\n    sk: SK\n    indexes: { idx: { pk: P1, sk: S1 } }\n    items:\n%spatterns:\n%s",
		&entities, &items, &patterns)
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "large.design.yaml", Text: []byte(text)}}, &report)
	if report.Failed() {
		tb.Fatalf("%+v", report.Findings())
	}
	return d
}

func BenchmarkLargeDesign(b *testing.B) {
	d := largeDesign(b)
	for b.Loop() {
		New(d).Collisions()
	}
}

func TestLargeDesignIsServed(t *testing.T) {
	for _, p := range New(largeDesign(t)).Plans() {
		if !p.Served() {
			t.Fatalf("%s: %+v", p.Pattern.Name, p.Problems)
		}
	}
}
