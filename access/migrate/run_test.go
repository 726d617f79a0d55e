package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
	"sortkey.dev/engine"
)

// taskDesign is what a generated package of versions 1 and 2 would say.
var taskDesign = access.Design{
	Name: "Tasks", Versions: []int{1, 2},
	State: access.StateRow{Table: "tasks", Partition: access.KeyValue{Name: "PK", Text: "Tasks#state"}},
}

func taskEpochs(t *testing.T, db *engine.DB) *Epochs {
	t.Helper()
	e := &Epochs{API: db.API(), Design: taskDesign, Control: "control", Settle: time.Millisecond}
	if _, err := e.Create(t.Context(), 1, 30*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return e
}

// A writer changes tasks as generated code does: by the phase that its call began in.
type writer struct {
	client *access.Client
	title  map[string]string // what it was told was written
	owner  map[string]string
}

func newWriter(api access.API) *writer {
	return &writer{client: access.NewClient(api, taskDesign), title: map[string]string{}, owner: map[string]string{}}
}

// rename changes the title of a task.
func (w *writer) rename(ctx context.Context, id, title string) error {
	for {
		c, err := w.client.Begin(ctx)
		if err != nil {
			return err
		}
		u := &update{table: "tasks", key: access.Item{"PK": marshal.S("TASK#" + id)}, names: map[string]string{}, values: access.Item{}}
		u.set("title", marshal.S(title))
		switch c.Phase() {
		case access.PhaseBefore:
		case access.PhasePrepare:
			u.assign("GSI1SK", nil)
		default:
			u.set("GSI1SK", marshal.S(strings.ToLower(title)))
		}
		u.where("attribute_exists(" + u.name("PK") + ")")
		options, err := c.Admit(ctx)
		if access.Overtaken(err) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err = w.client.API().UpdateItem(ctx, u.input(), options...); err == nil {
			w.title[id] = title
		}
		return err
	}
}

// create makes a task, or replaces it.
func (w *writer) create(ctx context.Context, id, title, owner string) error {
	for {
		c, err := w.client.Begin(ctx)
		if err != nil {
			return err
		}
		item := taskItem(id, title, owner, c.Phase() >= access.PhaseWrite)
		if c.Phase() == access.PhaseAfter {
			delete(item, "owner")
		}
		options, err := c.Admit(ctx)
		if access.Overtaken(err) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = w.client.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: new("tasks"), Item: item}, options...)
		if err == nil {
			w.title[id], w.owner[id] = title, owner
		}
		return err
	}
}

// traffic lets writers change their own tasks until stop is called, which returns them.
func traffic(t *testing.T, db *engine.DB, writers int) (stop func() []*writer) {
	t.Helper()
	var all []*writer
	var group sync.WaitGroup
	var over atomic.Bool
	for n := range writers {
		w := newWriter(db.API())
		all = append(all, w)
		group.Go(func() {
			for i := 0; !over.Load(); i++ {
				id := fmt.Sprintf("%d-%d", n, i%7)
				err := w.create(t.Context(), id, fmt.Sprint("Made ", i), []string{"", "Ann"}[i%2])
				if err == nil && i%3 > 0 {
					err = w.rename(t.Context(), id, fmt.Sprint("Renamed ", i))
				}
				if err != nil {
					t.Errorf("writer %d: %v", n, err)
					return
				}
				time.Sleep(time.Millisecond / 2)
			}
		})
	}
	return func() []*writer {
		over.Store(true)
		group.Wait()
		return all
	}
}

// compare compares the table with what the writers were told, and with what items of a version look like.
func compareTasks(t *testing.T, db *engine.DB, writers []*writer, version int, old int) {
	t.Helper()
	items := all(t, db.API())
	delete(items, "Tasks#state")
	want := old
	for _, w := range writers {
		want += len(w.title)
		for id, title := range w.title {
			item := items["TASK#"+id]
			if textOf(item["title"]) != title {
				t.Errorf("%s: title %q, and the writer was told %q", id, textOf(item["title"]), title)
			}
			if holder := textOf(item[[]string{"", "owner", "holder"}[version]]); holder != w.owner[id] {
				t.Errorf("%s: owner %q, and the writer was told %q", id, holder, w.owner[id])
			}
		}
	}
	if len(items) != want {
		t.Errorf("%d items, want %d", len(items), want)
	}
	for key, item := range items {
		expected := taskItem(strings.TrimPrefix(key, "TASK#"), textOf(item["title"]), "", version == 2)
		if owner := textOf(item[[]string{"", "owner", "holder"}[version]]); owner != "" {
			expected = taskItem(strings.TrimPrefix(key, "TASK#"), textOf(item["title"]), owner, version == 2)
		}
		if version == 2 {
			delete(expected, "owner")
		}
		if !parts.Equal(marshalMap(item), marshalMap(expected)) {
			t.Errorf("%s is %v, want %v", key, item, expected)
		}
	}
}

func marshalMap(item access.Item) types.AttributeValue {
	return &types.AttributeValueMemberM{Value: item}
}

