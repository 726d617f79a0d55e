package design

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkCheck loads and checks a very large design: 200 entities in ten tables, 1,000
// patterns of all verbs.
func BenchmarkCheck(b *testing.B) {
	text := []byte(largeDesign(200, 1000))
	findings, err := Check([]*Design{Parse("large.design.yaml", text)}, CheckOptions{})
	if err != nil {
		b.Fatal(err)
	}
	if failed, _ := findings.Failed("error"); failed {
		b.Fatalf("the large design has errors: %v", findings.Findings.Findings[:1])
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Check([]*Design{Parse("large.design.yaml", text)}, CheckOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeDesign checks the benchmark's design: its size, and that every pattern is served.
func TestLargeDesign(t *testing.T) {
	d := Parse("large.design.yaml", []byte(largeDesign(200, 1000)))
	if len(d.model.Entities) != 200 || len(d.model.Patterns) != 1000 {
		t.Fatalf("%d entities and %d patterns", len(d.model.Entities), len(d.model.Patterns))
	}
	findings, err := Check([]*Design{d}, CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if failed, _ := findings.Failed("error"); failed {
		t.Errorf("errors in it: %v", findings.Findings.Findings[:1])
	}
}

func largeDesign(entities, patterns int) string {
	var b strings.Builder
	b.WriteString("design: Large\nregion: us-east-1\n\nentities:\n")
	for i := range entities {
		fmt.Fprintf(&b, `  Thing%d:
    doc: Thing number %d.
    id: thing_id
    attributes:
      thing_id: { type: ulid, time: created_at }
      owner_id: ulid
      status: enum(open, done)
      created_at: timestamp
      title: string
      count: int
    size: 1KB
    growth: 50/day
    per: { owner_id: { avg: 5, max: 60 } }
`, i, i)
	}
	b.WriteString("\ntables:\n")
	for table := range 10 {
		fmt.Fprintf(&b, "  table%d:\n    pk: PK\n    sk: SK\n    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK } }\n    items:\n", table)
		for i := table; i < entities; i += 10 {
			fmt.Fprintf(&b, `      Thing%[1]d:
        PK: "OWNER#{owner_id}"
        SK: "T%[1]d#{thing_id}"
        GSI1PK: "T%[1]d#{thing_id}"
        GSI1SK: "T%[1]d"
`, i)
		}
	}
	b.WriteString("\npatterns:\n")
	for i := range patterns {
		e := i % entities
		switch i / entities {
		case 0:
			fmt.Fprintf(&b, "  Create%d: { create: Thing%d, rate: 50/day }\n", i, e)
		case 1:
			fmt.Fprintf(&b, "  Get%d: { get: Thing%d, where: { thing_id: $ }, rate: 500/day }\n", i, e)
		case 2:
			fmt.Fprintf(&b, "  List%d:\n    doc: Newest first.\n    list: Thing%d\n    where: { owner_id: $ }\n    order: created_at desc\n    limit: 20\n    rate: 100/day\n    peak: 5/s\n", i, e)
		case 3:
			fmt.Fprintf(&b, "  Close%d:\n    update: Thing%d\n    where: { owner_id: $, thing_id: $ }\n    set: { status: done }\n    if: status = open\n    rate: 40/day\n", i, e)
		default:
			fmt.Fprintf(&b, "  Count%d:\n    update: Thing%d\n    where: { owner_id: $, thing_id: $ }\n    add: { count: 1 }\n    rate: 200/day\n", i, e)
		}
	}
	return b.String()
}
