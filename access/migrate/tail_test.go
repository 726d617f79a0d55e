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

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/engine"
)

// tailMigration is for a table that programs write to which do not know it.
func tailMigration() *Migration {
	m := noHolds(taskMigration())
	m.Strategy = Tail
	return m
}

// strangers write tasks as one version does, and no phase, until stop is called.
func strangers(t *testing.T, db *engine.DB, version int) (stop func()) {
	t.Helper()
	var group sync.WaitGroup
	var over atomic.Bool
	group.Go(func() {
		for i := 0; !over.Load(); i++ {
			item := taskItem(fmt.Sprint("s", i%9), fmt.Sprint("Title ", i), []string{"", "Ann", "Bob"}[i%3], version == 2)
			if version == 2 {
				delete(item, "owner")
			}
			put(t, db.API(), item)
			if version == 1 {
				if err := stale(t.Context(), db.API(), fmt.Sprint("s", i%9), fmt.Sprint("Again ", i)); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(time.Millisecond)
		}
	})
	return func() {
		over.Store(true)
		group.Wait()
	}
}

// TestTail carries a migration out while programs write that cannot be changed. They pause while readers are switched.
func TestTail(t *testing.T) {
	for _, back := range []bool{false, true} {
		t.Run(fmt.Sprint("back ", back), func(t *testing.T) {
			t.Parallel()
			db := openTasks(t)
			setStream(t, db, types.StreamViewTypeNewImage)
			e := taskEpochs(t, db)
			const old = 40
			for i := range old {
				put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
			}
			stop, known := strangers(t, db, 1), traffic(t, db, 1)
			m, o := tailMigration(), watched(db)
			delete(m.Holds, "after")
			err := Run(t.Context(), e, m, o)
			if h, is := errors.AsType[*HeldError](err); !is || h.Step != "read" || !strings.Contains(h.Why, "Deny the writes") {
				t.Fatalf("%v, want a hold before read", err)
			}
			time.Sleep(50 * time.Millisecond) // what they write now is repaired by the next runner
			stop()
			if err := Resume(t.Context(), e, m, "read"); err != nil {
				t.Fatal(err)
			}
			err = Run(t.Context(), e, m, o)
			if h, is := errors.AsType[*HeldError](err); !is || h.Step != "after" {
				t.Fatalf("%v, want a hold before after", err)
			}
			for key, item := range all(t, db.API()) { // readers use the new parts
				if key != "Tasks#state" && textOf(item["GSI1SK"]) != strings.ToLower(textOf(item["title"])) {
					t.Errorf("%s: %v", key, item)
				}
			}
			stop = strangers(t, db, 2)
			time.Sleep(50 * time.Millisecond)
			stop()
			want := 2
			if back {
				want = 1
				err = Back(t.Context(), e, m)
			} else {
				err = Resume(t.Context(), e, m, "after")
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Fatal(err)
			}
			writers := known()
			compareTasks(t, db, writers, want, old+9)
		})
	}
}

// TestTailNeedsStream refuses to go on without a stream.
func TestTailNeedsStream(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	o := watched(db)
	o.Unwatched = true
	err := Run(t.Context(), e, tailMigration(), o)
	if lost, is := errors.AsType[*WatchLostError](err); !is || lost.Table != "tasks" {
		t.Errorf("%v, want the table without a stream", err)
	}
}

// TestTailLags lets no runner be there for hours. After twelve the status says so; after twenty all items are repaired again, and what is
// left of the stream does not matter.
func TestTailLags(t *testing.T) {
	for _, away := range []time.Duration{13 * time.Hour, 21 * time.Hour, 30 * time.Hour} {
		t.Run(away.String(), func(t *testing.T) {
			t.Parallel()
			clock := engine.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			db := openTasksWith(t, &engine.Options{Clock: clock})
			setStream(t, db, types.StreamViewTypeNewImage)
			e := taskEpochs(t, db)
			for i := range 5 {
				put(t, db.API(), taskItem(fmt.Sprint(i), "Old", "Ann", false))
			}
			m, o := tailMigration(), watched(db)
			delete(m.Holds, "after")
			// While no process is away, the clock stands still: only waits are real.
			o.Clock = Clock{Now: clock.Now, Sleep: func(ctx context.Context, d time.Duration) error {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(min(d, 20*time.Millisecond)):
					clock.Advance(min(d, time.Second))
					return nil
				}
			}}
			if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
				t.Fatal("no hold before read")
			}
			for i := range 5 {
				if err := stale(t.Context(), db.API(), fmt.Sprint(i), "Stale"); err != nil {
					t.Fatal(err)
				}
			}
			clock.Advance(away)
			if err := Resume(t.Context(), e, m, "read"); err != nil {
				t.Fatal(err)
			}
			lags, repaired := "", false
			o.Progress = func(s Status) {
				if s.Lag != "" {
					lags = s.Lag
				}
				repaired = repaired || s.Step == stepRepair
			}
			o.Fresh = 1000 * time.Hour // it is not verified again because of its age
			err := Run(t.Context(), e, m, o)
			if h, is := errors.AsType[*HeldError](err); !is || h.Step != "after" {
				t.Fatalf("%v, want a hold before after", err)
			}
			if wantRepair := away > 20*time.Hour; repaired != wantRepair || !repaired && lags != "13h0m" {
				t.Errorf("all items were repaired: %v; the lag was %q", repaired, lags)
			}
			for key, item := range all(t, db.API()) {
				if key != "Tasks#state" && textOf(item["GSI1SK"]) != "stale" {
					t.Errorf("%s: %v", key, item)
				}
			}
		})
	}
}

// TestReverseNeedsInverse refuses strategy tail if the old part cannot be made from the new one.
func TestReverseNeedsInverse(t *testing.T) {
	m := tailMigration()
	m.Parts[0].Set[0].Convert = "upper"
	upper := func(v types.AttributeValue) (types.AttributeValue, error) { return v, nil }
	e := &Epochs{API: nobody{}, Design: taskDesign, Control: "control"}
	err := Run(t.Context(), e, m, Options{Convert: map[string]Conversion{"upper": upper}})
	if err == nil || !strings.Contains(err.Error(), "the way back of part Task.by_title: owner needs the conversion upper.inverse") {
		t.Error(err)
	}
}

// nobody is an API that is not called.
type nobody struct{ access.API }
