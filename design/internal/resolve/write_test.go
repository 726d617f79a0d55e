package resolve

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/resolve/internal/plan"
)

// ledger is a design for writes: a composed key and indexes of every kind.
const ledger = `
design: Ledger
entities:
  Job:
    id: id
    unique: [email]
    attributes:
      id: ulid
      team: string
      email: string
      state: enum(open, busy, done)
      due: timestamp
      rank: int
      tries: int
      note: string?
      text: string
  Team:
    id: team
    attributes: { team: string, jobs: int }
tables:
  Ledger:
    pk: PK
    sk: SK
    indexes:
      moves: { pk: P1, sk: S1, project: keys }
      sparse: { pk: P2, sk: S2, project: [text] }
      byrank: { pk: team, sk: rank, project: keys }
    items:
      Job:
        PK: "TEAM#{team}"
        SK: "JOB#{id}"
        P1: "STATE#{state}"
        S1: "{due}#{id}"
        P2: { value: "OPEN", when: state = open }
        S2: { value: "{due}#{id}", when: state = open }
      Team: { PK: "TEAM#{team}", SK: "TEAM" }
    guards:
      Job.email: { PK: "EMAIL#{email|lower}", SK: "EMAIL" }
patterns:
  JobsDue: { list: Job, where: { state: $ }, order: due asc, select: [id], rate: 1/day }
  JobOfTeam: { get: Job, where: { team: $, id: $ }, rate: 1/day }
  P: { %s, rate: 1/day }
`

