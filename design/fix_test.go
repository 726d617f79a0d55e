package design

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// TestFixesAreMarked compares the design of each system with the transcription of its document.
// What the document chose stands unchanged in the design, or a comment there says
//
//	# FIX name, name: reason
//
// A mark whose name does not differ fails too. The names are those of readChoices.
//
// The test does not see additions (entities, attributes, indexes, patterns the document does not
// have), and it does not compare sizes, rates, limits, select, consistent, if, unique, lifecycles,
// counters, roles, prices, alternatives and claims. It cannot judge a reason.
func TestFixesAreMarked(t *testing.T) {
	for _, path := range designs(t, "testdata/seeds/*.design.yaml") {
		name := strings.TrimSuffix(filepath.Base(path), ".design.yaml")
		t.Run(name, func(t *testing.T) {
			document, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			repaired, err := os.ReadFile(filepath.Join("..", "apps", name, name+".design.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range unmarked(t, document, repaired) {
				t.Error(problem)
			}
		})
	}
}

// TestUnmarkedChangesAreReported makes every kind of change to a design, one at a time.
func TestUnmarkedChangesAreReported(t *testing.T) {
	const document = `
entities:
  User:
    id: user_id
    attributes: { user_id: uuid, mail: { type: string }, ends: unixtime }
    ttl: ends
    label: USER
    encrypt: [mail]
  Note: { id: note_id, attributes: { note_id: uuid } }
tables:
  app:
    pk: PK
    billing: on-demand
    indexes: { GSI1: { pk: GSI1PK }, GSI2: { pk: GSI2PK, project: [mail] } }
    items: { User: { PK: "USER#{user_id}" }, Note: { PK: "NOTE#{note_id}" } }
patterns:
  GetUser: { get: User, where: { user_id: $ }, tags: [listed], rate: 1/s }
  SaveUser: { put: User, rate: 1/s }
`
	changes := []struct{ name, old, new string }{
		{"User.id", "id: user_id\n", "id: mail\n"},
		{"User.user_id", "user_id: uuid", "user_id: ulid"},
		{"User.mail", "mail: { type: string }", "mail: string?"},
		{"User.ends", ", ends: unixtime", ""},
		{"User.TTL", "    ttl: ends\n", ""},
		{"User.encrypt", "encrypt: [mail]", "encrypt: [ends]"},
		{"User.label", "label: USER", "label: user"},
		{"Note", "  Note: { id: note_id, attributes: { note_id: uuid } }\n", ""},
		{"app", "  app:", "  other:"},
		{"app.pk", "pk: PK\n", "pk: id\n"},
		{"app.billing", "billing: on-demand", "billing: provisioned"},
		{"app.GSI1", "GSI1: { pk: GSI1PK }, ", ""},
		{"app.GSI2", "pk: GSI2PK", "pk: GSI3PK"},
		{"app.GSI2.project", "project: [mail]", "project: keys"},
		{"app.Note", `, Note: { PK: "NOTE#{note_id}" } }`, ` }
  notes: { pk: PK, items: { Note: { PK: "NOTE#{note_id}" } } }`},
		{"User.PK", `"USER#{user_id}"`, `{ value: "USER#{user_id}", when: mail exists }`},
		{"GetUser", "where: { user_id: $ }", "where: { mail: $ }"},
	}
	if got := unmarked(t, []byte(document), []byte(document)); len(got) > 0 {
		t.Fatalf("reported without a change: %v", got)
	}
	for _, c := range changes {
		repaired := strings.Replace(document, c.old, c.new, 1)
		got := unmarked(t, []byte(document), []byte(repaired))
		if len(got) != 1 || !strings.HasPrefix(got[0], c.name+": ") {
			t.Errorf("change of %s: reported %q", c.name, got)
		}
		marked := "# FIX " + c.name + ": the document\n# is wrong\n" + repaired
		if got := unmarked(t, []byte(document), []byte(marked)); len(got) > 0 {
			t.Errorf("marked change of %s: reported %q", c.name, got)
		}
	}
	for _, same := range []string{"put: User, rate: 5/s", "put: User, where: { user_id: $ }, rate: 1/s"} { // not the document's
		if got := unmarked(t, []byte(document), []byte(strings.Replace(document, "put: User, rate: 1/s", same, 1))); len(got) > 0 {
			t.Errorf("%s: reported %q", same, got)
		}
	}
	for _, mark := range []string{"# FIX User.PK: nothing differs\n", "# FIX User.PK\n", "# FIX: unnamed\n"} {
		if got := unmarked(t, []byte(document), []byte(mark+document)); len(got) != 1 {
			t.Errorf("%q: reported %q", mark, got)
		}
	}
}

func TestFixMarks(t *testing.T) {
	const text = `# FIX A.b, A.c,
# D: they have
# no order.
# FIX E.PK: short
entities: # FIX F.GSI1.project, t-x.by-y: at the end of a line
  # not FIX G: in a sentence
`
	want := []string{"A.b", "A.c", "D", "E.PK", "F.GSI1.project", "t-x.by-y"}
	got, bad := fixMarks([]byte(text))
	if diff := cmp.Diff(want, got); diff != "" || len(bad) > 0 {
		t.Errorf("marks (-want +got), bad %q:\n%s", bad, diff)
	}
}

// unmarked returns the choices of a document that differ in the repaired design without a mark,
// and the marks without a difference.
func unmarked(t *testing.T, document, repaired []byte) []string {
	t.Helper()
	was, is := readChoices(t, document, true), readChoices(t, repaired, false)
	marks, problems := fixMarks(repaired)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if slices.ContainsFunc(wholes(name), func(whole string) bool { return was[whole] != nil && is[whole] == nil }) {
			continue // the whole is reported
		}
		differs, marked := !was[name].keptIn(is[name]), slices.Contains(marks, name)
		switch {
		case differs && !marked:
			problems = append(problems, fmt.Sprintf("%s: the document has %v, the design %v; mark it # FIX %s: reason", name, was[name], is[name], name))
		case !differs && marked:
			problems = append(problems, fmt.Sprintf("%s: marked FIX, but as in the document", name))
		}
	}
	for _, name := range marks {
		if was[name] == nil {
			problems = append(problems, fmt.Sprintf("%s: marked FIX, but the document has no such choice", name))
		}
	}
	return problems
}

