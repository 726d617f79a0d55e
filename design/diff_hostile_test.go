package design

import (
	"slices"
	"strings"
	"testing"
)

// club is a design with every kind of thing that changes are about.
const club = `design: Club
types:
  Place: { street: string, zip: int? }
entities:
  Club:
    id: club_id
    attributes: { club_id: uuid, name: string, motto: string?, members: int, fees: decimal, v: int }
    version: v
    counters: { members: { count: Member }, fees: { sum: Member.fee } }
  Member:
    id: [club_id, member_id]
    per: { club_id: 6 }
    unique: [mail]
    attributes:
      club_id: uuid
      member_id: ulid
      mail: string
      nick: string?
      song: string?
      fee: decimal
      age: int
      level: { type: "enum(NEW, FULL, GONE)", lifecycle: { NEW: [FULL, GONE], FULL: [GONE], GONE: [] } }
      rank: { type: int, default: 1 }
      home: Place?
      joined: timestamp
      note: string
      ends: unixtime?
    encrypt: [note]
  Visit:
    id: [club_id, visit_id]
    per: { club_id: 5 }
    attributes: { club_id: uuid, visit_id: ulid, member_id: ulid, at: timestamp, points: int }
tables:
  club:
    pk: PK
    sk: SK
    type: kind
    ttl: ends
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
      ByAge: { pk: club_id, sk: age, project: keys }
    guards: { Member.mail: { PK: "MAIL#{mail|lower}", SK: MAIL } }
    items:
      Club: { PK: "CLUB#{club_id}", SK: CLUB }
      Member: { PK: "CLUB#{club_id}", SK: "MEMBER#{member_id}", GSI1PK: "LEVEL#{level}#{member_id|shard 3}", GSI1SK: "{joined}#{member_id}" }
      Visit: { PK: "CLUB#{club_id}", SK: "VISIT#{visit_id}", GSI1PK: "BY#{member_id}", GSI1SK: "{at}" }
patterns:
  AddClub: { create: Club, rate: 1/day }
  GetClub: { get: Club, where: { club_id: $ }, rate: 10/day }
  RenameClub: { update: Club, where: { club_id: $ }, set: [name], rate: 1/day }
  Join: { create: Member, rate: 10/day }
  SaveVisit: { put: Visit, rate: 1/day }
  GetMember: { get: Member, where: { club_id: $, member_id: $ }, rate: 10/day }
  Promote: { update: Member, where: { club_id: $, member_id: $ }, set: [level], rate: 1/day }
  SetNick: { update: Member, where: { club_id: $, member_id: $ }, set: [nick], if: age > 10, rate: 1/day }
  Leave: { delete: Member, where: { club_id: $, member_id: $ }, rate: 1/day }
  ListMembers: { list: Member, where: { club_id: $ }, limit: 10, rate: 10/day }
  ByLevel: { list: Member, where: { level: $ }, order: joined desc, limit: 10, rate: 10/day }
  VisitsOf: { list: Visit, where: { member_id: $ }, limit: 10, rate: 10/day }
  AddVisit: { create: Visit, rate: 100/day }
  ByAge: { list: Member, where: { club_id: $ }, order: age asc, select: [club_id, member_id, age], limit: 10, rate: 1/day }
`

