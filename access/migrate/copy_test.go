package migrate

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// Events lie among the tasks, and move: to a table of their own, where their numbers are the keys, or to other keys of
// their table. Their note is stored under another name then.
func eventMigration(to string) *Migration {
	attributes := []shape.Attribute{
		{Name: "owner", Type: "string"}, {Name: "number", Type: "int"}, {Name: "note", Type: "string?"}, {Name: "gone", Type: "unixtime?"}, {Name: "count", Type: "int?"},
	}
	moved := []shape.Attribute{attributes[0], attributes[1], {Name: "text", Type: "string?"}, attributes[3], attributes[4]}
	task := shape.Entity{Name: "Task", Attributes: []shape.Attribute{{Name: "task_id", Type: "string"}}, Keys: []shape.Key{{Name: "PK", Template: "TASK#{task_id}"}}}
	before := &shape.Table{PK: "PK", Type: "type", TTL: "gone", Entities: []shape.Entity{task, {
		Name: "Event", Attributes: attributes, Keys: []shape.Key{{Name: "PK", Template: "EVENT#{owner}#{number}"}},
	}}}
	m := &Migration{
		ID: "0002-events", Design: "Tasks", From: 1, To: 2,
		Parts: []Part{{
			Name: "Event", Table: "tasks", To: to, Entity: "Event", As: "Event",
			Set: []Source{{Attribute: "text", From: "note"}}, Remove: []string{"note"},
		}},
	}
	if to == "tasks" {
		after := *before
		after.Entities = []shape.Entity{task, {Name: "Event", Attributes: moved, Keys: []shape.Key{{Name: "PK", Template: "E#{owner|lower}#{number|pad 6}"}}}}
		m.Tables = []Table{{Name: "tasks", Old: before, New: &after}}
		return m
	}
	after := *before
	after.Entities = before.Entities[:1]
	m.Tables = []Table{
		{Name: "tasks", Old: before, New: &after},
		{Name: "events", New: &shape.Table{PK: "owner", SK: "number", TTL: "gone", Entities: []shape.Entity{{Name: "Event", Attributes: moved}}}},
	}
	return m
}

func eventItem(owner string, n int, note string) access.Item {
	item := access.Item{
		"PK": marshal.S(fmt.Sprintf("EVENT#%s#%d", owner, n)), "type": marshal.S("Event"), "owner": marshal.S(owner), "number": marshal.N(int64(n)),
	}
	if note != "" {
		item["note"] = marshal.S(note)
	}
	return item
}

func openEvents(t *testing.T) *engine.DB {
	t.Helper()
	db := openTasks(t)
	_, err := db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("events"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("owner"), AttributeType: types.ScalarAttributeTypeS}, {AttributeName: new("number"), AttributeType: types.ScalarAttributeTypeN}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("owner"), KeyType: types.KeyTypeHash}, {AttributeName: new("number"), KeyType: types.KeyTypeRange}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// eventsIn returns the originals, or the copies, by their owner and number.
func eventsIn(t *testing.T, db *engine.DB, p *part, copied bool) map[string]access.Item {
	t.Helper()
	found := map[string]access.Item{}
	table := p.Table
	if copied {
		table = p.To
	}
	in := &dynamodb.ScanInput{TableName: &table, ConsistentRead: new(true)}
	for {
		out, err := db.API().Scan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			is, _ := p.isOriginal(item)
			if copied {
				is = p.isCopy(item)
			}
			if is {
				found[textOf(item["owner"])+"/"+textOf(item["number"])] = item
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return found
		}
	}
}

// A stepper takes one step after the other, each in an epoch of its own.
type stepper struct {
	t     *testing.T
	run   *run
	part  *part
	epoch int64
}

func newStepper(t *testing.T, db *engine.DB, m *Migration) *stepper {
	s := &stepper{t: t, run: newRun(db.API(), nil, m, Options{}), part: compiled(t, m)}
	s.run.sleep = func(context.Context, time.Duration) error { return nil }
	return s
}

func (s *stepper) step(name string, want Result) {
	s.t.Helper()
	s.epoch++
	at := place{control: "control", prefix: "Tasks#M", owner: "me", epoch: s.epoch}
	got, err := s.run.step(s.t.Context(), name, s.part, at, 2)
	if err == nil && (name == stepVerify || name == stepRepair) {
		var found Result
		found, err = s.run.compare(s.t.Context(), name, s.part, at, 2, got.Seen)
		got.add(found)
	}
	if err != nil || got != want {
		s.t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
	}
}