// choice is one thing a document chose: keys of the design file with their values. A design that
// has further keys keeps the choice.
type choice map[string]any

func (c choice) String() string {
	if c == nil {
		return "nothing"
	}
	return strings.TrimPrefix(fmt.Sprint(map[string]any(c)), "map")
}

func (c choice) keptIn(d choice) bool {
	if d == nil {
		return false
	}
	for key, value := range c {
		if fmt.Sprint(d[key]) != fmt.Sprint(value) { // maps are printed in order of their keys
			return false
		}
	}
	return true
}

// wholes returns the names of what a choice is a part of: a table or an entity, an index, and for
// an entity in a table the entity.
func wholes(name string) []string {
	var all []string
	for i, c := range name {
		if c == '.' {
			all = append(all, name[:i])
		}
	}
	if len(all) > 0 {
		all = append(all, name[strings.LastIndex(name, ".")+1:])
	}
	return all
}

// readChoices returns the choices of a design by name:
//
//	Entity  Entity.id  Entity.attribute  Entity.label  Entity.TTL  Entity.encrypt  Entity.KEY
//	table  table.setting  table.Entity  table.INDEX  table.INDEX.project
//	Pattern
//
// Of a document only the patterns tagged listed or example count: the others are not its own.
func readChoices(t *testing.T, text []byte, document bool) map[string]choice {
	t.Helper()
	var d struct{ Entities, Tables, Patterns map[string]map[string]any }
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	all := map[string]choice{}
	for name, entity := range d.Entities {
		entityChoices(name, entity, all)
	}
	for name, table := range d.Tables {
		tableChoices(name, table, all)
	}
	for name, pattern := range d.Patterns {
		if tags := fmt.Sprint(pattern["tags"]); !document || strings.Contains(tags, "listed") || strings.Contains(tags, "example") {
			all[name] = some(pattern, "get", "list", "collect", "create", "put", "update", "delete", "transact", "where", "filter", "order", "set", "add")
		}
	}
	return all
}

func entityChoices(name string, entity map[string]any, all map[string]choice) {
	all[name] = choice{}
	all[name+".id"] = some(entity, "id")
	for attribute, kind := range entity["attributes"].(map[string]any) {
		if long, ok := kind.(map[string]any); ok {
			kind = long["type"]
		}
		all[name+"."+attribute] = choice{"type": kind}
	}
	if label := some(entity, "label"); len(label) > 0 {
		all[name+".label"] = label
	}
	if ttl := some(entity, "ttl"); len(ttl) > 0 {
		all[name+".TTL"] = ttl
	}
	if encrypt := some(entity, "encrypt"); len(encrypt) > 0 {
		all[name+".encrypt"] = encrypt
	}
}

func tableChoices(name string, table map[string]any, all map[string]choice) {
	all[name] = choice{}
	for _, setting := range []string{"pk", "sk", "type", "billing", "class", "stream", "pitr", "ttl", "encryption", "tags"} {
		if value := some(table, setting); len(value) > 0 {
			all[name+"."+setting] = value
		}
	}
	indexes, _ := table["indexes"].(map[string]any)
	for index, value := range indexes {
		keys := value.(map[string]any)
		all[name+"."+index] = some(keys, "pk", "sk", "local")
		project, ok := keys["project"]
		if !ok {
			project = "all"
		}
		all[name+"."+index+".project"] = choice{"project": project}
	}
	if list, ok := table["items"].([]any); ok {
		for _, entity := range list {
			all[fmt.Sprintf("%s.%s", name, entity)] = choice{}
		}
	}
	items, _ := table["items"].(map[string]any)
	for entity, keys := range items {
		all[name+"."+entity] = choice{}
		for key, template := range keys.(map[string]any) {
			all[entity+"."+key] = choice{"template": template}
		}
	}
}

// some returns the given keys of a block that it has.
func some(block map[string]any, keys ...string) choice {
	c := choice{}
	for _, key := range keys {
		if value, ok := block[key]; ok {
			c[key] = value
		}
	}
	return c
}

var (
	fixComment = regexp.MustCompile(`(?:^|\s)# (FIX\b.*)$`)
	wholeLine  = regexp.MustCompile(`^\s*# (.*)$`)
	fixMark    = regexp.MustCompile(`^FIX ([\w.-]+(?:, [\w.-]+)*): \S`)
)

// fixMarks returns the names in comments of the form "# FIX name, name: reason", which may go on
// over further lines of comment, and a sentence for each comment that begins with FIX otherwise.
func fixMarks(text []byte) (names, bad []string) {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		found := fixComment.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		comment := found[1]
		for _, next := range lines[i+1:] {
			more := wholeLine.FindStringSubmatch(next)
			if more == nil || !wholeLine.MatchString(line) || strings.HasPrefix(more[1], "FIX") {
				break
			}
			comment += " " + more[1]
		}
		mark := fixMark.FindStringSubmatch(comment)
		if mark == nil {
			bad = append(bad, fmt.Sprintf("line %d: want # FIX name: reason, got # %s", i+1, comment))
			continue
		}
		names = append(names, strings.Split(mark[1], ", ")...)
	}
	return names, bad
}
