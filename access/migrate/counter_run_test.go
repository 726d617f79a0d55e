package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// A project keeps the number of its open tasks and the sum of their points.
func countMigration() *Migration {
	task := []shape.Attribute{{Name: "task_id", Type: "string"}, {Name: "project", Type: "string"}, {Name: "state", Type: "string"}, {Name: "points", Type: "int"}}
	project := []shape.Attribute{{Name: "id", Type: "string"}}
	taskKey, projectKey := []shape.Key{{Name: "PK", Template: "TASK#{task_id}"}}, []shape.Key{{Name: "PK", Template: "PROJECT#{id}"}}
	before := &shape.Table{PK: "PK", Type: "type", Entities: []shape.Entity{
		{Name: "Task", Attributes: task, Keys: taskKey}, {Name: "Project", Attributes: project, Keys: projectKey},
	}}
	after := &shape.Table{PK: "PK", Type: "type", Entities: []shape.Entity{
		{Name: "Task", Attributes: task, Keys: taskKey},
		{
			Name: "Project", Attributes: append(project[:1:1], shape.Attribute{Name: "open", Type: "int"}, shape.Attribute{Name: "points", Type: "int"}), Keys: projectKey,
			Counters: []shape.Counter{
				{Attribute: "open", Counts: "Task match id = project where state = OPEN"},
				{Attribute: "points", Counts: "Task sum points match id = project where state = OPEN"},
			},
		},
	}}
	counter := func(name string) Part {
		return Part{Name: "Project." + name, Table: "tasks", Entity: "Task", As: "Task", Count: &parts.Count{Table: "tasks", Entity: "Project", Attribute: name, Stored: name}}
	}
	return noHolds(&Migration{
		ID: "0002-open", Design: "Tasks", From: 1, To: 2,
		Tables: []Table{{Name: "tasks", Old: before, New: after}},
		Parts: []Part{
			{Name: "Project", Table: "tasks", Entity: "Project", As: "Project", Set: []Source{{Attribute: "open", Value: "0", Type: "int"}, {Attribute: "points", Value: "0", Type: "int"}}},
			counter("open"), counter("points"),
		},
	})
}

var counterParts = []string{"Project.open", "Project.points"}

type countedTask struct {
	project, state string
	points         int64
}

func (c countedTask) counts() (open, points int64) {
	if c.state == "OPEN" {
		return 1, c.points
	}
	return 0, 0
}

func (c countedTask) item(id string) access.Item {
	return access.Item{
		"PK": marshal.S("TASK#" + id), "type": marshal.S("Task"), "task_id": marshal.S(id),
		"project": marshal.S(c.project), "state": marshal.S(c.state), "points": marshal.N(c.points),
	}
}

// A counting is a process of generated code that makes, changes, moves and deletes its own tasks.
type counting struct {
	client   *access.Client
	name     string
	projects int
	tasks    map[string]countedTask
	adopted  []string // old tasks that it changes, too
	random   *rand.Rand
}

func newCounting(api access.API, m *Migration, name string, projects int) *counting {
	design := taskDesign
	design.Change = &parts.Change{Tables: m.Tables, Parts: m.Parts}
	return &counting{client: access.NewClient(api, design), name: name, projects: projects, tasks: map[string]countedTask{}, random: rand.New(rand.NewPCG(rand.Uint64(), 0))}
}

// onProject is the action of the counters of a project as generated code prints it.
func onProject(project string, open, points int64) call.Action {
	return call.Action{
		Kind: call.Update, Name: "counter Project.open, counter Project.points", Table: "tasks", Key: access.Item{"PK": marshal.S("PROJECT#" + project)}, KeyNames: []string{"PK"},
		Update: "ADD #open :open, #points :points", Condition: "attribute_exists(#PK) AND #open <= :limit", Expects: call.Present, Required: true,
		Names:    map[string]string{"#PK": "PK", "#open": "open", "#points": "points"},
		Values:   access.Item{":open": marshal.N(open), ":points": marshal.N(points), ":limit": marshal.N(1 << 40)},
		Counters: counterParts,
	}
}