// clubChanges are changes of the club, each with the codes that are not about Go, permissions and cursors. One
// with a + shows what goes wrong when both versions run.
var clubChanges = map[string]struct {
	replace []string
	want    string
}{
	"optional attribute":                 {[]string{"motto: string?,", "motto: string?, color: string?,"}, "E011"},
	"required attribute and a put":       {[]string{"points: int }", "points: int, score: int }"}, "E012+ E013+"},
	"set and a put":                      {[]string{"points: int }", `points: int, who: "set<string>" }`}, "E011 E013+"},
	"counter of new attribute":           {[]string{"v: int }", "v: int, visits: int? }", "fees: { sum", "visits: { count: Visit }, fees: { sum"}, "E011 E062+"},
	"counter of new required attribute":  {[]string{"v: int }", "v: int, visits: int }", "fees: { sum", "visits: { count: Visit }, fees: { sum"}, "E012+ E062+"},
	"counter removed":                    {[]string{"members: { count: Member }, fees", "fees"}, "E063+"},
	"counter of some":                    {[]string{"{ count: Member }", "{ count: Member, where: { level: FULL } }"}, "E063+"},
	"counter spread":                     {[]string{"{ count: Member }", "{ count: Member, shards: 3 }"}, "E029+"},
	"counter limited":                    {[]string{"{ count: Member }", "{ count: Member, max: 100 }"}, "E066"},
	"sum of another attribute":           {[]string{"sum: Member.fee", "sum: Member.age"}, "E063+"},
	"version removed":                    {[]string{"    version: v\n", ""}, "E064+"},
	"another version":                    {[]string{"version: v", "version: w", "v: int }", "v: int, w: int? }"}, "E011 E064+"},
	"rename":                             {[]string{"nick: string?", "alias: { type: string?, was: nick }", "[nick]", "[alias]"}, "E015+"},
	"rename that keeps the stored name":  {[]string{"nick: string?", "alias: { type: string?, was: nick, name: nick }", "[nick]", "[alias]"}, ""},
	"rename that nobody told":            {[]string{"nick: string?", "nicks: string?", "[nick]", "[nicks]"}, "E004 E011 E014"},
	"swap":                               {[]string{"nick: string?", "nick: { type: string?, was: song }", "song: string?", "song: { type: string?, was: nick }"}, "E033+"},
	"swap that keeps stored names":       {[]string{"nick: string?", "nick: { type: string?, was: song, name: song }", "song: string?", "song: { type: string?, was: nick, name: nick }"}, ""},
	"chain":                              {[]string{"nick: string?", "alias: { type: string?, was: nick }", "song: string?", "nick: { type: string?, was: song }"}, "E015+ E033+"},
	"value of an enum":                   {[]string{"FULL, GONE)", "FULL, GONE, HONOR)", "GONE: [] }", "GONE: [HONOR], HONOR: [] }"}, "E018+"},
	"value with another name":            {[]string{"GONE", "LEFT", "lifecycle:", "was: { LEFT: GONE }, lifecycle:"}, "E015+ E023+"},
	"values that swap":                   {[]string{"lifecycle:", "was: { FULL: GONE, GONE: FULL }, lifecycle:"}, "E023+ E033+ E065"},
	"field of a struct":                  {[]string{"zip: int?", "zip: int?, city: string"}, "E012+"},
	"kind of a field":                    {[]string{"zip: int?", "zip: string?"}, "E016+"},
	"struct with another name":           {[]string{"Place", "Address"}, ""},
	"struct that becomes a text":         {[]string{"home: Place?", "home: string?"}, "E016+"},
	"default of a required attribute":    {[]string{"points: int", "points: { type: int, default: 3 }"}, "E020"},
	"another default":                    {[]string{"default: 1", "default: 2"}, "E020+"},
	"no default":                         {[]string{"{ type: int, default: 1 }", "int"}, "E020+"},
	"encrypt":                            {[]string{"encrypt: [note]", "encrypt: [note, nick]"}, "E019+"},
	"decimal becomes int":                {[]string{"fees: decimal", "fees: int"}, "E017+"},
	"timestamp becomes string":           {[]string{"at: timestamp", "at: string"}, "E032+"},
	"attribute for the entity":           {[]string{"type: kind", "type: what"}, "E015+"},
	"no attribute for the entity":        {[]string{"    type: kind\n", ""}, "E014+"},
	"entity with another label":          {[]string{"  Visit:\n", "  Visit:\n    label: Call\n"}, "E016+"},
	"sort key":                           {[]string{`"VISIT#{visit_id}"`, `"V#{visit_id}"`}, "E021+"},
	"key's part":                         {[]string{"visit_id: ulid", "call_id: { type: ulid, was: visit_id }", "visit_id", "call_id"}, "E015+"},
	"key's part that keeps its name":     {[]string{"visit_id: ulid", "call_id: { type: ulid, was: visit_id, name: visit_id }", "[club_id, visit_id]", "[club_id, call_id]", "{visit_id}", "{call_id}"}, ""},
	"shards":                             {[]string{"shard 3", "shard 8"}, "E029+"},
	"hot key in shards":                  {[]string{`"BY#{member_id}"`, `"BY#{member_id}#{visit_id|shard 4}"`}, "E023+"},
	"index removed":                      {[]string{"      ByAge: { pk: club_id, sk: age, project: keys }\n", "", "  ByAge: { list: Member, where: { club_id: $ }, order: age asc, select: [club_id, member_id, age], limit: 10, rate: 1/day }\n", ""}, "E027+"},
	"keys of an index":                   {[]string{"sk: age, project", "sk: joined, project", "order: age", "order: joined", "member_id, age]", "member_id, joined]"}, "E026+"},
	"natural index over numbers":         {[]string{"      ByAge:", "      ByPoints: { pk: club_id, sk: points }\n      ByAge:"}, "E024"},
	"natural index over texts":           {[]string{"      ByAge:", "      ByNick: { pk: nick, sk: age }\n      ByAge:"}, "E024 E025"},
	"natural index over structs":         {[]string{"      ByAge:", "      ByHome: { pk: home }\n      ByAge:"}, "E024 E025+"},
	"local index":                        {[]string{"      ByAge:", "      Joined: { local: true, sk: joined }\n      ByAge:"}, "E028 E046"},
	"another table":                      {[]string{"  club:\n    pk", "  clubs:\n    was: club\n    pk"}, "E042+ E047 E063+"},
	"another key of the table":           {[]string{"pk: PK", "pk: HK", " PK:", " HK:"}, "E041+ E046 E063"},
	"not unique":                         {[]string{"    unique: [mail]\n", "", "    guards: { Member.mail: { PK: \"MAIL#{mail|lower}\", SK: MAIL } }\n", ""}, "E063+"},
	"unique in a club":                   {[]string{"unique: [mail]", "unique: [{ value: mail, per: club_id }]", `"MAIL#{mail|lower}"`, `"MAIL#{club_id}#{mail|lower}"`}, "E063+"},
	"another unique value":               {[]string{"unique: [mail]", "unique: [mail, nick]", "SK: MAIL } }", "SK: MAIL }, Member.nick: { PK: \"NICK#{nick}\", SK: NICK } }"}, "E061+"},
	"no expiry":                          {[]string{"    ttl: ends\n", ""}, "E047"},
	"expiry by a new attribute":          {[]string{"ttl: ends", "ttl: until", "ends: unixtime?", "ends: unixtime?\n      until: unixtime?"}, "E011 E051"},
	"expiry by an attribute that exists": {[]string{"ttl: ends", "ttl: age", "age: int", "age: unixtime"}, "E017 E051 E052"},
}

// TestChangesOfAClub compares small changes with what running both versions shows: compatible changes show
// nothing, and nothing goes wrong that no change explains.
func TestChangesOfAClub(t *testing.T) {
	for name, c := range clubChanges {
		t.Run(name, func(t *testing.T) {
			for i := 0; i < len(c.replace); i += 2 {
				if !strings.Contains(club, c.replace[i]) {
					t.Fatalf("the design has no %q", c.replace[i])
				}
			}
			changes := differ(t, []byte(club), []byte(strings.NewReplacer(c.replace...).Replace(club)), DiffOptions{})
			var got []string
			for _, one := range changes.Changes.Changes {
				if slices.Contains([]string{"E031", "E071", "E072"}, string(one.Code)) {
					continue
				}
				text := string(one.Code)
				if one.Evidence != "" {
					text += "+"
				}
				if !slices.Contains(got, text) {
					got = append(got, text)
				}
			}
			slices.Sort(got)
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if changes.NotRun != "" || len(changes.Seen) > 0 {
				t.Errorf("not run: %q; no change explains: %q", changes.NotRun, changes.Seen)
			}
		})
	}
}
