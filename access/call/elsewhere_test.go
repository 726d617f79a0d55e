package call_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// movedDesign moves tasks to other keys of their table; their title is stored as name then, and lists by owner read one index in both
// versions.
func movedDesign() access.Design {
	text := func(name string) shape.Attribute { return shape.Attribute{Name: name, Type: "string"} }
	version := shape.Attribute{Name: "version", Type: "int"}
	index := shape.Key{Name: "OWNER", Template: "OWNER#{owner}", In: []string{"by_owner"}}
	old := shape.Entity{Name: "Task", Attributes: []shape.Attribute{text("id"), text("title"), text("owner"), version}, Keys: []shape.Key{{Name: "PK", Template: "TASK#{id}"}, index}}
	new := shape.Entity{Name: "Task", Attributes: []shape.Attribute{text("id"), text("name"), text("owner"), version}, Keys: []shape.Key{{Name: "PK", Template: "T#{id}"}, index}}
	d := taskDesign()
	d.Change = &part.Change{
		Tables: []part.Table{{Name: "tasks", Old: &shape.Table{PK: "PK", Entities: []shape.Entity{old}}, New: &shape.Table{PK: "PK", Entities: []shape.Entity{new}}}},
		Parts:  []part.Part{{Name: "Task", Table: "tasks", To: "tasks", Entity: "Task", As: "Task", Set: []part.Source{{Attribute: "name", From: "title"}}, Remove: []string{"title"}}},
	}
	return d
}

func movedPut(id, name string) call.Action {
	w := call.Action{
		Kind: call.Put, Name: "create Task", Table: "tasks", KeyNames: []string{"PK"}, Part: "Task", Condition: "attribute_not_exists(#PK)", Expects: call.Absent,
		Names: map[string]string{"#PK": "PK"}, Fault: call.FaultOf(nameOf),
	}
	w.Item = access.Item{"PK": marshal.S("T#" + id), "id": marshal.S(id), "owner": marshal.S("ann"), "name": marshal.S(name), "version": marshal.N(1), "OWNER": marshal.S("OWNER#ann")}
	return w
}

func movedRename(id, name string, seen int64) call.Action {
	return call.Action{
		Kind: call.Update, Name: "update Task", Table: "tasks", Key: access.Item{"PK": marshal.S("T#" + id)}, KeyNames: []string{"PK"}, Part: "Task",
		Update: "SET #name = :name ADD #version :one", Condition: "attribute_exists(#PK) AND #version = :seen",
		Names:   map[string]string{"#name": "name", "#version": "version", "#PK": "PK"},
		Values:  access.Item{":name": marshal.S(name), ":one": marshal.N(1), ":seen": marshal.N(seen)},
		Expects: call.Present, Version: "version", Seen: seen, Fault: call.FaultOf(nameOf),
	}
}

// titles returns what the table stores, by primary key.
func titles(t *testing.T, db *engine.DB) map[string]string {
	t.Helper()
	out, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("tasks")})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, item := range out.Items {
		found[marshal.TextAt(item, "PK")] = "title " + marshal.TextAt(item, "title")
		if item["name"] != nil {
			found[marshal.TextAt(item, "PK")] = "name " + marshal.TextAt(item, "name")
		}
	}
	return found
}

var phases = []access.Phase{access.PhaseBefore, access.PhasePrepare, access.PhaseWrite, access.PhaseRead, access.PhaseAfter}

// TestErrorsOfMovedItemsAreThoseOfOneItem compares the errors of each phase: transactions have other errors than single writes.
func TestErrorsOfMovedItemsAreThoseOfOneItem(t *testing.T) {
	for _, phase := range phases {
		t.Run(phase.String(), func(t *testing.T) {
			db := openTasks(t)
			c := access.NewClient(db.API(), movedDesign(), access.InPhase(phase))
			w := movedPut("1", "Wash")
			if err := call.PutItem(t.Context(), c, putTask, &w); err != nil {
				t.Fatal(err)
			}
			err := call.PutItem(t.Context(), c, putTask, &w)
			exists, is := errors.AsType[*access.ConditionError[string]](err)
			if !is || !errors.Is(err, access.ErrExists) || exists.Current == nil || *exists.Current != "Wash" || !access.Refused(err) {
				t.Errorf("a second one: %v", err)
			}
			w = movedRename("1", "Dry", 7)
			_, err = call.UpdateItem(t.Context(), c, renameTask, &w, nameOf)
			if changed, is := errors.AsType[*access.VersionError](err); !is || changed.Have != 1 || !access.Contended(err) {
				t.Errorf("another version: %v", err)
			}
			w = movedRename("2", "Dry", 1)
			if _, err = call.UpdateItem(t.Context(), c, renameTask, &w, nameOf); !errors.Is(err, access.ErrNotFound) {
				t.Errorf("an update of none: %v", err)
			}
			err = call.Transact(t.Context(), c, renameTask, []call.Action{movedRename("1", "Dry", 1), movedRename("2", "Dry", 1)})
			if tx, is := errors.AsType[*access.TxError](err); !is || len(tx.Reasons) != 1 || !errors.Is(tx.Reasons[0].Err, access.ErrNotFound) {
				t.Errorf("a transaction: %v", err)
			}
			w = movedRename("1", "Dry", 1)
			if name, err := call.UpdateItem(t.Context(), c, renameTask, &w, nameOf); err != nil || name != "Dry" {
				t.Errorf("an update: %q, %v", name, err)
			}
			broken := func(access.Item) (string, error) { return "", errors.New("broken") }
			w = movedRename("1", "Iron", 2)
			_, err = call.UpdateItem(t.Context(), c, renameTask, &w, broken)
			if done, is := errors.AsType[*access.DoneError](err); !is || marshal.TextAt(done.Item, "name")+marshal.TextAt(done.Item, "title") == "" {
				t.Errorf("an item that cannot be read: %v", err)
			}
			want := map[access.Phase]string{
				access.PhaseBefore: "map[TASK#1:title Iron]", access.PhasePrepare: "map[TASK#1:title Iron]", access.PhaseAfter: "map[T#1:name Iron]",
			}[phase]
			if want == "" {
				want = "map[T#1:name Iron TASK#1:title Iron]"
			}
			if got := fmt.Sprint(titles(t, db)); got != want {
				t.Errorf("stored %s, want %s", got, want)
			}
		})
	}
}

