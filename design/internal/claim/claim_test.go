package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/claim"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

const exams = `
design: Exams
region: us-east-1
free_tier: none
entities:
  Question:
    id: question_id
    tags: [core]
    attributes: { question_id: ulid, project_id: ulid, text: string }
    size: 6KB
    count: 10000
    per: { project_id: { avg: 50, max: 100 } }
  Answer:
    id: [attempt_id, question_id]
    attributes: { attempt_id: ulid, question_id: ulid, selected: string }
    size: 350B
    growth: 2500/day
tables:
  exams:
    pk: PK
    sk: SK
    billing: on-demand
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
    items:
      Question: { PK: "PROJECT#{project_id}", SK: "QUESTION#{question_id}" }
      Answer:
        PK: "ATTEMPT#{attempt_id}"
        SK: "ANSWER#{question_id}"
        GSI1PK: "QUESTION#{question_id}"
        GSI1SK: "ATTEMPT#{attempt_id}"
patterns:
  ListQuestions: { list: Question, where: { project_id: $ }, tags: [core], rate: 500k/month EXPECT }
  FindQuestion: { get: Question, where: { question_id: $ }, tags: [core], rate: 1/day }
  SaveAnswer: { create: Answer, rate: 100k/month }
  ListByQuestion: { list: Answer, where: { question_id: $ }, limit: 10, rate: 1/day }
  Submit:
    transact:
      - { create: Answer, each: 99 }
    rate: 1/day
profiles:
  busy: { scale: 10 }
alternatives:
  two-tables:
    tables:
      Questions: { pk: project_id, sk: question_id, items: [Question] }
      Answers: { pk: attempt_id, sk: question_id, items: [Answer] }
CLAIMS`

// check returns all findings about one design with an expect block and claims.
func check(t *testing.T, expect, claims string) string {
	t.Helper()
	text := strings.Replace(exams, " EXPECT", expect, 1)
	text = strings.Replace(text, "CLAIMS", claims, 1)
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "exams.design.yaml", Text: []byte(text)}}, &report)
	if d == nil || report.Failed() {
		t.Fatalf("the design does not load: %v", report.Findings())
	}
	env := claim.NewEnv(resolve.New(d), cost.Options{})
	var said []string
	all := append([]*model.Claim(nil), d.Claims...)
	for _, p := range d.Patterns {
		all = append(all, p.Claims...)
	}
	for _, c := range all {
		for _, f := range claim.Check(c, env) {
			said = append(said, fmt.Sprintf("%s %s", f.Code, f.Message))
		}
	}
	return strings.Join(said, "\n")
}

// TestDesignFunctions checks the functions that read a design.
func TestDesignFunctions(t *testing.T) {
	for formula, want := range map[string]string{
		"units(ListQuestions)":                           "37.5",
		"calls(ListQuestions)":                           "1",
		"pages(ListQuestions)":                           "1",
		"rate(ListQuestions)":                            "500000",
		"rate(ListQuestions, busy)":                      "5000000",
		"rate(SaveAnswer) * units(SaveAnswer) * write":   "$0.125",
		"units(SaveAnswer)":                              "2",
		"index_writes(SaveAnswer)":                       "1",
		"amplification(SaveAnswer)":                      "2",
		"actions(Submit)":                                "99",
		"tables()":                                       "1",
		"gsis()":                                         "1",
		"indexes(exams)":                                 "1",
		"gsis(\\\"exams\\\")":                            "1",
		"key_attributes()":                               "4",
		"patterns()":                                     "5",
		"patterns(core)":                                 "2",
		"served(core)":                                   "1",
		"entities(core)":                                 "1",
		"items(Question)":                                "10000",
		"items(Question, busy)":                          "100000",
		"size(Question) / 1KB":                           "6",
		"size(Answer)":                                   "350",
		"alternative(two-tables, tables())":              "2",
		"alternative(two-tables, gsis()) + gsis()":       "1",
		"alternative(two-tables, units(SaveAnswer))":     "1",
		"alternative(two-tables, units(ListByQuestion))": "0",
		"writes() - writes(busy) / 10":                   "0",
		"total() - month(on_demand)":                     "$0.00",
		"total() - table(exams)":                         "$0.00",
		"storage() - stored() * storage":                 "$0.00",
		"free(writes) + free(rcu)":                       "0",
		"month(provisioned) - month(reserved1)":          "$0.00",
		"max(1, reads() / 1M)":                           "18.8",
	} {
		if said := check(t, "", claimOf(want, "is", formula)); said != "" {
			t.Errorf("%s: %s", formula, said)
		}
	}
}

func claimOf(says, key, formula string) string {
	return fmt.Sprintf("expect:\n  - { claim: something, says: \"%s\", %s: \"%s\" }\n", says, key, formula)
}

func TestCheckFindings(t *testing.T) {
	for _, test := range []struct{ name, expect, claims, want string }{
		{"a wrong number", "", claimOf("$0.06", "is", "rate(ListQuestions) * units(ListQuestions) * read"),
			`X951 "something": the document says $0.06, but it is $2.34: 39 times too little`},
		{"a wrong sum", "", claimOf("$20.25", "worked", "5 * (0.09 + 0.47) + 1.25"),
			`X952 "something": the document's calculation gives $4.05, not the stated $20.25: 5 times too much`},
		{"a wrong text", "", claimOf("u3qcnm", "is", "geohash(52.2297, 21.0122, 6)"), `X951 "something": the document says u3qcnm, but it is u3qcnh`},
		{"a pattern nothing serves is named", "", claimOf("1", "is", "alternative(two-tables, calls(ListByQuestion))"),
			`X951 "something": the document says 1, but it is 0 (no key serves ListByQuestion)`},
		{"how many are served", "", claimOf("2", "is", "served(core)"),
			`X951 "something": the document says 2, but it is 1: 2 times too much (no key serves FindQuestion)`},
		{"a formula that cannot be read", "", claimOf("2", "is", "2 +* 1"), `X953 Unexpected "*"; expected a number, a name or "("`},
		{"an argument where none belongs", "", claimOf("1", "is", "tables(1)"), `X953 Unexpected "1"; expected ")" of tables()`},
		{"a number where a text is stated", "", claimOf("many", "is", "2 + 1"), `X953 The formula gives 3, which cannot be compared with the stated "many"`},
		{"a claim with nothing to compare", "", "expect:\n  - { claim: it is fast, says: 5 }\n", ""},
		{"units of a pattern", ", expect: { units: 1 }", "", "X951 ListQuestions is stated to take 1 unit a call, but takes 37.5: 38 times too little"},
		{"price of a pattern", ", expect: { price: $1 }", "", "X951 ListQuestions is stated to take $1 a month on demand, but takes $2.34: 2.3 times too little"},
		{"reads of a pattern", ", expect: { reads: 37.5, writes: 0, pages: 1, calls: 1 }", "", ""},
	} {
		if got := check(t, test.expect, test.claims); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
