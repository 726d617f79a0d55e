package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// The owner of a task becomes unique.
func ownerMigration() *Migration {
	attributes := []shape.Attribute{{Name: "task_id", Type: "string"}, {Name: "owner", Type: "string?"}}
	before := &shape.Table{PK: "PK", Type: "type", Entities: []shape.Entity{{Name: "Task", Attributes: attributes, Keys: []shape.Key{{Name: "PK", Template: "TASK#{task_id}"}}}}}
	after := *before
	after.Guards = []shape.Guard{{Entity: "Task", Unique: "owner", Keys: []shape.Key{{Name: "PK", Template: "OWNER#{owner|lower}"}}, Attributes: attributes[1:]}}
	return noHolds(&Migration{
		ID: "0002-owners", Design: "Tasks", From: 1, To: 2,
		Tables: []Table{{Name: "tasks", Old: before, New: &after}},
		Parts: []Part{{
			Name: "Task.owner", Table: "tasks", Entity: "Task", As: "Task",
			Unique: &parts.Unique{New: &parts.Rows{Table: "tasks", Rule: "owner", Kind: "Task#guard"}},
		}},
	})
}

func ownedTask(id, owner string) access.Item {
	item := access.Item{"PK": marshal.S("TASK#" + id), "type": marshal.S("Task"), "task_id": marshal.S(id)}
	if owner != "" {
		item["owner"] = marshal.S(owner)
	}
	return item
}

func ownerRowOf(id, owner string) access.Item {
	return access.Item{"PK": marshal.S("OWNER#" + strings.ToLower(owner)), "type": marshal.S("Task#guard"), marshal.OwnerName("PK"): marshal.S("TASK#" + id)}
}

// An owners is a process of generated code that changes the owners of its own tasks.
type owners struct {
	client *access.Client
	name   string
	owner  map[string]string // what it was told was written; "" of a task without an owner
	random *rand.Rand
}

func newOwners(api access.API, name string) *owners {
	design := taskDesign
	design.Change = &parts.Change{}
	return &owners{client: access.NewClient(api, design), name: name, owner: map[string]string{}, random: rand.New(rand.NewPCG(rand.Uint64(), 0))}
}

// guardRow is the action of a row as generated code prints it.
func guardRow(kind call.Kind, id, owner string) call.Action {
	a := call.Action{Kind: kind, Name: "guard Task.owner", Table: "tasks", KeyNames: []string{"PK"}, Part: "Task.owner"}
	if kind == call.Delete {
		a.Key = access.Item{"PK": ownerRowOf(id, owner)["PK"]}
		return a
	}
	a.Item, a.Expects, a.Taken = ownerRowOf(id, owner), call.Absent, &access.TakenError{Entity: "Task"}
	a.Condition, a.Names = "attribute_not_exists(#PK)", map[string]string{"#PK": "PK"}
	return a
}

// set gives a task an owner, or makes it, or deletes it if there is to be none.
func (w *owners) set(ctx context.Context, id, to string) error {
	from, is := w.owner[id]
	a := call.Action{Kind: call.Put, Name: "create Task", Table: "tasks", KeyNames: []string{"PK"}, Names: map[string]string{"#PK": "PK"}}
	var writes []call.Action
	switch {
	case !is:
		a.Item, a.Condition, a.Expects = ownedTask(id, to), "attribute_not_exists(#PK)", call.Absent
		writes = []call.Action{a, guardRow(call.Put, id, to)}
	case to == "":
		a.Kind, a.Name, a.Key, a.Expects = call.Delete, "delete Task", access.Item{"PK": marshal.S("TASK#" + id)}, call.Present
		a.Condition, a.Names["#owner"], a.Values = "attribute_exists(#PK) AND #owner = :owner", "owner", access.Item{":owner": marshal.S(from)}
		writes = []call.Action{a, guardRow(call.Delete, id, from)}
	default:
		a.Kind, a.Name, a.Key, a.Expects, a.Update = call.Update, "update Task", access.Item{"PK": marshal.S("TASK#" + id)}, call.Present, "SET #owner = :owner"
		a.Condition, a.Names["#owner"] = "attribute_exists(#PK) AND #owner = :old", "owner"
		a.Values = access.Item{":owner": marshal.S(to), ":old": marshal.S(from)}
		writes = []call.Action{a, guardRow(call.Delete, id, from), guardRow(call.Put, id, to)}
	}
	err := call.Transact(ctx, w.client, &access.Pattern{Name: "SetOwner", Table: "tasks"}, call.MergeGuards(writes))
	switch {
	case err != nil:
		return err
	case to == "":
		delete(w.owner, id)
	default:
		w.owner[id] = to
	}
	return nil
}

