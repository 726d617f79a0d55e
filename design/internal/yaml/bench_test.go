package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/parser"

	"sortkey.dev/design/internal/yaml"
)

// BenchmarkRead reads a design of 200 entities and 1,000 patterns, and the library does
// the same beside it.
func BenchmarkRead(b *testing.B) {
	text := []byte(largeDesign(200, 1000))
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, problems := yaml.Read(text); len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parser.ParseBytes(text, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func largeDesign(entities, patterns int) string {
	var b strings.Builder
	b.WriteString("design: Large\nregion: eu-north-1\nentities:\n")
	for i := range entities {
		fmt.Fprintf(&b, "  E%d:\n    id: id\n    doc: Entity number %d.\n    attributes:\n      id: { type: ulid, time: created_at }\n"+
			"      owner: string\n      status: enum(active, gone)\n      created_at: timestamp\n      n: int\n      title: string?\n"+
			"    size: 1KB\n    growth: 50/day\n    keep: 90d\n    per: { owner: { avg: 5, max: 60 } }\n", i, i)
	}
	b.WriteString("tables:\n  large:\n    pk: PK\n    sk: SK\n    items:\n")
	for i := range entities {
		fmt.Fprintf(&b, "      E%d:\n        PK: \"E%d#{id}\"\n        SK: \"E%d\"\n", i, i, i)
	}
	b.WriteString("patterns:\n")
	for i := range patterns {
		fmt.Fprintf(&b, "  P%d:\n    doc: Pattern number %d.\n    list: E%d\n    where: { owner: $, created_at: between $from and $to }\n    filter: { n: gt 3 }\n"+
			"    order: created_at desc\n    select: [id, owner, title]\n    limit: 20\n    rate: 100/day\n    peak: 5/s\n", i, i, i%entities)
	}
	return b.String()
}
