package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// scanDesign has scans of a table with several entities that a type, or only their keys, tell
// apart, of an index, and of a table with one entity.
const scanDesign = `
design: Scans
entities:
  User:
    id: user_id
    attributes: { user_id: ulid, email: string, team: string, visits: int?, born: date? }
    unique: [email]
    counters: { visits: { count: Visit, shards: 3 } }
    count: 10
  Team:
    id: team
    attributes: { team: string, level: int, open: bool }
    count: 5
  Visit:
    id: [user_id, visit_id]
    attributes: { user_id: ulid, visit_id: ulid, at: timestamp, page: string, tags: set<string>? }
    per: { user_id: 3 }
  Event:
    id: event_id
    attributes: { event_id: ulid, kind: "enum(on, off)", level: int? }
    count: 10
tables:
  scan-app:
    pk: PK
    sk: SK
    TYPE
    indexes: { byTeam: { pk: P1, sk: S1 } }
    items:
      User: { PK: "USER#{user_id}", SK: "USER", P1: "TEAM#{team}", S1: "{email}#{user_id}" }
      Team: { PK: "TEAM#{team}", SK: "TEAM" }
      Visit: { PK: "USER#{user_id}", SK: "VISIT#{visit_id}" }
    guards:
      User.email: { PK: "EMAIL#{email}", SK: "EMAIL" }
  scan-events: { pk: event_id, items: [Event] }
patterns:
  AllUsers: { scan: User, rate: 1/day }
  FreshUsers: { scan: User, consistent: true, rate: 1/day }
  AllTeams: { scan: Team, filter: { level: gte $, open: true }, select: [team, level], rate: 1/day }
  SomeTeams: { scan: Team, limit: 2, rate: 1/day }
  AllVisits: { scan: Visit, segments: 4, rate: 1/day }
  VisitsOf: { scan: Visit, filter: { page: in $, at: between $from and $to, tags: $ }, rate: 1/day }
  AllEvents: { scan: Event, rate: 1/day }
  SomeEvents: { scan: Event, limit: 3, filter: { kind: on }, rate: 1/day }
  EventsAtLevel: { list: Event, where: { level: gt $ }, rate: 1/day, accept: { C301: there are few }, select: [kind] }
  TeamsAtLevel: { list: Team, where: { level: $, open: $ }, rate: 1/day, accept: { C301: there are few } }
  AddVisit: { create: Visit, rate: 1/day }
  AddEvent: { create: Event, rate: 1/day }
  SaveTeam: { put: Team, rate: 1/day }
`

func TestScansHaveNoDifferences(t *testing.T) {
	for name, with := range map[string]string{"by type": "type: kind", "by key": "class: standard"} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(scanDesign, "TYPE", with, 1)
			l := layoutFrom(t, []loader.Source{{Name: "scans.design.yaml", Text: []byte(text)}})
			report := run(t, l, verify.Options{Seed: 3, Runs: 40})
			for _, p := range report.Patterns {
				for _, d := range p.Differences {
					t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
				}
				if p.Found == 0 {
					t.Errorf("%s: none of %d calls found something or succeeded", p.Name, p.Calls)
				}
			}
			for _, d := range report.Leftover {
				t.Errorf("afterwards: %s: %s", d.Kind, d.Detail)
			}
		})
	}
}

// A forgetful API answers scans without their filter, or drops the last item of each page.
type forgetful struct {
	*engine.API
	filter bool
}

func (f forgetful) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	asked := *in
	if f.filter {
		asked.FilterExpression, asked.ExpressionAttributeNames, asked.ExpressionAttributeValues = nil, nil, nil
		asked.ProjectionExpression = nil
	}
	out, err := f.API.Scan(ctx, &asked, o...)
	if err == nil && !f.filter && len(out.Items) > 0 {
		out.Items = out.Items[:len(out.Items)-1]
	}
	return out, err
}

func TestWrongScansAreFound(t *testing.T) {
	text := strings.Replace(scanDesign, "TYPE", "type: kind", 1)
	for kind, filter := range map[string]bool{"surplus": true, "missing": false} {
		db, err := engine.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		l := layoutFrom(t, []loader.Source{{Name: "scans.design.yaml", Text: []byte(text)}})
		report, err := verify.Run(t.Context(), l, forgetful{db.API(), filter}, verify.Options{Seed: 3, Only: []string{"AllTeams", "TeamsAtLevel"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Patterns {
			if len(p.Differences) == 0 || p.Differences[0].Kind != kind {
				t.Errorf("%s: %s is not found: %v", p.Name, kind, p.Differences)
			}
		}
	}
}
