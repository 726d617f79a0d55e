package across_test

import (
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/across"
	"sortkey.dev/engine"
)

// tasks is the design that the tests change.
const tasks = `
design: Tasks
entities:
  Project:
    id: project_id
    attributes: { project_id: ulid, name: string }
  Task:
    id: task_id
    attributes: { task_id: ulid, project_id: ulid, owner: string, title: string, status: "enum(OPEN, DONE)", note: string?, rank: string }
    per: { project_id: 8, owner: 8 }
tables:
  tasks:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK } }
    items:
      Project: { PK: "P#{project_id}", SK: PROJECT }
      Task: { PK: "T#{task_id}", SK: TASK, GSI1PK: "P#{project_id}#{task_id|shard 2}", GSI1SK: "T#{task_id}" }
patterns:
  AddProject: { create: Project, rate: 1/s }
  GetProject: { get: Project, where: { project_id: $ }, rate: 1/s }
  AddTask: { create: Task, rate: 1/s }
  PutTask: { put: Task, rate: 1/s }
  GetTask: { get: Task, where: { task_id: $ }, rate: 1/s }
  Retitle: { update: Task, where: { task_id: $ }, set: [title], rate: 1/s }
  DropTask: { delete: Task, where: { task_id: $ }, rate: 1/s }
  ListTasks: { list: Task, where: { project_id: $ }, rate: 1/s }
`

// layoutOf returns the layout of a design without errors of the loader.
func layoutOf(t *testing.T, text string) *resolve.Layout {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}, &report)
	if d == nil || report.Failed() {
		t.Fatalf("loading the design: %v", report.Findings())
	}
	return resolve.New(d)
}

// byName pairs what has the same name.
func byName(a, b *model.Design) *across.Pairs {
	same := across.NewPairs()
	for _, e := range a.Entities {
		other := b.Entity(e.Name)
		if other == nil {
			continue
		}
		same.Entities(e, other)
		for _, attribute := range e.Attributes {
			if its := other.Attribute(attribute.Name); its != nil {
				same.Attributes(attribute, its)
			}
		}
	}
	return same
}

