package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// members is a design with a unique value within a team, an optional one, and a counter
// that is spread.
const members = `
design: Members
entities:
  User:
    id: id
    unique: [nick, { value: email, per: team }]
    attributes: { id: string, team: string, email: string, nick: string?, likes: int?, fans: int? }
    counters: { likes: { count: Like, shards: 4, match: { id: user } }, fans: { count: Like, shards: 2, match: { id: user } } }
  Like: { id: [user, by], attributes: { user: string, by: string } }
tables:
  users:
    pk: PK
    type: kind
    indexes: { by_email: { pk: email } }
    items: { User: { PK: "USER#{id}" }, Like: { PK: "LIKE#{user}#{by}" } }
    guards:
      User.email: { PK: "EMAIL#{team}#{email|lower}" }
      User.nick: { PK: "NICK#{nick}" }
patterns:
  P: { %s, rate: 1/day }
`

// TestGuardRows is about whose row is written: one line for each write, with its key and
// its condition.
func TestGuardRows(t *testing.T) {
	const user, isNew = "USER#{id}", " attribute_not_exists(#PK)"
	for _, c := range []struct{ name, pattern, want string }{
		{"both are taken", "create: User", user + isNew + "\nEMAIL#{team}#{email|lower}" + isNew + "\nNICK#{nick}" + isNew},
		{"constants are known", "create: User, set: { email: A@b }", user + isNew + "\nEMAIL#{team}#a@b" + isNew + "\nNICK#{nick}" + isNew},
		{"both are freed by their owner", "delete: User, where: { id: $ }",
			user + " attribute_exists(#PK) AND #email = :email AND #team = :team AND #nick = :nick\nEMAIL#{team}#{email|lower}\nNICK#{nick}"},
		{"the scope changes", "update: User, where: { id: $ }, set: [team]",
			user + " attribute_exists(#PK) AND #email = :email AND #team = :old_team\nEMAIL#{old_team}#{email|lower}\nEMAIL#{team}#{email|lower}" + isNew},
		{"the first value frees nothing", "update: User, where: { id: $ }, set: [nick], if: nick missing",
			user + " attribute_exists(#PK) AND attribute_not_exists(#nick)\nNICK#{nick}" + isNew},
		{"the last value takes nothing", "update: User, where: { id: $ }, remove: [nick]",
			user + " attribute_exists(#PK) AND #nick = :old_nick\nNICK#{old_nick}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(members, c.pattern)), "P")
			var lines []string
			for _, w := range p.Writes {
				var conditions []string
				for _, clause := range w.Statement.Condition {
					conditions = append(conditions, clause.Text)
				}
				lines = append(lines, strings.TrimSpace(w.Key[0].Low.String()+" "+strings.Join(conditions, " AND ")))
			}
			if diff := cmp.Diff(c.want, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// Who has no nick has no row for it.
func TestGuardOfAnOptionalValue(t *testing.T) {
	for pattern, want := range map[string][3]string{
		"create: User":                                     {"", "", `"OnlyIf":{"PK":"nick exists"}`},
		"create: User, set: { nick: x }":                   {"", "", ""},
		"delete: User, where: { id: $ }":                   {`"OnlyIf":{"nick":"nick exists, else attribute_not_exists(#nick)"}`, "", `"OnlyIf":{"PK":"nick exists"}`},
		"delete: User, where: { id: $, nick: $ }":          {"", "", ""},
		"update: User, where: { id: $ }, set: [nick]":      {`"OnlyIf":{"nick":"nick exists, else REMOVE","old_nick":"nick exists, else attribute_not_exists(#nick)"}`, `"OnlyIf":{"PK":"nick exists"}`, `"OnlyIf":{"PK":"nick exists"}`},
		"update: User, where: { id: $ }, set: { nick: x }": {`"OnlyIf":{"old_nick":"nick exists, else attribute_not_exists(#nick)"}`, `"OnlyIf":{"PK":"nick exists"}`, ""},
	} {
		p := planOf(t, load(t, fmt.Sprintf(members, pattern)), "P")
		for i := range p.Writes {
			_, got, _ := strings.Cut(strings.TrimSuffix(requestText(t, p, i), "}"), `"OnlyIf"`)
			if got != "" {
				got = `"OnlyIf"` + got
			}
			if got != want[i] {
				t.Errorf("%s, write %d: %s, want %s", pattern, i, got, want[i])
			}
		}
	}
}

// Rows that are no items have nothing an index of the items could hold.
func TestRowsOfGuardsAndShardsAreNoItems(t *testing.T) {
	guard := requestText(t, planOf(t, load(t, fmt.Sprintf(members, "create: User")), "P"), 1)
	want := `"Item":{"PK":{"S":"EMAIL#{team}#{email|lower}"},"kind":{"S":"User#guard"},"owner PK":{"S":"USER#{id}"}}`
	if !strings.Contains(guard, want) {
		t.Errorf("no %s in %s", want, guard)
	}
	p := planOf(t, load(t, fmt.Sprintf(members, "create: Like")), "P")
	want = `{"TableName":"users","Key":{"PK":{"S":"USER#{user}#likes#{likes_shard}"}},"UpdateExpression":"SET #kind = :kind ADD #likes :likes",` +
		`"ExpressionAttributeNames":{"#kind":"kind","#likes":"likes"},"ExpressionAttributeValues":{":kind":{"S":"User#shard"},":likes":{"N":"1"}}}`
	if diff := cmp.Diff(want, requestText(t, p, 1)); diff != "" {
		t.Errorf("shard (-want +got):\n%s", diff)
	}
	if got := p.Writes[2].Key[0].Low.String(); got != "USER#{user}#fans#{fans_shard}" {
		t.Errorf("two counters share the row %s", got)
	}
}

func TestShardsNeedATextKey(t *testing.T) {
	text := strings.NewReplacer("{ id: string, team", "{ id: int, team", "user: string", "user: int",
		`pk: PK`, `pk: id`, `User: { PK: "USER#{id}" }, Like: { PK: "LIKE#{user}#{by}" }`, `User: {}`,
		`    guards:
      User.email: { PK: "EMAIL#{team}#{email|lower}" }
      User.nick: { PK: "NICK#{nick}" }
`, `  likes: { pk: user, sk: by, items: [Like] }
`, "unique: [nick, { value: email, per: team }]", "").Replace(members)
	p := planOf(t, load(t, fmt.Sprintf(text, "create: Like")), "P")
	if len(p.Problems) != 2 || p.Problems[0].Code != "W809" || !strings.Contains(p.Problems[0].Message, "the shards of User.likes have no key: id is no text") {
		t.Errorf("problems: %+v", p.Problems)
	}
}
