package design

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/engine"
)

// measured is the design of which the ten cases below are versions: two packages were generated from each pair
// when it was measured what they do to each other's items.
const measured = `design: Measured
entities:
  Team:
    id: team_id
    attributes: { team_id: ulid, name: string }
  Task:
    id: [team_id, task_id]
    per: { team_id: 8 }
    attributes: { team_id: ulid, task_id: ulid, owner: string, title: string, state: "enum(OPEN, DONE)", rank: string, note: string? }
tables:
  tasks:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK } }
    items:
      Team: { PK: "TEAM#{team_id}", SK: TEAM }
      Task: { PK: "TEAM#{team_id}", SK: "TASK#{task_id}", GSI1PK: "STATE#{state}#{task_id|shard 2}", GSI1SK: "{task_id}" }
patterns:
  AddTeam: { create: Team, rate: 1/day }
  GetTeam: { get: Team, where: { team_id: $ }, rate: 1/day }
  AddTask: { create: Task, rate: 10/day }
  PutTask: { put: Task, rate: 10/day }
  GetTask: { get: Task, where: { team_id: $, task_id: $ }, rate: 100/day }
  Retitle: { update: Task, where: { team_id: $, task_id: $ }, set: [title], rate: 10/day }
  ListTasks: { list: Task, where: { team_id: $ }, limit: 20, rate: 100/day }
  ListByState: { list: Task, where: { state: $ }, limit: 20, rate: 10/day }
  Overview: { collect: [Team, Task], where: { team_id: $ }, rate: 10/day }
`