func describeWrites(p *Plan) string {
	var b strings.Builder
	for _, w := range p.Writes {
		fmt.Fprintf(&b, "%s %s", w.Operation, w.Item.Entity.Name)
		for _, k := range w.Key {
			fmt.Fprintf(&b, ", %s", k)
		}
		for _, c := range w.Checks {
			fmt.Fprintf(&b, ", if %s", c)
		}
		if w.Implied != "" {
			fmt.Fprintf(&b, " (%s)", w.Implied)
		}
		for _, x := range w.Indexes {
			fmt.Fprintf(&b, "; %s %s", x.Entry.Path.Index.Name, x.Change)
			if len(x.Stale) > 0 {
				fmt.Fprintf(&b, " without %s", plan.Names(x.Stale))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(describe(p))
	return b.String()
}

const jobKey = "Job, PK = TEAM#{team}, SK = JOB#{id}"

func TestWrites(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"create", "create: Job", `
PutItem ` + jobKey + `; moves written; sparse written; byrank written
PutItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"create of a known state", "create: Job, set: { state: busy }", `
PutItem ` + jobKey + `; moves written; sparse untouched; byrank written
PutItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"put may move entries", "put: Job", `
PutItem ` + jobKey + `; moves moved; sparse moved; byrank moved
PutItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)
W809 put of Job may replace one whose email is not known, and the guard row of that value stays`},
		{"put without indexes", "put: Team", "PutItem Team, PK = TEAM#{team}, SK = TEAM"},
		{"delete", "delete: Job, where: { team: $, id: $ }", `
DeleteItem ` + jobKey + `, if email = $email; moves written; sparse written; byrank written
DeleteItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"update of nothing indexed", "update: Job, where: { team: $, id: $ }, set: [note]",
			"UpdateItem " + jobKey + "; moves untouched; sparse untouched; byrank untouched"},
		{"update of a projected attribute", "update: Job, where: { team: $, id: $ }, set: [text]",
			"UpdateItem " + jobKey + "; moves untouched; sparse written; byrank untouched"},
		{"update of a key that needs nothing else", "update: Job, where: { team: $, id: $ }, set: { state: done }",
			"UpdateItem " + jobKey + "; moves moved; sparse written; byrank untouched"},
		{"it may enter a partial index", "update: Job, where: { team: $, id: $ }, set: [state]",
			"UpdateItem " + jobKey + ", if due = $due; moves moved; sparse written without due; byrank untouched"},
		{"it can only leave a partial index", "update: Job, where: { team: $, id: $ }, set: [state], if: state = open",
			"UpdateItem " + jobKey + ", if state = open; moves moved; sparse written; byrank untouched"},
		{"it enters and moves", "update: Job, where: { team: $, id: $ }, set: [state, due]",
			"UpdateItem " + jobKey + "; moves moved; sparse moved; byrank untouched"},
		{"due is enough, the id is known", "update: Job, where: { team: $, id: $ }, set: [due], if: state = open",
			"UpdateItem " + jobKey + ", if state = open; moves moved; sparse moved; byrank untouched"},
		{"there is no entry and there will be none", "update: Job, where: { team: $, id: $ }, set: [due, text], if: state = busy",
			"UpdateItem " + jobKey + ", if state = busy; moves moved; sparse untouched; byrank untouched"},
		{"whether there is an entry must be known", "update: Job, where: { team: $, id: $ }, set: [due]",
			"UpdateItem " + jobKey + ", if state = $state; moves moved; sparse moved without state; byrank untouched"},
		{"it enters", "update: Job, where: { team: $, id: $, due: $ }, set: { state: open }, if: state = busy",
			"UpdateItem " + jobKey + ", if due = $due, if state = busy; moves moved; sparse written; byrank untouched"},
		{"nothing to delete in an index", "delete: Job, where: { team: $, id: $, email: $ }, if: 'state in (busy, done)'", `
DeleteItem ` + jobKey + `, if email = $email, if state in (busy, done); moves written; sparse untouched; byrank written
DeleteItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"a native number moves by itself", "update: Job, where: { team: $, id: $ }, add: { rank: 1 }",
			"UpdateItem " + jobKey + "; moves untouched; sparse untouched; byrank moved"},
		{"removing what is no key", "update: Job, where: { team: $, id: $ }, remove: [note]",
			"UpdateItem " + jobKey + "; moves untouched; sparse untouched; byrank untouched"},
		{"a unique value changes", "update: Job, where: { team: $, id: $ }, set: [email]", `
UpdateItem ` + jobKey + `, if email = $old_email; moves untouched; sparse untouched; byrank untouched
DeleteItem guard of Job, PK = EMAIL#{old_email|lower}, SK = EMAIL (guard Job.email)
PutItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"from a known unique value to a constant", "update: Job, where: { team: $, id: $ }, set: { email: a@b }, if: email = $was", `
UpdateItem ` + jobKey + `, if email = $was; moves untouched; sparse untouched; byrank untouched
DeleteItem guard of Job, PK = EMAIL#{was|lower}, SK = EMAIL (guard Job.email)
PutItem guard of Job, PK = EMAIL#a@b, SK = EMAIL (guard Job.email)`},
		{"where says what a new item is", "create: Job, where: { email: A@b, state: busy }", `
PutItem ` + jobKey + `; moves written; sparse untouched; byrank written
PutItem guard of Job, PK = EMAIL#a@b, SK = EMAIL (guard Job.email)`},
		{"surplus is a condition", "update: Job, where: { team: $, id: $, rank: 7 }, set: [note]",
			"UpdateItem " + jobKey + ", if rank = 7; moves untouched; sparse untouched; byrank untouched"},
		{"the key is not known", "update: Job, where: { id: $ }, set: [note]", `
UpdateItem ` + jobKey + `; moves untouched; sparse untouched; byrank untouched
C309 update of Job needs its primary key, and where does not give team
  fix: give team in where`},
		{"an index could find it", "delete: Job, where: { state: $ }", `
DeleteItem ` + jobKey + `, if state = $state, if email = $email; moves written; sparse written; byrank written
DeleteItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)
C309 delete of Job needs its primary key, and where does not give team, id
  fix: give team, id in where, or read it first through Ledger.moves`},
		{"the primary key cannot change", "update: Job, where: { team: $, id: $ }, set: [id, note]", `
UpdateItem ` + jobKey + `, if due = $due, if state = $state; moves moved without due; sparse moved without due, state; byrank untouched
K110 id is part of the primary key of Job and cannot be updated`},
		{"requires", "update: Job, where: { team: $, id: $ }, set: [note], requires: [{ entity: Team, exists: true, where: { team: $ } }]", `
UpdateItem ` + jobKey + `; moves untouched; sparse untouched; byrank untouched
ConditionCheck Team, PK = TEAM#{team}, SK = TEAM (requires Team)`},
		{"requires and changes", "update: Job, where: { team: $, id: $ }, set: [note], requires: [{ entity: Team, where: { team: $ }, change: { jobs: 0 } }]", `
UpdateItem ` + jobKey + `; moves untouched; sparse untouched; byrank untouched
UpdateItem Team, PK = TEAM#{team}, SK = TEAM (requires Team)`},
		{"requires and consumes", "create: Team, requires: [{ entity: Job, where: { team: $, id: $ }, consume: true }]", `
PutItem Team, PK = TEAM#{team}, SK = TEAM
DeleteItem ` + jobKey + `, if email = $email (requires Job); moves written; sparse written; byrank written
DeleteItem guard of Job, PK = EMAIL#{email|lower}, SK = EMAIL (guard Job.email)`},
		{"transact", "transact: [{ update: Team, where: { team: $ }, add: { jobs: 1 } }, { check: Job, where: { team: $, id: $ }, if: state = open }]", `
UpdateItem Team, PK = TEAM#{team}, SK = TEAM
ConditionCheck ` + jobKey + `, if state = open`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := describeWrites(planOf(t, load(t, fmt.Sprintf(ledger, c.pattern)), "P"))
			if diff := cmp.Diff(strings.TrimSpace(c.want), strings.TrimSpace(got)); diff != "" {
				t.Errorf("plan of %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// TestStaleKeys is about templates of several attributes: what an update must know.
func TestStaleKeys(t *testing.T) {
	design := `
design: Stale
entities:
  E: { id: id, attributes: { id: int, a: string, b: string, n: int, o: string? }, version: n%s }
tables:
  Tab: { pk: id, indexes: { idx: { pk: P1, sk: S1, project: keys } }, items: { E: { P1: "{a}#{b}", S1: "%s" } } }
patterns:
  P: { update: E, where: { id: $%s }, %s, rate: 1/day }
`
	for _, c := range []struct{ name, sk, where, change, want string }{
		{"half of a key", "{id}", "", "set: [a]", "moved without b"},
		{"both halves", "{id}", "", "set: [a, b]", "moved"},
		{"the other half in where", "{id}", ", b: $", "set: [a]", "moved"},
		{"the other half is checked", "{id}", "", "set: [a], if: b = x", "moved"},
		{"added in a composed key", "{m|pad 9}", "", "add: { m: 1 }", "moved without m"},
		{"removed", "{o}", "", "remove: [o]", "written"},
		{"set for the first time", "{o}", "", "set: [o], if: o missing", "written"},
		{"set again", "{o}", "", "set: [o]", "moved"},
		{"not a key", "{id}", "", "set: [o]", "untouched"},
	} {
		text := strings.Replace(fmt.Sprintf(design, "", c.sk, c.where, c.change), "o: string?", "o: string?, m: int", 1)
		x := planOf(t, load(t, text), "P").Writes[0].Indexes[0]
		got := string(x.Change)
		if len(x.Stale) > 0 {
			got += " without " + plan.Names(x.Stale)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRequests(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"get", "get: Job, where: { team: $, id: $ }, consistent: true",
			`{"TableName":"Ledger","Key":{"PK":{"S":"TEAM#{team}"},"SK":{"S":"JOB#{id}"}},"ConsistentRead":true}`},
		{"query", "list: Job, where: { state: open, due: lt $now }, filter: { text: begins_with x }, select: [text], order: due desc, limit: 5", `{"TableName":"Ledger","IndexName":"sparse",` +
			`"KeyConditionExpression":"#P2 = :P2 AND #S2 BETWEEN :S2_from AND :S2_to","FilterExpression":"begins_with(#text, :text)","ProjectionExpression":"#text",` +
			`"ExpressionAttributeNames":{"#P2":"P2","#S2":"S2","#text":"text"},` +
			`"ExpressionAttributeValues":{":P2":{"S":"OPEN"},":S2_from":{"S":"0"},":S2_to":{"S":"{now}#"},":text":{"S":"x"}},"ScanIndexForward":false}`},
		{"update", "update: Job, where: { team: $, id: $ }, set: { state: busy }, add: { tries: 1 }, if: state = open", `{"TableName":"Ledger","Key":{"PK":{"S":"TEAM#{team}"},"SK":{"S":"JOB#{id}"}},` +
			`"UpdateExpression":"SET #state = :state, #P1 = :P1 ADD #tries :tries REMOVE #P2, #S2","ConditionExpression":"attribute_exists(#PK) AND #state = :state2",` +
			`"ExpressionAttributeNames":{"#state":"state","#tries":"tries","#P1":"P1","#P2":"P2","#S2":"S2","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":state":{"S":"busy"},":tries":{"N":"1"},":P1":{"S":"STATE#busy"},":state2":{"S":"open"}}}`},
		{"create", "create: Team", `{"TableName":"Ledger","Item":{"PK":{"S":"TEAM#{team}"},"SK":{"S":"TEAM"},"team":{"S":"{team}"},"jobs":{"N":"{jobs}"}},` +
			`"ConditionExpression":"attribute_not_exists(#PK)","ExpressionAttributeNames":{"#PK":"PK"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(ledger, c.pattern)), "P")
			var request any
			if p.Read != nil {
				request = p.Read.Request()
			} else {
				request = p.Writes[0].Request()
			}
			got, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("request of %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// Of the values DynamoDB takes, only a constant of BOOL is not a text in JSON.
func TestConstantsInRequests(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"set", "update: Question, " + whole + ", set: { hidden: true, points: 5 }", `{":hidden":{"BOOL":true},":points":{"N":"5"}}`},
		{"compared", "update: Question, " + whole + ", set: [text], if: hidden = false and points > 2", `{":text":{"S":"{text}"},":hidden":{"BOOL":false},":points":{"N":"2"}}`},
		{"both, one after the other", "update: Question, " + whole + ", set: { hidden: true }, if: hidden = false", `{":hidden":{"BOOL":true},":hidden2":{"BOOL":false}}`},
		{"filtered", "list: Question, where: { project: $ }, filter: { hidden: true }", `":hidden":{"BOOL":true}}`},
		{"a parameter", "update: Question, " + whole + ", set: [hidden]", `{":hidden":{"BOOL":"{hidden}"}}`},
		{"in a new item", "create: Question, set: { hidden: false }", `"hidden":{"BOOL":false},`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(exam, all, c.pattern)), "P")
			var request any
			if p.Read != nil {
				request = p.Read.Request()
			} else {
				request = p.Writes[0].Request()
			}
			got, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), c.want) {
				t.Errorf("request of %s: %s, want %s in it", c.pattern, got, c.want)
			}
		})
	}
}
