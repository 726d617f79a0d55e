package migrate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

var design = access.Design{Name: "Tasks", Versions: []int{6, 7}, State: access.StateRow{
	Table: "tasks", Partition: access.KeyValue{Name: "pk", Text: "Tasks#state"}, Sort: access.KeyValue{Name: "sk", Text: "state"},
}}

// openTables returns an engine with a table of tasks and a control table.
func openTables(t testing.TB) *engine.DB {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, table := range []string{"dev-tasks", "control"} {
		if _, err := db.API().CreateTable(context.Background(), stream.CheckpointTable(table)); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// A clock is one that a test holds: Sleep lets its time pass, a part at a time.
type clock struct {
	now   time.Time
	slept time.Duration
	then  func(slept time.Duration) // called while it sleeps
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	d = min(d, 7*time.Second) // wakes early
	c.now, c.slept = c.now.Add(d), c.slept+d
	if c.then != nil {
		c.then(c.slept)
	}
	return ctx.Err()
}

func newEpochs(db *engine.DB) (*migrate.Epochs, *clock) {
	c := &clock{now: time.Now()}
	return &migrate.Epochs{
		API: db.API(), Design: design, TableName: func(name string) string { return "dev-" + name }, Control: "control", Settle: migrate.SettleOnMachine,
		Clock: migrate.Clock{Now: func() time.Time { return c.now }, Sleep: c.sleep},
	}, c
}

func begin(t *testing.T, r *migrate.Epochs) access.State {
	t.Helper()
	state, err := r.Create(t.Context(), 6, access.LeaseInPeace)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func into(state access.State, phase access.Phase) access.State {
	state.Migration, state.Phase, state.Lease = "0007-titles", phase, access.LeaseMigrating
	return state
}

func mustAdvance(t *testing.T, r *migrate.Epochs, state, next access.State) access.State {
	t.Helper()
	state, err := r.Advance(t.Context(), state, next)
	if err != nil {
		t.Fatal(err)
	}
	read, err := r.Read(t.Context())
	if err != nil || read.Epoch != state.Epoch || read.Settled != read.Epoch || state.Settled != state.Epoch || read.Phase != next.Phase || read.Longest != state.Longest {
		t.Fatalf("the row %+v, %v, want %+v", read, err, state)
	}
	return state
}

func TestAdvanceWaitsForTheLongestLease(t *testing.T) {
	r, c := newEpochs(openTables(t))
	state := begin(t, r)
	for _, step := range []struct {
		phase access.Phase
		wait  time.Duration
	}{
		{access.PhaseBefore, access.LeaseInPeace + migrate.SettleOnMachine},
		{access.PhasePrepare, access.LeaseMigrating + migrate.SettleOnMachine},
		{access.PhaseWrite, access.LeaseMigrating + migrate.SettleOnMachine},
		{access.PhaseWrite, access.LeaseMigrating + migrate.SettleOnMachine}, // a task ends
		{access.PhaseRead, access.LeaseMigrating + migrate.SettleOnMachine},
		{access.PhaseWrite, access.LeaseMigrating + migrate.SettleOnMachine},
	} {
		c.slept = 0
		state = mustAdvance(t, r, state, into(state, step.phase))
		if c.slept != step.wait {
			t.Errorf("waited %s for %s, want %s", c.slept, step.phase, step.wait)
		}
	}
}

func TestAMigrationBeginsAndEndsInPeace(t *testing.T) {
	r, _ := newEpochs(openTables(t))
	state := begin(t, r)
	for _, phase := range []access.Phase{access.PhaseBefore, access.PhasePrepare, access.PhaseWrite, access.PhaseRead, access.PhaseAfter} {
		state = mustAdvance(t, r, state, into(state, phase))
	}
	peace := state
	peace.Version, peace.Migration, peace.Phase, peace.Lease = 7, "", access.PhaseBefore, access.LeaseInPeace
	state = mustAdvance(t, r, state, peace)
	if state.Version != 7 || state.Migration != "" {
		t.Errorf("%+v", state)
	}
}

func TestPhasesCannotBeLeftOut(t *testing.T) {
	r, _ := newEpochs(openTables(t))
	state := begin(t, r)
	if _, err := r.Advance(t.Context(), state, into(state, access.PhasePrepare)); err == nil {
		t.Error("a migration began in prepare")
	}
	state = mustAdvance(t, r, state, into(state, access.PhaseBefore))
	for name, next := range map[string]access.State{
		"two phases on": into(state, access.PhaseWrite),
		"its end":       {Version: 7, Lease: access.LeaseInPeace},
		"another one":   func() access.State { s := into(state, access.PhaseBefore); s.Migration = "0008"; return s }(),
		"no lease":      {Version: 6, Migration: state.Migration},
	} {
		if _, err := r.Advance(t.Context(), state, next); err == nil {
			t.Errorf("%s: %+v was allowed", name, next)
		}
	}
	if read, err := r.Read(t.Context()); err != nil || read.Epoch != state.Epoch {
		t.Errorf("the row changed: %+v, %v", read, err)
	}
}

func TestARunnerThatFindsAnUnsettledEpochWaitsAnew(t *testing.T) {
	db := openTables(t)
	dying, c := newEpochs(db)
	state := mustAdvance(t, dying, begin(t, dying), into(access.State{Version: 6, Least: 6}, access.PhaseBefore))
	ctx, die := context.WithCancel(t.Context())
	c.slept, c.then = 0, func(slept time.Duration) {
		if slept > 30*time.Second {
			die()
		}
	}
	if _, err := dying.Advance(ctx, state, into(state, access.PhasePrepare)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	next, c := newEpochs(db)
	found, err := next.Read(t.Context())
	if err != nil || found.Epoch != state.Epoch+1 || found.Settled != state.Epoch || found.Phase != access.PhasePrepare {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := next.Advance(t.Context(), found, into(found, access.PhaseWrite)); !errors.Is(err, migrate.ErrUnsettled) {
		t.Errorf("advanced from an epoch that is not settled: %v", err)
	}
	settled, err := next.Wait(t.Context(), found)
	if err != nil || settled.Settled != found.Epoch || c.slept != access.LeaseMigrating+migrate.SettleOnMachine {
		t.Errorf("%+v after %s, %v", settled, c.slept, err)
	}
}

func TestOfTwoRunnersOneRaises(t *testing.T) {
	db := openTables(t)
	a, c := newEpochs(db)
	b, _ := newEpochs(db)
	state := mustAdvance(t, a, begin(t, a), into(access.State{Version: 6, Least: 6}, access.PhaseBefore))
	if _, err := b.Raise(t.Context(), state, into(state, access.PhasePrepare)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Raise(t.Context(), state, into(state, access.PhaseBefore)); !errors.Is(err, migrate.ErrChanged) {
		t.Errorf("raised from an epoch that is over: %v", err)
	}
	raised, err := b.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.then = func(time.Duration) { // while a waits for the epoch, b settles it and raises another
		c.then = nil
		settled, err := b.Wait(t.Context(), raised)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Raise(t.Context(), settled, into(settled, access.PhaseWrite)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Wait(t.Context(), raised); !errors.Is(err, migrate.ErrChanged) {
		t.Errorf("settled an epoch that it had not waited for: %v", err)
	}
	if read, err := a.Read(t.Context()); err != nil || read.Settled != raised.Epoch || read.Epoch != raised.Epoch+1 {
		t.Errorf("%+v, %v", read, err)
	}
}

func TestADeletedRowIsRestored(t *testing.T) {
	db := openTables(t)
	r, c := newEpochs(db)
	if _, err := r.Restore(t.Context()); !errors.Is(err, migrate.ErrNoState) {
		t.Errorf("without a copy: %v", err)
	}
	state := begin(t, r)
	raised, err := r.Raise(t.Context(), state, into(state, access.PhaseBefore)) // not settled: leases of peace may last
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Restore(t.Context()); !errors.Is(err, migrate.ErrChanged) {
		t.Errorf("restored over a row: %v", err)
	}
	remove := func() {
		if _, err := db.API().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: new("dev-tasks"), Key: design.State.Key()}); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	if _, err := r.Read(t.Context()); !errors.Is(err, migrate.ErrNoState) {
		t.Errorf("read: %v", err)
	}
	restored, err := r.Restore(t.Context())
	if err != nil || restored.Epoch != raised.Epoch+1 || restored.Settled == restored.Epoch || restored.Phase != raised.Phase || restored.Longest != access.LeaseInPeace {
		t.Fatalf("%+v, %v", restored, err)
	}
	c.slept = 0
	if restored, err = r.Wait(t.Context(), restored); err != nil || c.slept != access.LeaseInPeace+migrate.SettleOnMachine {
		t.Errorf("%s, %v", c.slept, err)
	}
	state = mustAdvance(t, r, restored, into(restored, access.PhasePrepare))
	remove()
	again, err := r.Restore(t.Context())
	if err != nil || again.Phase != access.PhasePrepare || again.Epoch != state.Epoch+1 || again.Longest != access.LeaseInPeace {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestARunnerMustKnowHowLateARequestCanBe(t *testing.T) {
	r, _ := newEpochs(openTables(t))
	r.Settle = 0
	state := begin(t, r)
	if _, err := r.Advance(t.Context(), state, into(state, access.PhaseBefore)); err == nil {
		t.Error("settled without it")
	}
}

// text is a text attribute.
func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