func run(t *testing.T, before, after *resolve.Layout, o across.Options) []*across.Evidence {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	found, err := across.Run(t.Context(), before, after, byName(before.Design(), after.Design()), db.API(), o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// changed returns the design with texts replaced.
func changed(t *testing.T, pairs ...string) string {
	t.Helper()
	text := tasks
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the design has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// changes are changes of the design, each with the beginning and the end of what must go wrong. Every other
// evidence is an error.
var changes = map[string]struct {
	after func(*testing.T) string
	want  []string
}{
	"required attribute": {to("rank: string }", "rank: string, due: date }"), []string{
		"new code on old items: GetTask(…) fails: DecodeError: Task.due is missing",
		"old code on new items: AddTask(…) leaves a Task that new code cannot read: DecodeError: Task.due is missing",
		"new code on old items: Retitle(…) fails: DoneError, it was done: Task.due is missing",
		"old code on new items: PutTask(…) drops Task.due, which was …",
	}},
	"optional attribute": {to("rank: string }", "rank: string, due: date? }"), []string{
		"old code on new items: PutTask(…) drops Task.due, which was …",
	}},
	"attribute with default": {to("rank: string }", "rank: string, due: { type: string, default: never } }"), []string{
		"old code on new items: PutTask(…) drops Task.due, which was …",
	}},
	"enum value": {to("OPEN, DONE", "OPEN, DONE, LATE"), []string{
		`old code on new items: GetTask(…) reads Task.status "LATE", which the old design does not have`,
		`new code on old items: AddTask(…) stores Task.status "LATE", which the old design does not have`,
	}},
	"kind": {to("rank: string", "rank: int"), []string{
		"new code on old items: GetTask(…) fails: DecodeError: Task.rank holds S, not N",
		"old code on new items: GetTask(…) fails: DecodeError: Task.rank holds N, not S",
		"new code on old items: AddTask(…) leaves a Task that old code cannot read: DecodeError: Task.rank holds N, not S",
		"old code on new items: AddTask(…) leaves a Task that new code cannot read: DecodeError: Task.rank holds S, not N",
		"new code on old items: Retitle(…) fails: DoneError, it was done: Task.rank holds S, not N",
		"old code on new items: Retitle(…) fails: DoneError, it was done: Task.rank holds N, not S",
	}},
	"stored name": {to("rank: string", "rank: { type: string, name: r }"), []string{
		"new code on old items: GetTask(…) fails: DecodeError: Task.rank is missing",
		"old code on new items: GetTask(…) fails: DecodeError: Task.rank is missing",
		"new code on old items: AddTask(…) leaves a Task that old code cannot read: DecodeError: Task.rank is missing",
		"old code on new items: AddTask(…) leaves a Task that new code cannot read: DecodeError: Task.rank is missing",
		"new code on old items: Retitle(…) fails: DoneError, it was done: Task.rank is missing",
		"old code on new items: Retitle(…) fails: DoneError, it was done: Task.rank is missing",
	}},
	"stored name of an optional attribute": {to("note: string?", "note: { type: string?, name: n }"), []string{
		"new code on old items: GetTask(…) reads Task.note nothing, and it is …",
		"old code on new items: GetTask(…) reads Task.note nothing, and it is …",
		"new code on old items: PutTask(…) stores Task.note where old code reads nothing: …",
		"old code on new items: PutTask(…) stores Task.note where new code reads nothing: …",
		"new code on old items: PutTask(…) drops Task.note, which was …",
		"old code on new items: PutTask(…) drops Task.note, which was …",
	}},
	"index key": {to("indexes: {", "indexes: { GSI2: { pk: GSI2PK, sk: GSI2SK },",
		`GSI1SK: "T#{task_id}"`, `GSI1SK: "T#{task_id}", GSI2PK: "O#{owner}", GSI2SK: "{title}#{task_id}"`,
		"patterns:", "patterns:\n  ListByOwner: { list: Task, where: { owner: $ }, order: title asc, rate: 1/s }"), []string{
		"new code on old items: ListByOwner(…) finds 0 of … Task items: stored with no GSI2PK and no GSI2SK",
		"old code on new items: Retitle(…) leaves GSI2SK stale: it is …, and should be …",
		"old code on new items: PutTask(…) drops GSI2PK and GSI2SK",
	}},
	"shards": {to("shard 2", "shard 4"), []string{
		"old code on new items: ListTasks(…) finds … of … Task items: stored with GSI1PK …",
		"old code on new items: AddTask(…) writes GSI1PK as …, and new code looks for …",
		"new code on old items: AddTask(…) writes GSI1PK as …, and old code looks for …",
	}},
	"unique": {to("note: string?, rank: string }", "note: string?, rank: string }\n    unique: [title]",
		"patterns:", "    guards: { Task.title: { PK: \"TITLE#{title}\", SK: TITLE } }\npatterns:"), []string{
		"new code on old items: AddTask(…) accepts title that another item has: no row keeps it",
		"old code on new items: PutTask(…) leaves the row that keeps the old Task.title unique",
		"old code on new items: Retitle(…) writes no row that keeps Task.title unique",
	}},
	"counter": {to("name: string }", "name: string, tasks: int }\n    counters: { tasks: { count: Task } }"), []string{
		"new code on old items: GetProject(…) fails: DecodeError: Project.tasks is missing",
		"old code on new items: AddProject(…) leaves a Project that new code cannot read: DecodeError: Project.tasks is missing",
		"old code on new items: AddTask(…) does not count: Project.tasks is …, and should be …",
		"new code on old items: AddTask(…) counts from nothing: Project.tasks is 1, and should be …",
	}},
	"docs":  {to("design: Tasks", "design: Tasks\ndoc: better"), nil},
	"index": {to("indexes: {", "indexes: { ByOwner: { pk: owner },"), nil},
}

// to returns the design with texts replaced.
func to(pairs ...string) func(*testing.T) string {
	return func(t *testing.T) string { return changed(t, pairs...) }
}

func TestChangesShowWhatGoesWrong(t *testing.T) {
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			found := run(t, layoutOf(t, tasks), layoutOf(t, test.after(t)), across.Options{Everything: true})
			for _, want := range test.want {
				if !slices.ContainsFunc(found, func(e *across.Evidence) bool { return isLike(e.String(), want) }) {
					t.Errorf("missing: %s", want)
				}
			}
			for _, e := range found {
				if !slices.ContainsFunc(test.want, func(want string) bool { return isLike(e.String(), want) }) {
					t.Errorf("surplus: %s: %s", e.Kind, e)
				}
			}
		})
	}
}

// isLike reports whether a text has the parts of another that are separated by …, in order.
func isLike(text, want string) bool {
	parts := strings.Split(want, "…")
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, parts[len(parts)-1]) {
		return false
	}
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

func TestEqualDesignsShowNothing(t *testing.T) {
	for seed := range uint64(3) {
		for _, e := range run(t, layoutOf(t, tasks), layoutOf(t, tasks), across.Options{Seed: seed, Everything: true}) {
			t.Errorf("seed %d: %s: %s", seed, e.Kind, e)
		}
	}
}