// step does something to one of its tasks, with a value that none of the others has.
func (w *owners) step(ctx context.Context) error {
	id, to := fmt.Sprint(w.name, w.random.IntN(4)), fmt.Sprint(w.name, "-", w.random.IntN(6))
	if w.owner[id] != to && slices.Contains(mapsValues(w.owner), to) {
		to = ""
	}
	if w.owner[id] == "" && to == "" {
		return nil
	}
	return w.set(ctx, id, to)
}

func mapsValues(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// compareOwners compares the table with what the processes were told, and each item with its row.
func compareOwners(t *testing.T, db *engine.DB, writers []*owners, version, old int) {
	t.Helper()
	found := all(t, db.API())
	delete(found, "Tasks#state")
	want := map[string]access.Item{}
	note := func(id, owner string) {
		want["TASK#"+id] = ownedTask(id, owner)
		if version == 2 && owner != "" {
			row := ownerRowOf(id, owner)
			want[textOf(row["PK"])] = row
		}
	}
	for i := range old {
		note(fmt.Sprint("old", i), fmt.Sprint("Old", i))
	}
	for _, w := range writers {
		for id, owner := range w.owner {
			note(id, owner)
		}
	}
	for key, item := range want {
		if !parts.Equal(marshalMap(found[key]), marshalMap(item)) {
			t.Errorf("%s is %v, want %v", key, found[key], item)
		}
	}
	for key, item := range found {
		if want[key] == nil {
			t.Errorf("%s is there: %v", key, item)
		}
	}
}

// play lets processes go on until stop is called.
func play(t *testing.T, processes ...interface{ step(context.Context) error }) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for n, p := range processes {
		group.Go(func() {
			for ctx.Err() == nil {
				if err := p.step(context.WithoutCancel(ctx)); err != nil {
					t.Errorf("process %d: %v", n, err)
					return
				}
				time.Sleep(time.Millisecond / 2)
			}
		})
	}
	return func() {
		cancel()
		group.Wait()
	}
}

// TestNewUniqueWithDuplicates: three pairs of tasks have one owner each. Both keys of each pair are listed, and no row is taken from its
// task. After programs have changed one task of each pair, the fill goes on where it was.
func TestNewUniqueWithDuplicates(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	const old = 120
	for i := range old {
		put(t, db.API(), ownedTask(fmt.Sprint("old", i), fmt.Sprint("Old", i)))
	}
	put(t, db.API(), ownedTask("none", ""))
	twins := newOwners(db.API(), "twin")
	for i := range 3 {
		for _, id := range []string{"a", "b"} {
			put(t, db.API(), ownedTask(fmt.Sprint(id, i), fmt.Sprint("Twin", i)))
			twins.owner[fmt.Sprint(id, i)] = fmt.Sprint("Twin", i)
		}
	}
	one, two := newOwners(db.API(), "one"), newOwners(db.API(), "two")
	stop := play(t, one, two)
	m, o := ownerMigration(), Options{Lease: 30 * time.Millisecond, Segments: 4, Clock: fastSleep()}
	err := Run(t.Context(), e, m, o)
	if c, is := errors.AsType[*ConflictsError](err); !is || c.Conflicts != 3 {
		t.Fatalf("%v, want 3 conflicts", err)
	}
	listed, err := Conflicts(t.Context(), e, m)
	if err != nil || len(listed) != 3 {
		t.Fatalf("%v, %v", listed, err)
	}
	for i, c := range listed {
		mine, other := textOf(c.Key["PK"]), textOf(c.Other["PK"])
		if mine == other || mine[len(mine)-1] != other[len(other)-1] {
			t.Errorf("the pair %s and %s", mine, other)
		}
		id := strings.TrimPrefix([]string{mine, other, mine}[i], "TASK#") // with or without the row
		to := fmt.Sprint("Parted", i)
		if i == 2 {
			to = ""
		}
		if err := twins.set(t.Context(), id, to); err != nil {
			t.Errorf("a pair must be able to part: %v", err)
		}
	}
	o.Progress = func(s Status) {
		if s.Step == stepFill && s.Seen > 0 {
			t.Errorf("the fill begins anew: %+v", s)
		}
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	stop()
	none := &owners{owner: map[string]string{"none": ""}}
	compareOwners(t, db, []*owners{one, two, twins, none}, 2, old)
	if listed, err := Conflicts(t.Context(), e, m); err != nil || len(listed) != 0 {
		t.Errorf("still listed: %v, %v", listed, err)
	}
	err = one.set(t.Context(), "late", "OLD7")
	if _, taken := errors.AsType[*access.TakenError](err); !taken {
		t.Errorf("a value that an old task has: %v", err)
	}
}

// fastSleep waits shorter than it says, by the clock of the machine.
func fastSleep() Clock {
	return Clock{Now: time.Now, Sleep: func(ctx context.Context, d time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(d, 20*time.Millisecond)):
			return nil
		}
	}}
}