// set makes, changes or deletes a task, as generated code of the new version does: callers give the old values.
func (w *counting) set(ctx context.Context, id string, to *countedTask) error {
	was, is := w.tasks[id]
	a := call.Action{Table: "tasks", KeyNames: []string{"PK"}, Counted: counterParts, Names: map[string]string{"#PK": "PK"}}
	sums := map[string][2]int64{}
	count := func(c countedTask, sign int64) {
		open, points := c.counts()
		sums[c.project] = [2]int64{sums[c.project][0] + sign*open, sums[c.project][1] + sign*points}
	}
	key := access.Item{"PK": marshal.S("TASK#" + id)}
	held := "attribute_exists(#PK) AND #project = :old_project AND #state = :old_state AND #points = :old_points"
	values := access.Item{":old_project": marshal.S(was.project), ":old_state": marshal.S(was.state), ":old_points": marshal.N(was.points)}
	names := map[string]string{"#PK": "PK", "#project": "project", "#state": "state", "#points": "points"}
	switch {
	case !is:
		a.Kind, a.Name, a.Item, a.Condition, a.Expects = call.Put, "create Task", to.item(id), "attribute_not_exists(#PK)", call.Absent
	case to == nil:
		a.Kind, a.Name, a.Key, a.Condition, a.Expects, a.Names, a.Values = call.Delete, "delete Task", key, held, call.Present, names, values
	default:
		a.Kind, a.Name, a.Key, a.Condition, a.Expects, a.Names, a.Values = call.Update, "update Task", key, held, call.Present, names, values
		a.Update = "SET #project = :project, #state = :state ADD #points :more"
		values[":project"], values[":state"], values[":more"] = marshal.S(to.project), marshal.S(to.state), marshal.N(to.points-was.points)
	}
	if is {
		count(was, -1)
	}
	if to != nil {
		count(*to, 1)
	}
	writes := []call.Action{a}
	for project, sum := range sums {
		if sum != [2]int64{} {
			writes = append(writes, onProject(project, sum[0], sum[1]))
		}
	}
	if err := call.Transact(ctx, w.client, &access.Pattern{Name: "SetTask", Table: "tasks"}, writes); err != nil {
		return err
	}
	if to == nil {
		delete(w.tasks, id)
	} else {
		w.tasks[id] = *to
	}
	return nil
}

func (w *counting) step(ctx context.Context) error {
	id := fmt.Sprint(w.name, w.random.IntN(5))
	if len(w.adopted) > 0 && w.random.IntN(4) > 0 {
		id = w.adopted[w.random.IntN(len(w.adopted))]
	}
	if _, is := w.tasks[id]; is && w.random.IntN(3) == 0 {
		return w.set(ctx, id, nil)
	}
	return w.set(ctx, id, &countedTask{fmt.Sprint(w.random.IntN(w.projects)), []string{"OPEN", "DONE"}[w.random.IntN(2)], w.random.Int64N(5)})
}

// adopt makes a process the one that changes an old task.
func (w *counting) adopt(id string, c countedTask) {
	w.tasks[id], w.adopted = c, append(w.adopted, id)
}

func oldTask(i, projects int) countedTask {
	return countedTask{fmt.Sprint(i % projects), []string{"OPEN", "OPEN", "DONE"}[i%3], int64(i % 4)}
}

func putCounted(t *testing.T, db *engine.DB, projects, old int) {
	for i := range projects {
		put(t, db.API(), access.Item{"PK": marshal.S(fmt.Sprint("PROJECT#", i)), "type": marshal.S("Project"), "id": marshal.S(fmt.Sprint(i))})
	}
	for i := range old {
		put(t, db.API(), oldTask(i, projects).item(fmt.Sprint("old", i)))
	}
}

// compareCounts compares the table with what the processes were told, and the counters with the items.
func compareCounts(t *testing.T, db *engine.DB, processes []*counting, version, projects, old int) {
	t.Helper()
	found := all(t, db.API())
	delete(found, "Tasks#state")
	want := map[string]access.Item{}
	sums := map[string][2]int64{}
	note := func(id string, c countedTask) {
		want["TASK#"+id] = c.item(id)
		open, points := c.counts()
		sums[c.project] = [2]int64{sums[c.project][0] + open, sums[c.project][1] + points}
	}
	tasks := map[string]countedTask{}
	for i := range old {
		tasks[fmt.Sprint("old", i)] = oldTask(i, projects)
	}
	for _, w := range processes {
		for _, id := range w.adopted {
			delete(tasks, id)
		}
		maps.Copy(tasks, w.tasks)
	}
	for id, c := range tasks {
		note(id, c)
	}
	for i := range projects {
		id := fmt.Sprint(i)
		item := access.Item{"PK": marshal.S("PROJECT#" + id), "type": marshal.S("Project"), "id": marshal.S(id)}
		if version == 2 {
			item["open"], item["points"] = marshal.N(sums[id][0]), marshal.N(sums[id][1])
		}
		want["PROJECT#"+id] = item
	}
	for key, item := range want {
		if !parts.Equal(marshalMap(found[key]), marshalMap(item)) {
			t.Errorf("%s is %v, want %v", key, shown(found[key]), shown(item))
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d items, want %d", len(found), len(want))
	}
}

func shown(item access.Item) map[string]string {
	all := map[string]string{}
	for name, v := range item {
		if all[name] = textOf(v); all[name] == "" {
			all[name] = fmt.Sprintf("%T", v)
		}
	}
	return all
}

// TestNewCounterUnderTraffic counts old tasks while programs make, move and delete others. Between read and after, the counters equal the items in every
// snapshot by transaction.
func TestNewCounterUnderTraffic(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	const projects, old, adopted = 4, 300, 60
	m, o := countMigration(), Options{Lease: 30 * time.Millisecond, Segments: 4, Clock: fastSleep()}
	putCounted(t, db, projects, old)
	one, two := newCounting(db.API(), m, "one", projects), newCounting(db.API(), m, "two", projects)
	for i := range adopted {
		[]*counting{one, two}[i%2].adopt(fmt.Sprint("old", i), oldTask(i, projects))
	}
	stop := play(t, one, two)
	delete(m.Holds, "after")
	for kill := range 20 { // runners that are stopped
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(10+5*kill)*time.Millisecond)
		err := Run(ctx, e, m, o)
		cancel()
		if _, held := errors.AsType[*HeldError](err); held {
			break
		}
		if ctx.Err() == nil {
			t.Fatalf("runner %d: %v", kill, err)
		}
	}
	if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
		t.Error("no hold before after")
	}
	for range 50 {
		snapshot(t, db, projects, adopted, old)
	}
	if err := Resume(t.Context(), e, m, "after"); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	stop()
	compareCounts(t, db, []*counting{one, two}, 2, projects, old)
}

