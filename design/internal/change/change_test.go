package change

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

func codes(c *Changes) string {
	var all []string
	for _, one := range c.All {
		if !slices.Contains(all, string(one.Code)) {
			all = append(all, string(one.Code))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

const shop = `design: Shop
entities:
  User:
    id: user_id
    attributes:
      user_id: ulid
      name: string
      nick: string?
      state: enum(OPEN, DONE)
      tasks: int
  Task:
    id: task_id
    attributes: { task_id: ulid, user_id: ulid, title: string }
    size: 400B
    growth: 10/day
tables:
  shop:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK } }
    items:
      User: { PK: "USER#{user_id}", SK: USER }
      Task: { PK: "USER#{user_id}", SK: "TASK#{task_id}", GSI1PK: "T#{title|shard 2}", GSI1SK: "{task_id}" }
patterns:
  AddUser: { create: User, rate: 10/day }
  SaveUser: { put: User, rate: 10/day }
  GetUser: { get: User, where: { user_id: $ }, rate: 100/day }
  AddTask: { create: Task, rate: 10/day }
  RenameTask: { update: Task, where: { user_id: $, task_id: $ }, set: [title], rate: 10/day }
  ListTasks: { list: Task, where: { user_id: $ }, limit: 20, rate: 100/day }
  ListTitles: { list: Task, where: { title: $ }, limit: 20, rate: 100/day }
`

// cursors stands for the layout that cursors of generated packages depend on.
func cursors(d *model.Design) string {
	var b strings.Builder
	for _, t := range d.Tables {
		b.WriteString(t.Name)
		for _, x := range t.Indexes {
			b.WriteString(x.Name)
		}
		for _, item := range t.Items {
			b.WriteString(strings.Join(slices.Sorted(slices.Values(names(item.Computed, func(c *model.Computed) string { return c.Name + c.Template.Text }))), ","))
		}
	}
	return b.String()
}

// TestWhatHappensToday compares designs that differ as the two packages did with which the behaviour of
// old and new code was measured.
func TestWhatHappensToday(t *testing.T) {
	for name, c := range map[string]struct {
		replace []string
		want    string
	}{
		"required attribute":     {[]string{"      nick:", "      age: int\n      nick:"}, "E012 E013"},
		"optional attribute":     {[]string{"      nick:", "      age: int?\n      nick:"}, "E011 E013"},
		"value of an enum":       {[]string{"OPEN, DONE", "OPEN, DONE, LATE"}, "E018"},
		"stored kind":            {[]string{"name: string", "name: int"}, "E016 E071"},
		"stored name, optional":  {[]string{"nick: string?", "nick: { type: string?, name: n }"}, "E015"},
		"stored name, required":  {[]string{"name: string", "name: { type: string, name: n }"}, "E015"},
		"computed index key":     {[]string{"{ GSI1: {", "{ GSI2: { pk: GSI2PK, sk: GSI2SK }, GSI1: {", "GSI1PK:", `GSI2PK: "U#{user_id}", GSI2SK: "{title|lower}#{task_id}", GSI1PK:`}, "E022 E024 E031"},
		"shards of an index key": {[]string{"shard 2", "shard 4"}, "E029 E031"},
		"guard":                  {[]string{"    id: user_id\n", "    id: user_id\n    unique: [name]\n", "patterns:\n", "    guards:\n      User.name: { PK: \"NAME#{name}\", SK: NAME }\npatterns:\n"}, "E061"},
		"counter":                {[]string{"tasks: int\n", "tasks: int\n    counters: { tasks: { count: Task } }\n"}, "E062"},
		"entity beside others": {[]string{"tables:\n  shop", "  Note:\n    id: note_id\n    attributes: { note_id: ulid, user_id: ulid }\ntables:\n  shop", "      Task: {", "      Note: { PK: \"USER#{user_id}\", SK: \"NOTE#{note_id}\" }\n      Task: {"},
			"E011 E031"},
		"time of an id":       {[]string{"title: string", "title: string, at: timestamp?", "{ task_id: ulid", "{ task_id: { type: ulid, time: at }"}, "E011 E017"},
		"lifecycle":           {[]string{"enum(OPEN, DONE)", `{ type: "enum(OPEN, DONE)", lifecycle: { OPEN: [DONE], DONE: [] } }`}, "E065"},
		"template of the key": {[]string{`SK: USER }`, `SK: ME }`}, "E021 E031"},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(c.replace...).Replace(shop)
			got := codes(Between(load(t, "old.design.yaml", shop), load(t, "new.design.yaml", after), Options{Cursors: cursors}))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestLifecyclesAndTimes compares what writes check of an enum, and when ids are made.
func TestLifecyclesAndTimes(t *testing.T) {
	strict := strings.NewReplacer("enum(OPEN, DONE)", `{ type: "enum(OPEN, HELD, DONE)", lifecycle: { OPEN: [HELD, DONE], HELD: [OPEN], DONE: [] } }`,
		"name: string\n", "name: string\n      at: timestamp\n      end: timestamp\n", "user_id: ulid\n", "user_id: { type: ulid, time: at }\n").Replace(shop)
	for name, c := range map[string]struct {
		replace []string
		want    string
	}{
		"a transition less":       {[]string{"[HELD, DONE]", "[DONE]"}, "E065 OPEN of User.state does not become HELD any more"},
		"a transition more":       {[]string{"HELD: [OPEN]", "HELD: [OPEN, DONE]"}, ""},
		"another start":           {[]string{"lifecycle:", "start: HELD, lifecycle:"}, "E066 creates begin with User.state = HELD, and began with OPEN"},
		"start by order":          {[]string{"enum(OPEN, HELD, DONE)", "enum(DONE, OPEN, HELD)"}, "E066 creates begin with User.state = DONE, and began with OPEN"},
		"the values have names":   {[]string{"OPEN", "NEW", "lifecycle:", "was: { NEW: OPEN }, lifecycle:"}, "E015 the value NEW of User.state is stored as NEW, and was as OPEN"},
		"no time":                 {[]string{", time: at", ""}, "E032 User.user_id need not be made at the time in at any more"},
		"another time":            {[]string{"time: at", "time: end"}, "E017 User.user_id is made at the time in end, and old ids may not be"},
		"the time has a new name": {[]string{"time: at", "time: made", "      at: timestamp", "      made: { type: timestamp, name: at, was: at }"}, "E071 the struct of User changed: at is made"},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(c.replace...).Replace(strict)
			var all []string
			for _, one := range Between(load(t, "old.design.yaml", strict), load(t, "new.design.yaml", after), Options{}).All {
				all = append(all, string(one.Code)+" "+one.Message)
			}
			if got := strings.Join(all, "; "); strings.TrimSuffix(got, ".") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestWhatChangesNothing: texts, rates, sizes and the order of keys.
func TestWhatChangesNothing(t *testing.T) {
	for name, replace := range map[string][]string{
		"doc":                   {"    size: 400B", "    doc: Work.\n    size: 400B"},
		"doc of a pattern":      {"{ get: User", "{ doc: One., get: User"},
		"rate":                  {"100/day", "1/s"},
		"peak":                  {"limit: 20, rate: 100/day", "limit: 20, rate: 100/day, peak: 5/s"},
		"size":                  {"400B", "2KB"},
		"growth":                {"growth: 10/day", "growth: 700/day"},
		"order of attributes":   {"      name: string\n      nick: string?\n", "      nick: string?\n      name: string\n"},
		"order of values":       {"OPEN, DONE", "DONE, OPEN"},
		"order of keys":         {"PK: \"USER#{user_id}\", SK: USER", "SK: USER, PK: \"USER#{user_id}\""},
		"page size":             {"limit: 20", "limit: 50"},
		"tags":                  {"    size: 400B", "    tags: [phase1]\n    size: 400B"},
		"a pattern more":        {"  GetUser:", "  GetTask: { get: Task, where: { user_id: $, task_id: $ }, rate: 1/s }\n  GetUser:"},
		"state and one region":  {"design: Shop", "design: Shop\ncontrol: shop-control\nwrites_in: eu-north-1"},
		"was that was history":  {"nick: string?", "nick: { type: string?, was: nickname }"},
		"the same under a name": {"nick: string?", "nick: { type: string?, name: nick }"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := shop, strings.NewReplacer(replace...).Replace(shop)
			if before == after {
				t.Fatal("the design is the same")
			}
			if name == "was that was history" {
				before = after
			}
			if got := Between(load(t, "old.design.yaml", before), load(t, "new.design.yaml", after), Options{Cursors: cursors}); len(got.All) > 0 {
				t.Errorf("%s: %s", got.All[0].Code, got.All[0].Message)
			}
		})
	}
}

// TestAccepted accepts changes where they are: around an entity, an index and for the design.
func TestAccepted(t *testing.T) {
	after := strings.NewReplacer("nick: string?", "age: int?", "    id: user_id\n", "    accept: { E014: nobody reads it, maybe-renamed: it is another one }\n    id: user_id\n").Replace(shop)
	for _, c := range Between(load(t, "old.design.yaml", shop), load(t, "new.design.yaml", after), Options{}).All {
		want := map[diag.Code]string{"E014": "nobody reads it", "E004": "it is another one"}[c.Code]
		if c.Accepted != want {
			t.Errorf("%s (%s) is accepted with %q, want %q", c.Code, c.Message, c.Accepted, want)
		}
	}
	whole := after + "accept: { E011: fine, E013: fine }\n"
	for _, c := range Between(load(t, "old.design.yaml", shop), load(t, "new.design.yaml", whole), Options{}).All {
		if c.Accepted == "" && c.Code != "E071" {
			t.Errorf("%s is not accepted", c.Code)
		}
	}
}

// system loads the design of a system.
func system(t testing.TB, name string) *model.Design {
	t.Helper()
	sources, err := loader.Read(filepath.Join("../../../apps", name, name+".design.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%s: %v", name, report.Findings())
	}
	return d
}

// TestSystemsAndTheirAlternatives compares the layouts of a system, each with itself and with the chosen one. Entities in other tables move, and
// nothing of what is stored in them changes but keys.
func TestSystemsAndTheirAlternatives(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		d := system(t, name)
		layouts := map[string]*model.Design{"": d}
		for _, a := range d.Alternatives {
			layouts[a.Name] = d.WithTables(a)
		}
		for from, before := range layouts {
			for to, after := range layouts {
				if from != "" && to != "" && from != to {
					continue
				}
				t.Run(name+" "+from+" "+to, func(t *testing.T) {
					changes := Between(before, after, Options{Limits: nil})
					if from == to && len(changes.All) > 0 {
						t.Errorf("%s: %s", changes.All[0].Code, changes.All[0].Message)
					}
					if from != to && len(changes.All) == 0 {
						t.Error("no change")
					}
					for _, e := range changes.Entities {
						moved := slices.ContainsFunc(changes.All, func(c *Change) bool { return c.Code == "E042" && c.Entity == e })
						if was, is := home(changes.Old, e.Old), home(changes.New, e.New); was != nil && is != nil && moved != (was.Table.Name != is.Table.Name) {
							t.Errorf("%s moves: %v", e.New.Name, moved)
						}
					}
				})
			}
		}
	}
}

// TestPhasesOfHomeOps takes the phases of its document as versions: they add entities, and the second
// one an index.
func TestPhasesOfHomeOps(t *testing.T) {
	d := system(t, "homeops")
	var tags []string
	var before *model.Design
	for phase := 1; phase <= 6; phase++ {
		tags = append(tags, "phase"+strconv.Itoa(phase))
		after := d.Phase(tags)
		if before != nil {
			changes := Between(before, after, Options{})
			for _, c := range changes.All {
				if c.Class != diag.Compatible && c.Code != "E072" {
					t.Errorf("phase %d: %s %s %s", phase, c.Class, c.Code, c.Message)
				}
			}
			if index := strings.Contains(codes(changes), "E024"); index != (phase == 2) {
				t.Errorf("phase %d: %s", phase, codes(changes))
			}
		}
		before = after
	}
}
