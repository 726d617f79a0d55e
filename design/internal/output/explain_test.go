package output

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

const team = `
design: Teams
entities:
  Team:
    id: team
    attributes: { team: ulid, members: int, name: string }
    counters: { members: { count: Member } }
  Member:
    id: [team, user]
    attributes: { team: ulid, user: ulid, team_name: string }
tables:
  app:
    pk: PK
    sk: SK
    items:
      Team: { PK: "T#{team}", SK: "T" }
      Member: { PK: "T#{team}", SK: "M#{user}" }
patterns:
  P: { %s, rate: 1/day }
`

// explanation returns the explanation of the pattern P.
func explanation(t *testing.T, pattern string) string {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "team.design.yaml", Text: fmt.Appendf(nil, team, pattern)}}, &report)
	for _, f := range report.Findings() {
		t.Fatalf("the design of the test: %s %s %s", f.Place, f.Code, f.Message)
	}
	var b bytes.Buffer
	if err := (Explanation{Plan: resolve.New(d).Plan(d.Pattern("P"))}).Text(&b, Style{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTransactionsCountEveryAction(t *testing.T) {
	rename := "transact: [{ update: Team, where: { team: $ }, set: [name] }, { update: Member, where: { team: $, user: $ }, set: { team_name: $name }, each: 50 }]"
	for _, c := range []struct {
		name, pattern string
		want          []string
	}{
		{"an action for each", rename, []string{"TransactWriteItems of 51 actions", "UpdateItem Member in app, 50 of them"}},
		{"a single step for each", "transact: [{ update: Member, where: { team: $, user: $ }, set: [team_name], each: 3 }]", []string{"TransactWriteItems of 3 actions"}},
		{"and the counter", "transact: [{ create: Member, each: 4 }]", []string{"TransactWriteItems of 5 actions", "PutItem Member in app, 4 of them"}},
		{"implied writes alone", "create: Member", []string{"TransactWriteItems of 2 actions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := explanation(t, c.pattern)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %q in\n%s", want, got)
				}
			}
		})
	}
	if got := explanation(t, "update: Team, where: { team: $ }, set: [name]"); strings.Contains(got, "TransactWriteItems") {
		t.Errorf("one write is no transaction:\n%s", got)
	}
}
