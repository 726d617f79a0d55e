package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/yaml"
)

const smallDesign = "design: App\nentities: { User: { id: a, attributes: { a: int } } }\ntables: { app: { pk: a, items: [User] } }\n"

func codesOf(text string) string {
	var report diag.Report
	Load([]Source{{Name: "x", Text: []byte(text)}}, &report)
	var codes []string
	for _, f := range report.Findings() {
		codes = append(codes, string(f.Code))
	}
	return strings.Join(codes, " ")
}

// TestLimits checks every limit on both sides.
func TestLimits(t *testing.T) {
	patterns := func(n int) string {
		var b strings.Builder
		b.WriteString(smallDesign + "patterns:\n")
		for i := range n {
			fmt.Fprintf(&b, "  P%d: { get: User, where: { a: $ }, rate: 1/s }\n", i)
		}
		return b.String()
	}
	comment := func(bytes int) string {
		text := patterns(1)
		return text + "#" + strings.Repeat("x", bytes-len(text)-1)
	}
	flow := func(depth int) string {
		return smallDesign + "patterns: " + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "\n"
	}
	blocks := func(depth int) string {
		var b strings.Builder
		for i := range depth {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		name         string
		inside, over string
		code, still  string // of the text over the limit, and of the one inside
	}{
		{"bytes", comment(yaml.MaxBytes), comment(yaml.MaxBytes + 1), "F010", ""},
		{"findings", smallDesign + "patterns: { " + strings.Repeat("A: , ", maxFindings-1) + "}", smallDesign + "patterns: { " + strings.Repeat("A: , ", 5*maxFindings) + "}",
			strings.Repeat("F003 ", maxFindings-1) + "F010", "F005" + strings.Repeat(" F003", maxFindings-2)},
		{"brackets", flow(yaml.MaxDepth), flow(yaml.MaxDepth + 1), "F010", "F005"},
		{"entries", patterns(maxEntries), patterns(maxEntries + 1), "F010", ""},
		{"blocks", blocks(yaml.MaxDepth), blocks(yaml.MaxDepth + 1), "F010", "F002 F004 F004 F004 F004"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := codesOf(c.inside); got != c.still {
				t.Errorf("inside the limit: %.80s, want %.80q", got, c.still)
			}
			if got := codesOf(c.over); got != c.code {
				t.Errorf("over the limit: %.80s, want %.80s", got, c.code)
			}
		})
	}
}

func TestRead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a [strange] name")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), Suffix) {
		t.Errorf("an empty folder: %v", err)
	}
	for _, name := range []string{"b" + Suffix, "a" + Suffix, "notes.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("design: "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range sources {
		names = append(names, filepath.Base(s.Name))
	}
	if got := strings.Join(names, " "); got != "a.design.yaml b.design.yaml" {
		t.Errorf("read %s", got)
	}
	one, err := Read(filepath.Join(folder, "notes.yaml"))
	if err != nil || len(one) != 1 || string(one[0].Text) != "design: notes.yaml" {
		t.Errorf("one file: %v %v", one, err)
	}
	if _, err := Read(filepath.Join(folder, "missing.yaml")); err == nil {
		t.Error("a missing file was read")
	}
}

// BenchmarkLoad reads a design of 200 entities and 1,000 patterns.
func BenchmarkLoad(b *testing.B) {
	text := largeDesign(200, 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var report diag.Report
		if d := Load([]Source{{Name: "x", Text: []byte(text)}}, &report); d == nil || len(d.Patterns) != 1000 || len(report.Findings()) > 0 {
			b.Fatalf("the design was not read: %v", report.Findings())
		}
	}
}

func largeDesign(entities, patterns int) string {
	var b strings.Builder
	b.WriteString("design: Large\nregion: eu-north-1\nentities:\n")
	for i := range entities {
		fmt.Fprintf(&b, "  E%d:\n    id: id\n    doc: Entity number %d.\n    attributes:\n      id: { type: ulid, time: created_at }\n"+
			"      owner: string\n      status: enum(active, gone)\n      created_at: timestamp\n      n: int\n      title: string?\n"+
			"    size: 1KB\n    growth: 50/day\n    keep: 90d\n    per: { owner: { avg: 5, max: 60 } }\n", i, i)
	}
	b.WriteString("tables:\n  large:\n    pk: PK\n    sk: SK\n    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK } }\n    items:\n")
	for i := range entities {
		fmt.Fprintf(&b, "      E%d:\n        PK: \"E%d#{id}\"\n        SK: \"E%d\"\n        GSI1PK: \"O#{owner}\"\n        GSI1SK: { value: \"E%d#{created_at}\", when: status = active }\n", i, i, i, i)
	}
	b.WriteString("patterns:\n")
	for i := range patterns {
		fmt.Fprintf(&b, "  P%d:\n    doc: Pattern number %d.\n    list: E%d\n    where: { owner: $, created_at: between $from and $to }\n    filter: { n: gt 3 }\n"+
			"    order: created_at desc\n    select: [id, owner, title]\n    limit: 20\n    rate: 100/day\n    peak: 5/s\n", i, i, i%entities)
	}
	return b.String()
}