func noHolds(m *Migration) *Migration {
	m.Holds = map[string]bool{"deploy": false, "read": false, "after": false}
	m.Opens, m.Closes = []string{"titles@2"}, []string{"titles@1"}
	return m
}

// TestRunUnderTraffic carries a migration out while writers go on, with three runners of which one is
// stopped and begins again all the time. No call fails, and nothing is lost.
func TestRunUnderTraffic(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	const old = 300
	for i := range old {
		put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old "+strings.Repeat("x", 2000), []string{"", "Bob"}[i%2], false))
	}
	stop := traffic(t, db, 4)
	o := Options{Lease: 30 * time.Millisecond, Segments: 4}
	var runners sync.WaitGroup
	var over atomic.Bool
	for range 2 {
		runners.Go(func() {
			if err := Run(t.Context(), e, noHolds(taskMigration()), o); err != nil {
				t.Errorf("runner: %v", err)
			}
			over.Store(true)
		})
	}
	runners.Go(func() {
		for !over.Load() {
			time.Sleep(rand.N(100 * time.Millisecond))
			ctx, cancel := context.WithTimeout(t.Context(), rand.N(150*time.Millisecond))
			err := Run(ctx, e, noHolds(taskMigration()), o)
			cancel()
			if err != nil && ctx.Err() == nil {
				t.Errorf("the runner that is stopped: %v", err)
			}
		}
	})
	runners.Wait()
	writers := stop()
	compareTasks(t, db, writers, 2, old)
	if s, err := e.Read(t.Context()); err != nil || s.Version != 2 || s.Migration != "" || s.Paths["titles@2"] == 0 || s.Paths["titles@1"] != 0 {
		t.Errorf("state %+v, %v", s, err)
	}
}

// TestRollbackFromEveryPhase goes back from each hold, under traffic, and ends where it began.
func TestRollbackFromEveryPhase(t *testing.T) {
	for _, held := range []string{"read", "after"} {
		t.Run(held, func(t *testing.T) {
			db := openTasks(t)
			e := taskEpochs(t, db)
			const old = 50
			for i := range old {
				put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
			}
			stop := traffic(t, db, 3)
			m, o := noHolds(taskMigration()), Options{Lease: 30 * time.Millisecond, Segments: 2}
			delete(m.Holds, held)
			err := Run(t.Context(), e, m, o)
			if h, is := errors.AsType[*HeldError](err); !is || h.Step != held {
				t.Errorf("%v, want a hold before %s", err, held)
			}
			if err := Back(t.Context(), e, m); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("back: %v", err)
			}
			compareTasks(t, db, stop(), 1, old)
			if err := Run(t.Context(), e, m, o); err != nil { // it does not begin again by itself
				t.Errorf("after it went back: %v", err)
			}
			if s, err := e.Read(t.Context()); err != nil || s.Version != 1 || s.Migration != "" || s.Paths["titles@2"] != 0 {
				t.Errorf("state %+v, %v", s, err)
			}
			if err := Resume(t.Context(), e, m, "deploy", held); err != nil { // a second try is a migration like the first
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("second try: %v", err)
			}
			compareTasks(t, db, nil, 2, old+21)
		})
	}
}

// TestConflictsStopTheRun lists items that cannot get their part, and goes on when they are mended.
func TestConflictsStopTheRun(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	bad := taskItem("bad", "Title", "Ann", false)
	bad["title"] = marshal.N(7)
	put(t, db.API(), bad)
	m, o := noHolds(taskMigration()), Options{Lease: 20 * time.Millisecond, Segments: 2}
	err := Run(t.Context(), e, m, o)
	if _, is := errors.AsType[*ConflictsError](err); !is {
		t.Fatalf("%v, want conflicts", err)
	}
	found, err := Conflicts(t.Context(), e, m)
	if err != nil || len(found) != 1 || textOf(found[0].Key["PK"]) != "TASK#bad" || !strings.Contains(found[0].Reason, "title holds N") {
		t.Fatalf("%v, %v", found, err)
	}
	put(t, db.API(), taskItem("bad", "Mended", "Ann", true))
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	if found, err := Conflicts(t.Context(), e, m); err != nil || len(found) != 0 {
		t.Errorf("still listed: %v, %v", found, err)
	}
}

// TestPause stops the run, also between two pages, and resumes it.
func TestPause(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	for i := range 200 {
		put(t, db.API(), taskItem(fmt.Sprint(i), strings.Repeat("x", 1500), "Ann", false))
	}
	m, o := noHolds(taskMigration()), Options{Lease: 20 * time.Millisecond, Segments: 8, Workers: 1, WriteRate: 400}
	paused := false
	o.Progress = func(s Status) {
		if s.Step == stepFill && s.Changed > 0 && !paused {
			paused = true
			if err := Pause(t.Context(), e, m, "lunch"); err != nil {
				t.Error(err)
			}
		}
	}
	err := Run(t.Context(), e, m, o)
	if p, is := errors.AsType[*PausedError](err); !is || p.Why != "lunch" {
		t.Fatalf("%v, want a pause", err)
	}
	if err := Resume(t.Context(), e, m); err != nil {
		t.Fatal(err)
	}
	o.Progress, o.WriteRate = nil, 0
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
}
