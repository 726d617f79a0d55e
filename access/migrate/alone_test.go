package migrate

import (
	"context"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
)

// impatientClock stands still, and fails the test if a runner waits. Heartbeats may.
func impatientClock(t *testing.T) Clock {
	return Clock{
		Now: time.Now,
		Sleep: func(ctx context.Context, d time.Duration) error {
			if d < leaseTime/3 {
				t.Errorf("a runner that is alone waits for %s", d)
				return ctx.Err()
			}
			<-ctx.Done()
			return ctx.Err()
		},
	}
}

// TestAloneNothingIsWaitedFor carries a migration out in a store that no other process can reach, kills the runner after each of
// its requests, and lets the next one end what it began: neither waits for leases.
func TestAloneNothingIsWaitedFor(t *testing.T) {
	step := int64(7)
	if testing.Verbose() {
		step = 1
	}
	for kill, whole := step, false; !whole && !t.Failed(); kill += step {
		db := openTasks(t)
		e := &Epochs{API: db.API(), Design: taskDesign, Control: "control", Alone: true, Clock: impatientClock(t)}
		if _, err := e.Create(t.Context(), 1, access.LeaseInPeace); err != nil {
			t.Fatal(err)
		}
		const old = 6
		for i := range old {
			put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
		}
		// The state of another design lies beside, such as that of a system in a table of the platform.
		other := access.State{Version: 7, Least: 7, Epoch: 3, Settled: 3, Lease: access.LeaseInPeace, Longest: access.LeaseInPeace}
		put(t, db.API(), other.Item(access.StateRow{Partition: access.KeyValue{Name: "PK", Text: "Other#state"}}.Key()))

		ctx, cancel := context.WithCancel(t.Context())
		dying := *e
		api := &killedAPI{API: db.API(), answered: kill%2 == 0, kill: cancel}
		api.left.Store(kill)
		dying.API = api
		m, o := noHolds(taskMigration()), Options{Segments: 2, Workers: 2, Clock: e.Clock}
		dead := o
		dead.Clock.Sleep = func(within context.Context, d time.Duration) error {
			if ctx.Err() != nil { // it tries to give back what it has leased, in vain
				return ctx.Err()
			}
			return e.Clock.Sleep(within, d)
		}
		err := Run(ctx, &dying, m, dead)
		if whole = err == nil; !whole {
			if err = Run(t.Context(), e, m, o); err != nil {
				t.Errorf("kill %d: %v", kill, err)
			}
		}
		cancel()
		s, err := e.Read(t.Context())
		if err != nil || s.Version != 2 || s.Settled != s.Epoch {
			t.Errorf("kill %d: %+v, %v", kill, s, err)
		}
		items := all(t, db.API())
		if len(items) != old+2 {
			t.Errorf("kill %d: %d items", kill, len(items))
		}
		for i := range old {
			want := taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], true)
			delete(want, "owner")
			if have := items[fmt.Sprint("TASK#old", i)]; fmt.Sprint(have) == "" || len(have) != len(want) {
				t.Errorf("kill %d: %v", kill, have)
			}
		}
	}
}