// TestNewUniqueGoesBack goes back from each hold under traffic, ends where it began, and succeeds in a second try.
func TestNewUniqueGoesBack(t *testing.T) {
	for _, held := range []string{"read", "after"} {
		t.Run(held, func(t *testing.T) {
			db := openTasks(t)
			e := taskEpochs(t, db)
			const old = 40
			for i := range old {
				put(t, db.API(), ownedTask(fmt.Sprint("old", i), fmt.Sprint("Old", i)))
			}
			one, two := newOwners(db.API(), "one"), newOwners(db.API(), "two")
			stop := play(t, one, two)
			m, o := ownerMigration(), Options{Lease: 30 * time.Millisecond, Segments: 2, Clock: fastSleep()}
			delete(m.Holds, held)
			if err := Run(t.Context(), e, m, o); err == nil {
				t.Error("no hold")
			}
			if err := Back(t.Context(), e, m); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("back: %v", err)
			}
			stop()
			compareOwners(t, db, []*owners{one, two}, 1, old)
			stop = play(t, one, two)
			if err := Resume(t.Context(), e, m, "deploy", held); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("second try: %v", err)
			}
			stop()
			compareOwners(t, db, []*owners{one, two}, 2, old)
		})
	}
}

// TestRowsOfNobodyAreRepaired: verification finds rows that are missing or of an item that does not have the value, and repair
// puts them right.
func TestRowsOfNobodyAreRepaired(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	const old = 12
	for i := range old {
		put(t, db.API(), ownedTask(fmt.Sprint("old", i), fmt.Sprint("Old", i)))
	}
	m, o := ownerMigration(), Options{Lease: 20 * time.Millisecond, Segments: 2, Clock: fastSleep()}
	delete(m.Holds, "read")
	if _, held := errors.AsType[*HeldError](Run(t.Context(), e, m, o)); !held {
		t.Fatal("no hold before read")
	}
	put(t, db.API(), ownerRowOf("gone", "nobody"))
	put(t, db.API(), ownerRowOf("old1", "stale"))
	put(t, db.API(), ownerRowOf("gone", "Old2"))
	put(t, db.API(), ownerRowOf("old5", "Old4"))
	key := access.Item{"PK": ownerRowOf("", "Old3")["PK"]}
	if _, err := db.API().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: new("tasks"), Key: key}); err != nil {
		t.Fatal(err)
	}
	verifyAgain(t, e, m, o)
	found := int64(0)
	o.Progress = func(s Status) {
		if s.Step == stepVerify {
			found = max(found, s.Differing)
		}
	}
	if err := Resume(t.Context(), e, m, "read"); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
	compareOwners(t, db, nil, 2, old)
	if found < 5 {
		t.Errorf("%d differences were found", found)
	}
}

// verifyAgain makes the next runner verify in the present epoch.
func verifyAgain(t *testing.T, e *Epochs, m *Migration, o Options) {
	t.Helper()
	x, err := newExecution(e, m, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := x.ledger.setProgress(t.Context(), progress{Step: stepVerify, Epoch: s.Epoch, Attempt: 9}); err != nil {
		t.Fatal(err)
	}
}

// openOldRows returns a database with tasks and the rows of their titles, of which every other names no owner.
func openOldRows(t *testing.T, n int) *engine.DB {
	t.Helper()
	db := openTasks(t)
	for i := range n {
		put(t, db.API(), ownedTask(fmt.Sprint("old", i), fmt.Sprint("Old", i)))
		row := ownerRowOf(fmt.Sprint("old", i), fmt.Sprint("Old", i))
		if i%2 == 0 {
			delete(row, marshal.OwnerName("PK"))
		}
		put(t, db.API(), row)
	}
	return db
}

// TestOwnersOfOldRows: a rule that both versions have gets owners in the rows that name none.
func TestOwnersOfOldRows(t *testing.T) {
	const old = 12
	db := openOldRows(t, old)
	e := taskEpochs(t, db)
	m := ownerMigration()
	m.Tables[0].Old, m.Parts[0].Unique.Owners = m.Tables[0].New, true
	if err := Run(t.Context(), e, m, Options{Lease: 20 * time.Millisecond, Segments: 2, Clock: fastSleep()}); err != nil {
		t.Fatal(err)
	}
	compareOwners(t, db, nil, 2, old)
}

// TestRowsOfARemovedRuleAreCleaned removes them at the end, also those that name no owner.
func TestRowsOfARemovedRuleAreCleaned(t *testing.T) {
	const old = 12
	db := openOldRows(t, old)
	e := taskEpochs(t, db)
	m := ownerMigration()
	m.Tables[0].Old, m.Tables[0].New = m.Tables[0].New, m.Tables[0].Old
	m.Parts[0].Unique.New, m.Parts[0].Unique.Old = nil, m.Parts[0].Unique.New
	if err := Run(t.Context(), e, m, Options{Lease: 20 * time.Millisecond, Segments: 2, Clock: fastSleep()}); err != nil {
		t.Fatal(err)
	}
	compareOwners(t, db, nil, 1, old)
}