// TestCopies fills, finds what is missing, wrong and left over, repairs it, takes the copies away, and deletes the originals.
func TestCopies(t *testing.T) {
	for _, to := range []string{"events", "tasks"} {
		t.Run(to, func(t *testing.T) {
			db, m := openEvents(t), eventMigration(to)
			put(t, db.API(), access.Item{"PK": marshal.S("TASK#1"), "type": marshal.S("Task"), "task_id": marshal.S("1")})
			for i := range 20 {
				put(t, db.API(), eventItem("Ann", i, []string{"", "a note"}[i%2]))
			}
			s := newStepper(t, db, m)
			s.step(stepVerify, Result{Seen: 20, Differing: 20})
			s.step(stepFill, Result{Seen: 20, Changed: 20})
			s.step(stepFill, Result{Seen: 20})
			s.step(stepVerify, Result{Seen: twice(to, 20)})
			copied := eventsIn(t, db, s.part, true)["Ann/3"]
			if textOf(copied["text"]) != "a note" || copied["note"] != nil {
				t.Errorf("copy %v", copied)
			}

			wrong, missing := eventsIn(t, db, s.part, true)["Ann/4"], eventsIn(t, db, s.part, true)["Ann/5"]
			wrong["text"] = marshal.S("another")
			for _, err := range []error{
				putInto(db, to, wrong),
				s.run.deleteForTest(db, to, s.part.Into.New.KeyOf(missing)),
				s.run.deleteForTest(db, "tasks", eventItem("Ann", 6, "")["PK"]), // its copy is left over
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			expired := eventItem("Bob", 1, "")
			expired["gone"] = marshal.N(7)
			put(t, db.API(), expired)
			s.step(stepVerify, Result{Seen: 19 + other(to, 19), Differing: 3})
			s.step(stepRepair, Result{Seen: 19 + other(to, 19), Changed: 3})
			s.step(stepVerify, Result{Seen: twice(to, 19)})
			if found := eventsIn(t, db, s.part, true); len(found) != 19 || found["Ann/6"] != nil {
				t.Errorf("%d copies", len(found))
			}
			s.step(stepRemove, Result{Seen: 19, Changed: 19})
			s.step(stepRemove, Result{})
			if found := eventsIn(t, db, s.part, false); len(found) != 20 {
				t.Errorf("%d originals", len(found))
			}
			s.step(stepFill, Result{Seen: 20, Changed: 20})
			s.step(stepClean, Result{Seen: 20, Changed: 20})
			if found := eventsIn(t, db, s.part, false); len(found) != 0 {
				t.Errorf("%d originals are left", len(found))
			}
			if found := eventsIn(t, db, s.part, true); len(found) != 20 {
				t.Errorf("%d copies", len(found))
			}
			if items := all(t, db.API()); items["TASK#1"] == nil {
				t.Error("another item was deleted")
			}
		})
	}
}

// twice counts items that are seen on both sides; in one table they are seen once.
func twice(to string, n int64) int64 { return n + other(to, n) }

func other(to string, n int64) int64 {
	if to == "tasks" {
		return 0
	}
	return n
}

func putInto(db *engine.DB, table string, item access.Item) error {
	_, err := db.API().PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	return err
}

func (r *run) deleteForTest(db *engine.DB, table string, key any) error {
	of, is := key.(access.Item)
	if !is {
		of = access.Item{"PK": key.(types.AttributeValue)}
	}
	_, err := db.API().DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: &table, Key: of})
	return err
}

// TestCopiesInConflict lists originals whose copies would have the key of another item, or of the original itself.
func TestCopiesInConflict(t *testing.T) {
	db, m := openEvents(t), eventMigration("tasks")
	put(t, db.API(), eventItem("Ann", 1, "a"))
	put(t, db.API(), eventItem("ANN", 1, "b"))
	taken := eventItem("Bob", 1, "c")
	put(t, db.API(), taken)
	stranger := access.Item{"PK": marshal.S("E#bob#000001"), "type": marshal.S("Other")}
	put(t, db.API(), stranger)
	s := newStepper(t, db, m)
	reasons := map[string]string{}
	s.run.listed = func(_ context.Context, c Conflict) error {
		reasons[textOf(c.Key["PK"])] = c.Reason
		return nil
	}
	s.step(stepFill, Result{Seen: 4, Changed: 1, Conflicting: 3})
	delete(reasons, "EVENT#Ann#1") // one of the two has the key
	delete(reasons, "EVENT#ANN#1")
	if reasons["EVENT#Bob#1"] != keyTaken || !strings.Contains(reasons["E#bob#000001"], "no entity") || len(reasons) != 2 {
		t.Errorf("%v", reasons)
	}
	s.step(stepRepair, Result{Seen: 4, Conflicting: 3})
	if items := all(t, db.API()); !reflect.DeepEqual(items["E#bob#000001"], stranger) {
		t.Errorf("the stranger's item is %v", items["E#bob#000001"])
	}
	m.Tables[0].New.Entities[1].Keys[0].Template = "EVENT#{owner}#{number}"
	s = newStepper(t, db, m)
	s.epoch = 10
	s.step(stepFill, Result{Seen: 5, Conflicting: 5}) // the keys stay, and the note would have another name
}

// TestCopiesWhoseKeysCanChange puts a copy only where the original still says so.
func TestCopiesWhoseKeysCanChange(t *testing.T) {
	db, m := openEvents(t), eventMigration("tasks")
	m.Tables[0].New.Entities[1].Keys[0].Template = "E#{text}#{owner}#{number}"
	put(t, db.API(), eventItem("Ann", 1, "a"))
	s := newStepper(t, db, m)
	if !reflect.DeepEqual(s.part.Sources, []string{"note"}) {
		t.Fatalf("%v decide the keys of copies", s.part.Sources)
	}
	old := eventItem("Ann", 1, "stale")
	if o, err := (copyPass{s.run, s.part}).fill(t.Context(), old); err != nil || o != changed {
		t.Errorf("%v, %v", o, err)
	}
	if found := eventsIn(t, db, s.part, true); len(found) != 1 || textOf(found["Ann/1"]["text"]) != "a" {
		t.Errorf("copies %v", found)
	}
	put(t, db.API(), eventItem("Ann", 1, "b"))
	s.step(stepVerify, Result{Seen: 1, Differing: 2})
	s.step(stepRepair, Result{Seen: 1, Changed: 2})
	s.step(stepVerify, Result{Seen: 1})
}
