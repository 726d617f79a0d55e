package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/engine"
)

// setStream switches the stream of the tasks on or off.
func setStream(t *testing.T, db *engine.DB, view types.StreamViewType) {
	t.Helper()
	s := &types.StreamSpecification{StreamEnabled: new(view != ""), StreamViewType: view}
	if _, err := db.API().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: new("tasks"), StreamSpecification: s}); err != nil {
		t.Fatal(err)
	}
}

// watched returns the options of a runner that watches.
func watched(db *engine.DB) Options {
	return Options{Lease: 30 * time.Millisecond, Segments: 2, Streams: Streams{API: db.Streams(), DB: db.API()}}
}

// stale changes the title of a task as a program does that was made before there was a history.
func stale(ctx context.Context, api access.API, id, title string) error {
	u := &update{table: "tasks", key: access.Item{"PK": marshal.S("TASK#" + id)}, names: map[string]string{}, values: access.Item{}}
	u.set("title", marshal.S(title))
	u.where("attribute_exists(" + u.name("PK") + ")")
	_, err := api.UpdateItem(ctx, u.input())
	return err
}

// TestOldBinaryIsNamed lets a program from before the history go on writing. The run stops and names an item, and the way back ends with all
// items as that program wrote them.
func TestOldBinaryIsNamed(t *testing.T) {
	for _, view := range []types.StreamViewType{types.StreamViewTypeNewAndOldImages, types.StreamViewTypeKeysOnly} {
		t.Run(string(view), func(t *testing.T) {
			t.Parallel()
			db := openTasks(t)
			setStream(t, db, view)
			e := taskEpochs(t, db)
			const old = 30
			for i := range old {
				put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
			}
			var over atomic.Bool
			var group sync.WaitGroup
			group.Go(func() {
				for i := 0; !over.Load(); i++ {
					if err := stale(t.Context(), db.API(), fmt.Sprint("old", i%old), fmt.Sprint("Stale ", i)); err != nil {
						t.Error(err)
					}
					time.Sleep(time.Millisecond)
				}
			})
			m, o := noHolds(taskMigration()), watched(db)
			err := Run(t.Context(), e, m, o)
			v, is := errors.AsType[*ViolationError](err)
			if !is || v.Part != "Task.by_title" || v.Attribute != "GSI1SK" || !strings.HasPrefix(textOf(v.Key["PK"]), "TASK#old") || v.At.IsZero() {
				t.Fatalf("%v, want an item that was written without its key", err)
			}
			r, err := Read(t.Context(), e, m, o)
			if err != nil || r.State.Phase != access.PhaseWrite || !strings.Contains(r.Paused, "with the wrong GSI1SK of part Task.by_title") || r.Watch != "on" {
				t.Errorf("%+v, %v", r, err)
			}
			err = Run(t.Context(), e, m, o)
			if _, is := errors.AsType[*PausedError](err); !is {
				t.Errorf("the next runner: %v", err)
			}
			if err := Back(t.Context(), e, m); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Error(err)
			}
			over.Store(true)
			group.Wait()
			compareTasks(t, db, nil, 1, old)
		})
	}
}

// TestLateRequestIsNoticed lets a request of an earlier phase arrive late, while no runner is there. The next one
// finds it, and after resume the item is repaired.
func TestLateRequestIsNoticed(t *testing.T) {
	db := openTasks(t)
	setStream(t, db, types.StreamViewTypeNewImage)
	e := taskEpochs(t, db)
	put(t, db.API(), taskItem("1", "One", "Ann", false))
	m, o := noHolds(taskMigration()), watched(db)
	delete(m.Holds, "read")
	err := Run(t.Context(), e, m, o)
	if h, is := errors.AsType[*HeldError](err); !is || h.Step != "read" {
		t.Fatal(err)
	}
	if err := stale(t.Context(), db.API(), "1", "Late"); err != nil {
		t.Fatal(err)
	}
	if err := Resume(t.Context(), e, m, "read"); err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), e, m, o)
	if v, is := errors.AsType[*ViolationError](err); !is || textOf(v.Key["PK"]) != "TASK#1" {
		t.Fatalf("%v, want the late item", err)
	}
	if err := Resume(t.Context(), e, m); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	if title := textOf(all(t, db.API())["TASK#1"]["GSI1SK"]); title != "late" {
		t.Errorf("the key of the item is %q", title)
	}
	compareTasks(t, db, nil, 2, 1)
}

// TestViolationInRead stops before the old part is given up, until the run went back: readers would see what is wrong.
func TestViolationInRead(t *testing.T) {
	db := openTasks(t)
	setStream(t, db, types.StreamViewTypeNewImage)
	e := taskEpochs(t, db)
	m, o := noHolds(taskMigration()), watched(db)
	delete(m.Holds, "after")
	if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
		t.Fatal("no hold before after")
	}
	put(t, db.API(), taskItem("1", "One", "Ann", false)) // by a program that does not know the key
	if err := Resume(t.Context(), e, m, "after"); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), e, m, o)
	if v, is := errors.AsType[*ViolationError](err); !is || textOf(v.Key["PK"]) != "TASK#1" {
		t.Fatalf("%v, want the item without its part", err)
	}
	if err := Resume(t.Context(), e, m); err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), e, m, o)
	if d, is := errors.AsType[*DifferError](err); !is || d.Differing != 1 {
		t.Fatalf("%v, want one item that differs", err)
	}
	if err := Back(t.Context(), e, m); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	compareTasks(t, db, nil, 1, 1)
}

// TestLostStream stops when the stream is switched off, and goes on without it if that is accepted.
func TestLostStream(t *testing.T) {
	db := openTasks(t)
	setStream(t, db, types.StreamViewTypeNewImage)
	e := taskEpochs(t, db)
	for i := range 20 {
		put(t, db.API(), taskItem(fmt.Sprint(i), "One", "Ann", false))
	}
	m, o := noHolds(taskMigration()), watched(db)
	delete(m.Holds, "read")
	if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
		t.Fatal("no hold before read")
	}
	setStream(t, db, "")
	if err := Resume(t.Context(), e, m, "read"); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), e, m, o)
	if lost, is := errors.AsType[*WatchLostError](err); !is || lost.Table != "tasks" || lost.Why != "table tasks has no stream" {
		t.Fatalf("%v, want the table whose stream is gone", err)
	}
	o.Unwatched = true
	var last Status
	o.Progress = func(s Status) { last = s }
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	if last.Watch != "off: table tasks has no stream" {
		t.Errorf("the status says %q of the watch", last.Watch)
	}
	compareTasks(t, db, nil, 2, 20)
}

// TestUnwatched says that a run cannot be watched, and goes on.
func TestUnwatched(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	m, o := noHolds(taskMigration()), watched(db)
	delete(m.Holds, "read")
	if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
		t.Fatal("no hold before read")
	}
	r, err := Read(t.Context(), e, m, o)
	if err != nil || r.Watch != "off: table tasks has no stream" {
		t.Errorf("%+v, %v", r, err)
	}
}
