package cost

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// TestWritesPayForCounters checks the cost of a declared counter: its item is written in a
// transaction, which doubles the units of both items, and its index entries are written.
func TestWritesPayForCounters(t *testing.T) {
	design := `
design: Exams
entities:
  Project:
    id: project
    attributes: { project: ulid, status: "enum(A, B)", title: string, questions: int }
    %s
    size: 1.5KB
  Question:
    id: [project, question]
    attributes: { project: ulid, question: ulid, text: string }
    size: 500B
tables:
  exams:
    pk: PK
    sk: SK
    %s
    items:
      Project: { PK: "PROJECT#{project}", SK: "PROJECT" }
      Question: { PK: "PROJECT#{project}", SK: "QUESTION#{question}" }
patterns:
  P: { %s, rate: 1/day }
`
	counter := "counters: { questions: { count: Question } }"
	index := "indexes: { largest: { pk: status, sk: questions, project: keys } }"
	rename := "{ update: Project, where: { project: $ }, set: [status] }"
	for _, c := range []struct{ name, counter, index, pattern, units, why string }{
		{"without a counter", "", "", "create: Question", "1", ""},
		{"with one", counter, "", "create: Question", "6", "1 item of 1.5 KB, in a transaction; counter Project.questions"},
		{"in an index, whose entry moves", counter, index, "create: Question", "8", "entry moved"},
		{"on an item that is updated anyway", counter, "", "transact: [{ create: Question }, " + rename + "]", "6", ""},
		{"many of one project", counter, "", "transact: [{ create: Question, each: 10 }]", "24", "counter Project.questions"},
		{"on a small shard", "counters: { questions: { count: Question, shards: 4 } }", index, "create: Question", "4", "one of 4 shards"},
		{"nothing that counts", counter, index, "update: Question, where: { project: $, question: $ }, set: [text]", "1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(design, c.counter, c.index, c.pattern)
			var report diag.Report
			d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}, &report)
			if d == nil || report.Failed() {
				t.Fatalf("the design of the test: %v", report.Findings())
			}
			got := Price(resolve.New(d), Options{}).Patterns[0]
			equal(t, "write units", got.Write, c.units)
			var why []string
			for _, use := range got.Uses {
				why = append(why, use.Why)
			}
			if all := strings.Join(why, "\n"); !strings.Contains(all, c.why) {
				t.Errorf("it says %q, want %q in it", all, c.why)
			}
		})
	}
}