// TestDiffShowsMeasuredCases: for each change of which it was measured what old and new code do to each other's
// items, diff has the codes and shows calls that go wrong in the same way.
func TestDiffShowsMeasuredCases(t *testing.T) {
	for name, c := range map[string]struct {
		replace []string
		codes   string
		shows   map[string][]string // parts of the evidence, by code
	}{
		"required attribute": {[]string{"rank: string,", "rank: string, points: int,"}, "E012 E013 E031", map[string][]string{
			"E012": {"new code on old items: ", "DecodeError: Task.points is missing"},
			"E013": {"old code on new items: PutTask(", "drops Task.points"},
		}},
		"enum value": {[]string{"OPEN, DONE", "OPEN, DONE, LATE"}, "E018 E031", map[string][]string{
			"E018": {"old code on new items: ", `Task.state "LATE", which the old design does not have`},
		}},
		"stored kind": {[]string{"rank: string", "rank: int"}, "E016 E031 E071", map[string][]string{
			"E016": {"DecodeError: Task.rank holds S, not N", "DecodeError: Task.rank holds N, not S", "DoneError, it was done"},
		}},
		"stored name, required": {[]string{"rank: string", "rank: { type: string, name: r }"}, "E015 E031", map[string][]string{
			"E015": {"new code on old items: ", "old code on new items: ", "Task.rank is missing"},
		}},
		"stored name, optional": {[]string{"note: string?", "note: { type: string?, name: n }"}, "E015 E031", map[string][]string{
			"E015": {"new code on old items: ", "old code on new items: ", "reads Task.note nothing, and it is "},
		}},
		"computed index key": {[]string{
			"{ GSI1: {", "{ GSI2: { pk: GSI2PK, sk: GSI2SK }, GSI1: {",
			"GSI1SK: \"{task_id}\"", "GSI1SK: \"{task_id}\", GSI2PK: \"O#{owner}\", GSI2SK: \"{title|lower}#{task_id}\"",
			"patterns:\n", "patterns:\n  ListByOwner: { list: Task, where: { owner: $ }, order: title asc, limit: 20, rate: 1/day }\n",
		}, "E022 E024 E031", map[string][]string{
			"E022": {"new code on old items: ListByOwner(", "finds 0 of ", "old code on new items: Retitle(", "leaves GSI2SK stale", "drops GSI2PK and GSI2SK"},
		}},
		"shards": {[]string{"shard 2", "shard 4"}, "E029 E031", map[string][]string{
			"E029": {"old code on new items: ListByState(", "finds "},
		}},
		"guard": {[]string{
			"    id: [team_id, task_id]\n", "    id: [team_id, task_id]\n    unique: [title]\n",
			"patterns:\n", "    guards: { Task.title: { PK: \"TITLE#{title}\", SK: TITLE } }\npatterns:\n",
		}, "E061", map[string][]string{
			"E061": {"new code on old items: ", "accepts title that another item has: no row keeps it", "old code on new items: ", "writes no row that keeps Task.title unique"},
		}},
		"counter": {[]string{"name: string }\n", "name: string, tasks: int }\n    counters: { tasks: { count: Task } }\n"}, "E012 E031 E062", map[string][]string{
			"E012": {"new code on old items: GetTeam(", "DecodeError: Team.tasks is missing"},
			"E062": {"new code on old items: ", "counts from nothing: Team.tasks is 1, and should be ", "old code on new items: ", "does not count: Team.tasks is "},
		}},
		"entity beside others": {[]string{
			"tables:\n  tasks:", "  Note:\n    id: [team_id, note_id]\n    attributes: { team_id: ulid, note_id: ulid, text: string }\ntables:\n  tasks:",
			"      Task: {", "      Note: { PK: \"TEAM#{team_id}\", SK: \"NOTE#{note_id}\" }\n      Task: {",
			"patterns:\n", "patterns:\n  AddNote: { create: Note, rate: 1/day }\n",
		}, "E011 E031", nil},
		"layout": {[]string{"SK: TEAM }", "SK: META }"}, "E021 E031", map[string][]string{
			"E021": {"new code on old items: Overview(", "finds 2 of 3 items", "writes a Team that old code does not find"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(c.replace...).Replace(measured)
			changes := differ(t, []byte(measured), []byte(after), DiffOptions{})
			if got := strings.Join(changeCodes(changes), " "); got != c.codes {
				t.Errorf("the codes are %s, want %s", got, c.codes)
			}
			for _, text := range append(slices.Clone(changes.Seen), changes.NotRun) {
				if text != "" {
					t.Errorf("no change explains: %s", text)
				}
			}
			for _, one := range changes.Changes.Changes {
				shows := c.shows[string(one.Code)]
				if one.Code == "E031" {
					shows = []string{"new code on old items: ListTasks(", "refuses a cursor that old code made: ErrBadCursor"}
				}
				for _, part := range shows {
					if !strings.Contains(one.Evidence, part) {
						t.Errorf("%s does not show %q but %q", one.Code, part, one.Evidence)
					}
				}
				if shows == nil && one.Evidence != "" {
					t.Errorf("%s shows %q", one.Code, one.Evidence)
				}
			}
		})
	}
}

// TestPhasesOfHomeOpsAsVersions takes the phases of its document as versions by tags: they add entities, and the
// second one an index. Code of both versions runs on the items of the other, and nothing goes wrong.
func TestPhasesOfHomeOpsAsVersions(t *testing.T) {
	d := open(t, "../apps/homeops/homeops.design.yaml")
	var before Version
	entities := 0
	for phase, want := range []int{1, 10, 17, 18, 20, 21} {
		after := Version{Name: fmt.Sprint("phase ", phase+1), Design: d, Tags: append(slices.Clone(before.Tags), fmt.Sprint("phase", phase+1))}
		if entities = len(d.model.Phase(after.Tags).Entities); entities != want {
			t.Errorf("%s has %d entities, want %d", after.Name, entities, want)
		}
		if before.Design != nil {
			t.Run(after.Name, func(t *testing.T) { comparePhases(t, before, after) })
		}
		before = after
	}
}

func comparePhases(t *testing.T, before, after Version) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	changes, err := Diff(t.Context(), before, after, DiffOptions{Memory: db.API()})
	if err != nil {
		t.Fatal(err)
	}
	var indexes []string
	for _, c := range changes.Changes.Changes {
		switch {
		case c.Code == "E024":
			indexes = append(indexes, c.Subject)
		case c.Class != diag.Compatible && c.Code != "E072": // roles get permissions
			t.Errorf("%s is %s: %s", c.Code, c.Class, c.Message)
		}
		if ends := c.Code == "E031"; ends != (c.Evidence != "") { // which shows that both phases were run
			t.Errorf("%s shows %q", c.Code, c.Evidence)
		}
	}
	// GSI2 comes with its table, which is new in phase 2.
	if want := map[string]string{"phase 2": "index userId-timestamp-index of homeops-messages"}[after.Name]; strings.Join(indexes, ", ") != want {
		t.Errorf("the new indexes are %q, want %q", indexes, want)
	}
	if changes.NotRun != "" || len(changes.Seen) > 0 {
		t.Errorf("not run: %q; no change explains: %q", changes.NotRun, changes.Seen)
	}
}

