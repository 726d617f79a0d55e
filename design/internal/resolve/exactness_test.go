package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/model"
)

func TestFiltersOnKeyAttributes(t *testing.T) {
	table := "pk: customer\nsk: due\nindexes: { idx: { pk: city, sk: [status, created_at] } }\nitems: [Order]"
	refused := func(path, name string) string {
		return fmt.Sprintf("C301 no key serves it; nearest is %s, but DynamoDB does not filter by a key attribute, here %s; ask for it in where\n"+
			"  fix: ask for %s in where as a range or one value, or drop what does not fit after the read", path, name, name)
	}
	runReads(t, []readCase{
		{"it becomes a key condition", table, "list: Order, where: { customer: $ }, filter: { due: gt $x, status: open }",
			"Query Shop: customer = {customer}, due > {x}, filter status = open"},
		{"of an index too", table, "list: Order, where: { city: $, status: $ }, filter: { created_at: gt $x }",
			"Query Shop.idx: city = {city}, status = {status}, created_at > {x}"},
		{"not behind a gap", table, "list: Order, where: { city: $ }, filter: { created_at: gt $x }", refused("Shop.idx", "created_at")},
		{"no second range", table, "list: Order, where: { customer: $, due: gt $x }, filter: { due: lt $y }", refused("Shop", "due")},
		{"nor several values", table, "list: Order, where: { customer: $ }, filter: { due: in $days }", refused("Shop", "due")},
		{"keys of the table are no keys of the index", table, "list: Order, where: { city: $, status: $ }, filter: { due: gt $x }",
			"Query Shop.idx: city = {city}, status = {status}, filter due > $x"},
		{"what a composed key is made of is an attribute", single("C#{customer}", "{due}#{id}"), "list: Order, where: { customer: $ }, filter: { due: gt $x }",
			"Query Shop: PK = C#{customer}, filter due > $x"},
	})
}

func TestRangesThatFindNothing(t *testing.T) {
	runReads(t, []readCase{
		{"below the first value", single("C#{customer}", "S#{status}"), "list: Order, where: { customer: $, status: lt done }",
			"Query Shop: PK = C#{customer}, SK between S#d and S#dond\\u{10FFFF}\nF006 status < done finds nothing: no status is below done"},
		{"above the last value", single("C#{customer}", "S#{status}"), "list: Order, where: { customer: $, status: gt paid }",
			"Query Shop: PK = C#{customer}, SK between S#paid# and S#q\nF006 status > paid finds nothing: no status is above paid"},
		{"below zero", single("C#{customer}", "{total|pad 1}"), "list: Order, where: { customer: $, total: lt 0 }",
			"Query Shop: PK = C#{customer}, SK between /\\u{10FFFF} and /\\u{10FFFF}\nF006 total < 0 finds nothing: no total is below 0"},
		{"below any digit", single("C#{customer}", "{total|pad 1}"), "list: Order, where: { customer: $, total: lt $x }",
			"Query Shop: PK = C#{customer}, SK between /\\u{10FFFF} and {x|pad 1|before}"},
		{"up to zero", single("C#{customer}", "{total|pad 1}"), "list: Order, where: { customer: $, total: lte 0 }",
			"Query Shop: PK = C#{customer}, SK between 0 and 0"},
		{"no other entity lies between", both(`"C#{customer}|{total|pad 1}"`, `"C#{customer}|/{text}"`), "list: Order, where: { customer: $, total: lt $x }",
			"Query Shop: PK = C#{customer}, SK between /\\u{10FFFF} and {x|pad 1|before}"},
	})
}