// snapshot compares the counters with the tasks that change, in one transaction.
func snapshot(t *testing.T, db *engine.DB, projects, adopted, old int) {
	t.Helper()
	sums := map[string][2]int64{}
	for i := range old - adopted {
		c := oldTask(i+adopted, projects)
		open, points := c.counts()
		sums[c.project] = [2]int64{sums[c.project][0] + open, sums[c.project][1] + points}
	}
	var gets []types.TransactGetItem
	get := func(key string) {
		gets = append(gets, types.TransactGetItem{Get: &types.Get{TableName: new("tasks"), Key: access.Item{"PK": marshal.S(key)}}})
	}
	for i := range projects {
		get(fmt.Sprint("PROJECT#", i))
	}
	for i := range adopted {
		get(fmt.Sprint("TASK#old", i))
	}
	for _, name := range []string{"one", "two"} {
		for i := range 5 {
			get(fmt.Sprint("TASK#", name, i))
		}
	}
	var out *dynamodb.TransactGetItemsOutput
	for {
		var err error
		if out, err = db.API().TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: gets}); err == nil {
			break
		}
		if _, busy := errors.AsType[*types.TransactionCanceledException](err); !busy {
			t.Fatal(err)
		}
	}
	for _, r := range out.Responses[projects:] {
		if len(r.Item) == 0 {
			continue
		}
		points, _ := marshal.ParseInt(textOf(r.Item["points"]))
		c := countedTask{textOf(r.Item["project"]), textOf(r.Item["state"]), points}
		open, points := c.counts()
		sums[c.project] = [2]int64{sums[c.project][0] + open, sums[c.project][1] + points}
	}
	for i := range projects {
		item := out.Responses[i].Item
		open, _ := marshal.ParseInt(textOf(item["open"]))
		points, _ := marshal.ParseInt(textOf(item["points"]))
		if got := [2]int64{open, points}; got != sums[fmt.Sprint(i)] {
			t.Errorf("project %d counts %v, and its tasks are %v", i, got, sums[fmt.Sprint(i)])
		}
	}
}

// TestNewCounterGoesBack goes back from each hold under traffic, ends where it began, and succeeds in a second try.
func TestNewCounterGoesBack(t *testing.T) {
	for _, held := range []string{"read", "after"} {
		t.Run(held, func(t *testing.T) {
			db := openTasks(t)
			e := taskEpochs(t, db)
			const projects, old = 3, 40
			m, o := countMigration(), Options{Lease: 30 * time.Millisecond, Segments: 2, Clock: fastSleep()}
			putCounted(t, db, projects, old)
			one, two := newCounting(db.API(), m, "one", projects), newCounting(db.API(), m, "two", projects)
			hand := newCounting(db.API(), m, "hand", projects)
			for i := range 6 {
				hand.adopt(fmt.Sprint("old", i), oldTask(i, projects))
			}
			stop := play(t, one, two)
			delete(m.Holds, held)
			if err := Run(t.Context(), e, m, o); err == nil {
				t.Error("no hold")
			}
			if err := hand.set(t.Context(), "old1", nil); err != nil {
				t.Error(err)
			}
			if err := Back(t.Context(), e, m); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("back: %v", err)
			}
			stop()
			if err := hand.set(t.Context(), "old1", &countedTask{"1", "OPEN", 2}); err != nil {
				t.Error(err)
			}
			compareCounts(t, db, []*counting{one, two, hand}, 1, projects, old)
			stop = play(t, one, two)
			if err := Resume(t.Context(), e, m, "deploy", held); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("second try: %v", err)
			}
			stop()
			compareCounts(t, db, []*counting{one, two, hand}, 2, projects, old)
		})
	}
}