// TestTextsAndOrderChangeNoShape: docs, rates, sizes and the order of keys are no changes, and the hash of a
// version's shape stays.
func TestTextsAndOrderChangeNoShape(t *testing.T) {
	hash := func(text string) string { return shapeHash(load(t, text)) }
	for name, replace := range map[string][]string{
		"docs":                {"  Team:\n    id", "  Team:\n    doc: People.\n    id", "AddTask: {", "AddTask: { doc: A new one.,"},
		"rates":               {"100/day", "7/s"},
		"sizes":               {"    per: { team_id: 8 }", "    per: { team_id: 80 }\n    size: 2KB\n    count: 5000"},
		"order of keys":       {`{ PK: "TEAM#{team_id}", SK: TEAM }`, `{ SK: TEAM, PK: "TEAM#{team_id}" }`},
		"order of attributes": {"owner: string, title: string", "title: string, owner: string"},
		"order of values":     {"OPEN, DONE", "DONE, OPEN"},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(replace...).Replace(measured)
			if after == measured {
				t.Fatal("the design is the same")
			}
			codes := changeCodes(differ(t, []byte(measured), []byte(after), DiffOptions{}))
			if len(codes) > 0 && !slices.Equal(codes, []string{"E031"}) { // cursors are bound to the text of the layout
				t.Errorf("the changes are %s", codes)
			}
			if hash(measured) != hash(after) {
				t.Error("the hash of the shape differs")
			}
		})
	}
	if hash(measured) == hash(strings.Replace(measured, "rank: string", "rank: int", 1)) {
		t.Error("another type has the same hash")
	}
}

func load(t *testing.T, text string) *model.Design {
	t.Helper()
	d, err := Parse("test.design.yaml", []byte(text)).loaded()
	if err != nil {
		t.Fatal(failure(err))
	}
	return d
}

// TestTwentyFirstIndexInBetween replaces one of twenty indexes: the table would have 21 while both versions run. An
// index that is dropped in a version before makes room.
func TestTwentyFirstIndexInBetween(t *testing.T) {
	with := func(first, last int) []byte {
		var indexes []string
		for i := first; i <= last; i++ {
			indexes = append(indexes, fmt.Sprintf("      by_%02d: { pk: a%02d }\n", i, i))
		}
		attributes := ""
		for i := range 22 {
			attributes += fmt.Sprintf(", a%02d: int", i)
		}
		return []byte("design: Many\nentities:\n  Thing: { id: id, attributes: { id: ulid" + attributes + " } }\ntables:\n  things:\n    pk: id\n    indexes:\n" +
			strings.Join(indexes, "") + "    items: [Thing]\npatterns:\n  AddThing: { create: Thing, rate: 1/day }\n")
	}
	for name, c := range map[string]struct {
		before, after []byte
		want          bool
	}{
		"at once":   {with(1, 20), with(2, 21), true},
		"dropped":   {with(1, 20), with(2, 20), false},
		"then made": {with(2, 20), with(2, 21), false},
	} {
		if got := slices.Contains(changeCodes(differ(t, c.before, c.after, DiffOptions{})), "E073"); got != c.want {
			t.Errorf("%s: E073 is %v, want %v", name, got, c.want)
		}
	}
}