// TestBoundsAreNeverInverted asks for what is below and above every value of small
// types: DynamoDB refuses a BETWEEN whose lower end is above the upper one.
func TestBoundsAreNeverInverted(t *testing.T) {
	types := map[string][]string{
		"enum(A, B, C)":  {"A", "B", "C"},
		"enum(a, ab, b)": {"a", "ab", "b"},
		"int":            {"0", "1", "9"},
		"geohash":        {"0", "00", "z"},
		"string":         {"a", " ", "!", "a b"},
	}
	for typ, values := range types {
		hole := "{v}"
		if typ == "int" {
			hole = "{v|pad 1}"
		}
		for _, template := range []string{"E#" + hole, hole, "E#" + hole + "#", hole + "#{id}"} {
			for _, op := range rangeOps {
				c := planOf(t, load(t, rangeDesign(typ, template, "#", op)), "Range").Read.Sort[0]
				for _, x := range values {
					params := map[string]string{"x": x, "y": x}
					low, high := fill(c.Low, params, nil), fill(c.High, params, nil)
					if c.Op == model.Between && low > high {
						t.Errorf("%s %s of %s: BETWEEN %q AND %q", template, op, x, low, high)
					}
				}
			}
		}
	}
}

func requestOf(t *testing.T, table, pattern string) string {
	t.Helper()
	p := planOf(t, load(t, fmt.Sprintf(shop, tableOf(table), pattern)), "P")
	if p.Read == nil {
		t.Fatalf("%s is not served: %+v", pattern, p.Problems)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p.Read.Request()); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestRequestsOfReads(t *testing.T) {
	local := "pk: PK\nsk: SK\nindexes: { idx: { local: true, sk: due, project: keys } }\nitems: { Order: { PK: \"C#{customer}\", SK: \"O#{id}\" } }"
	cases := []struct{ name, table, pattern, want string }{
		{"a value inside a key is read out of the key", local, "list: Order, where: { customer: $, due: gt $x }, select: [id, due, customer]",
			`{"TableName":"Shop","IndexName":"idx","KeyConditionExpression":"#PK = :PK AND #due > :due","ProjectionExpression":"#SK, #due, #PK",` +
				`"ExpressionAttributeNames":{"#PK":"PK","#due":"due","#SK":"SK"},"ExpressionAttributeValues":{":PK":{"S":"C#{customer}"},":due":{"S":"{x}"}}}`},
		{"all of an item comes from the table", local, "list: Order, where: { customer: $, due: gt $x }",
			`{"TableName":"Shop","IndexName":"idx","KeyConditionExpression":"#PK = :PK AND #due > :due","Select":"ALL_ATTRIBUTES",` +
				`"ExpressionAttributeNames":{"#PK":"PK","#due":"due"},"ExpressionAttributeValues":{":PK":{"S":"C#{customer}"},":due":{"S":"{x}"}}}`},
		{"what a filter needs is fetched too", local, "list: Order, where: { customer: $, due: gt $x }, filter: { city: Oslo }, select: [id]",
			`{"TableName":"Shop","IndexName":"idx","KeyConditionExpression":"#PK = :PK AND #due > :due","FilterExpression":"#city = :city","ProjectionExpression":"#SK, #city",` +
				`"ExpressionAttributeNames":{"#PK":"PK","#due":"due","#city":"city","#SK":"SK"},"ExpressionAttributeValues":{":PK":{"S":"C#{customer}"},":due":{"S":"{x}"},":city":{"S":"Oslo"}}}`},
		{"bounds are the characters themselves", single("C#{customer}", "O#{city}"), "list: Order, where: { customer: $, city: gt $x }",
			`{"TableName":"Shop","KeyConditionExpression":"#PK = :PK AND #SK BETWEEN :SK_from AND :SK_to","ExpressionAttributeNames":{"#PK":"PK","#SK":"SK"},` +
				`"ExpressionAttributeValues":{":PK":{"S":"C#{customer}"},":SK_from":{"S":"O#{x}\u0000"},":SK_to":{"S":"O#\udbff\udfff"}}}`},
		{"a list of values", "pk: customer\nsk: id\nitems: [Order]", "list: Order, where: { customer: $ }, filter: { status: in $statuses }",
			`{"TableName":"Shop","KeyConditionExpression":"#customer = :customer","FilterExpression":"#status IN (:statuses…)","ExpressionAttributeNames":{"#customer":"customer","#status":"status"},` +
				`"ExpressionAttributeValues":{":customer":{"S":"{customer}"},":statuses…":[{"S":"{statuses}"}]}}`},
		{"listed values", "pk: customer\nsk: id\nitems: [Order]", "list: Order, where: { customer: $ }, filter: { status: [open, paid] }",
			`{"TableName":"Shop","KeyConditionExpression":"#customer = :customer","FilterExpression":"#status IN (:status, :status2)","ExpressionAttributeNames":{"#customer":"customer","#status":"status"},` +
				`"ExpressionAttributeValues":{":customer":{"S":"{customer}"},":status":{"S":"open"},":status2":{"S":"paid"}}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, requestOf(t, c.table, c.pattern)); diff != "" {
				t.Errorf("request of %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

func TestCollectsOfFreeText(t *testing.T) {
	design := func(typ, team, patterns string) string {
		return fmt.Sprintf(`
design: Teams
entities:
  Team: { id: team, attributes: { team: %[1]s, org: string } }
  Member: { id: [team, member], attributes: { team: %[1]s, org: string, member: ulid, status: "enum(IN, OUT)" } }
tables:
  tms: { pk: PK, sk: SK, items: { Team: { PK: "ORG#{org}", SK: "%[2]s" }, Member: { PK: "ORG#{org}", SK: "TEAM#{team}#M#{member}" } } }
patterns:
  P: { collect: [Team, Member], where: { org: $, team: $ }, limit: 50, rate: 1/day }
%[3]s`, typ, team, patterns)
	}
	between := "Query tms: PK = ORG#{org}, SK between TEAM#{team} and TEAM#{team}$\n"
	for _, c := range []struct{ name, typ, team, want string }{
		{"free text leaks", "string", "TEAM#{team}", between +
			"C305 tms returns those of other team too, which go on with a space, ! or \": SK between TEAM#{team} and TEAM#{team}$\n"},
		{"numbers do not", "int", "TEAM#{team}", between},
		{"a suffix ends it", "string", "TEAM#{team}#META", "Query tms: PK = ORG#{org}, SK begins_with TEAM#{team}#\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, describe(planOf(t, load(t, design(c.typ, c.team, "")), "P"))); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
	filtered := "  F: { collect: [Member, Team], where: { org: $ }, filter: { status: IN }, limit: 50, rate: 1/day }"
	want := "C301 no key serves it; nearest is tms, but Team has no status, so that the filter would drop all of them\n" +
		"  fix: filter by what all of them have, or drop what does not fit after the read\n"
	if diff := cmp.Diff(want, describe(planOf(t, load(t, design("string", "TEAM#{team}", filtered)), "F"))); diff != "" {
		t.Errorf("a filter one of them does not know (-want +got):\n%s", diff)
	}
}

func TestGuardRowsMix(t *testing.T) {
	design := `
design: Users
entities:
  User: { id: user_id, unique: [email], attributes: { user_id: ulid, email: string, org: string } }
tables:
  users:
    pk: PK
    sk: SK
    indexes: { by_email: { pk: email }, by_org: { pk: org } }
    items: { User: { PK: "ORG#{org}", SK: "%s" } }
    guards: { User.email: { PK: "ORG#{org}", SK: "EMAIL#{email}" } }
patterns:
  ByOrg: { list: User, where: { org: $ }, consistent: true, rate: 1/day }
  ByEmail: { get: User, where: { email: $ }, rate: 1/day }
`
	for _, c := range []struct{ sk, pattern, want string }{
		{"U#{user_id}", "ByOrg", "Query users: PK = ORG#{org}, SK begins_with U#\n"},
		{"{user_id}", "ByOrg", "Query users: PK = ORG#{org}\nC305 users returns guard of User too: PK = ORG#{org}\n"},
		{"U#{user_id}", "ByEmail", "Query users.by_email: email = {email}\n"},
	} {
		got := describe(planOf(t, load(t, fmt.Sprintf(design, c.sk)), c.pattern))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s by %s (-want +got):\n%s", c.pattern, c.sk, diff)
		}
	}
}