// TestPhasesOfMovedItemsMeet lets writers of adjacent phases write one item: what one left, the other takes away or makes.
func TestPhasesOfMovedItemsMeet(t *testing.T) {
	db := openTasks(t)
	in := func(phase access.Phase) *access.Client {
		return access.NewClient(db.API(), movedDesign(), access.InPhase(phase))
	}
	rename := func(phase access.Phase, name string, seen int64, want string) {
		t.Helper()
		w := movedRename("1", name, seen)
		if got, err := call.UpdateItem(t.Context(), in(phase), renameTask, &w, nameOf); err != nil || got != name {
			t.Errorf("%s: %q, %v", phase, got, err)
		}
		if got := fmt.Sprint(titles(t, db)); got != want {
			t.Errorf("%s: stored %s, want %s", phase, got, want)
		}
	}
	w := movedPut("1", "Wash")
	if err := call.PutItem(t.Context(), in(access.PhaseBefore), putTask, &w); err != nil {
		t.Fatal(err)
	}
	rename(access.PhaseWrite, "Dry", 1, "map[T#1:name Dry TASK#1:title Dry]") // the copy was missing
	rename(access.PhasePrepare, "Iron", 2, "map[TASK#1:title Iron]")          // the copy would be stale
	if err := call.Transact(t.Context(), in(access.PhaseWrite), renameTask, []call.Action{movedRename("1", "Fold", 3)}); err != nil {
		t.Error(err)
	}
	rename(access.PhaseRead, "Store", 4, "map[T#1:name Store TASK#1:title Store]")
	// A copy is left of an item that was deleted while it was filled. Nothing is made of it.
	if _, err := db.API().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("tasks"), Key: access.Item{"PK": marshal.S("TASK#1")}}); err != nil {
		t.Fatal(err)
	}
	w = movedRename("1", "Lost", 5)
	if _, err := call.UpdateItem(t.Context(), in(access.PhaseWrite), renameTask, &w, nameOf); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("an update of an orphan: %v", err)
	}
	w = movedRename("1", "Upsert", 5)
	w.Condition, w.Expects, w.Version = "", call.Anything, ""
	w.Names, w.Values = map[string]string{"#name": "name", "#version": "version"}, access.Item{":name": marshal.S("Upsert"), ":one": marshal.N(1)}
	item, err := call.UpdateItem(t.Context(), in(access.PhaseWrite), renameTask, &w, func(item access.Item) (access.Item, error) { return item, nil })
	if version := item["version"]; err != nil || fmt.Sprint(titles(t, db)) != "map[T#1:name Upsert TASK#1:title Upsert]" || version == nil {
		t.Errorf("an upsert over an orphan: %v, %v, %v", item, titles(t, db), err)
	}
}

// TestListsSkipTheOtherPlace reads an index in which originals lie beside their copies.
func TestListsSkipTheOtherPlace(t *testing.T) {
	for _, phase := range phases {
		t.Run(phase.String(), func(t *testing.T) {
			db := openTasks(t)
			c := access.NewClient(db.API(), movedDesign(), access.InPhase(phase))
			for i := range 30 {
				both := access.NewClient(db.API(), movedDesign(), access.InPhase(access.PhaseWrite))
				w := movedPut(fmt.Sprint(i), fmt.Sprint("Task ", i))
				if err := call.PutItem(t.Context(), both, putTask, &w); err != nil {
					t.Fatal(err)
				}
			}
			q := call.Query{
				Pattern:  &access.Pattern{Name: "Tasks", Table: "tasks", Keys: []string{"PK"}, Parts: []string{"Task"}},
				Requests: []call.Request{{}},
			}
			list := call.List(c, q, nameOf)
			all, err := list.Slice(t.Context())
			slices.Sort(all)
			if err != nil || len(all) != 30 || len(slices.Compact(all)) != 30 {
				t.Errorf("%d tasks, %v", len(all), err)
			}
			if n, err := list.Count(t.Context()); err != nil || n != 30 {
				t.Errorf("counted %d, %v", n, err)
			}
			page, err := list.PageSize(7).Page(t.Context(), "")
			if err != nil || len(page.Items) != 7 {
				t.Errorf("a page of %d, %v", len(page.Items), err)
			}
			get := call.Get{Pattern: getTask, Key: access.Item{"PK": marshal.S("T#3")}}
			if name, err := call.GetOne(t.Context(), c, &get, nameOf); err != nil || name != "Task 3" {
				t.Errorf("got %q, %v", name, err)
			}
			many, err := call.GetMany(t.Context(), c, &call.Gets{Pattern: getTask, Keys: []access.Item{{"PK": marshal.S("T#3")}, {"PK": marshal.S("T#99")}}}, nameOf)
			if err != nil || len(many) != 2 || many[0] == nil || *many[0] != "Task 3" || many[1] != nil {
				t.Errorf("got %v, %v", many, err)
			}
			n := 0
			for _, err := range call.Scan(c, call.Sweep{Pattern: getTask}, nameOf).All(t.Context()) {
				if n++; err != nil {
					t.Error(err)
				}
			}
			if n != 30 {
				t.Errorf("scanned %d", n)
			}
		})
	}
}
