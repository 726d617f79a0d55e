package call_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// taskChange renames title to name, and replaces an index by the title by one by the name. The version before has a default
// that the next one does not.
func taskChange() *part.Change {
	text := func(name string) shape.Attribute { return shape.Attribute{Name: name, Type: "string"} }
	key := shape.Key{Name: "PK", Template: "TASK#{id}"}
	old := shape.Entity{Name: "Task", Attributes: []shape.Attribute{text("id"), text("title"), text("owner")}, Keys: []shape.Key{
		key, {Name: "A", Template: "OWNER#{owner}", In: []string{"a"}}, {Name: "AS", Template: "{title}", In: []string{"a"}},
	}}
	new := shape.Entity{Name: "Task", Attributes: []shape.Attribute{text("id"), text("name"), text("owner")}, Keys: []shape.Key{
		key, {Name: "B", Template: "{name|lower}", In: []string{"b"}},
	}}
	return &part.Change{
		Tables: []part.Table{{Name: "tasks", Old: &shape.Table{PK: "PK", Entities: []shape.Entity{old}}, New: &shape.Table{PK: "PK", Entities: []shape.Entity{new}}}},
		Parts: []part.Part{{
			Name: "Task", Table: "tasks", Entity: "Task", As: "Task",
			Set:    []part.Source{{Attribute: "name", From: "title"}, {Attribute: "B", Key: true}},
			Remove: []string{"title", "A", "AS"},
		}},
	}
}

func taskDesign() access.Design {
	return access.Design{
		Name: "Tasks", Versions: []int{1, 2}, Change: taskChange(),
		State: access.StateRow{Table: "tasks", Partition: access.KeyValue{Name: "PK", Text: "Tasks#state"}},
	}
}

var (
	putTask    = &access.Pattern{Name: "PutTask", Table: "tasks"}
	renameTask = &access.Pattern{Name: "RenameTask", Table: "tasks"}
	getTask    = &access.Pattern{Name: "GetTask", Table: "tasks", Parts: []string{"Task"}}
)

// taskPut returns the put that generated code of the new version sends.
func taskPut(id, name string) call.Action {
	return call.Action{
		Kind: call.Put, Name: "put Task", Table: "tasks", KeyNames: []string{"PK"}, Part: "Task",
		Item: access.Item{"PK": marshal.S("TASK#" + id), "id": marshal.S(id), "owner": marshal.S("o"), "name": marshal.S(name), "B": marshal.S(strings.ToLower(name))},
	}
}

func taskRename(id, name string) call.Action {
	return call.Action{
		Kind: call.Update, Name: "update Task", Table: "tasks", Key: access.Item{"PK": marshal.S("TASK#" + id)}, KeyNames: []string{"PK"}, Part: "Task",
		Update: "SET #name = :name, #B = :B", Condition: "attribute_exists(#PK) AND #name <> :name",
		Names:  map[string]string{"#name": "name", "#B": "B", "#PK": "PK"},
		Values: access.Item{":name": marshal.S(name), ":B": marshal.S(strings.ToLower(name))},
		Fault:  call.FaultOf(nameOf), Expects: call.Present,
	}
}

// nameOf decodes a task of the new version.
func nameOf(item access.Item) (string, error) {
	if item["name"] == nil {
		return "", errors.New("name is missing")
	}
	return marshal.TextAt(item, "name"), nil
}

func openTasks(t *testing.T) *engine.DB {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("tasks"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// stored returns an item as text, without its primary key, id and owner.
func stored(t *testing.T, db *engine.DB, id string) string {
	t.Helper()
	out, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("tasks"), Key: access.Item{"PK": marshal.S("TASK#" + id)}, ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(out.Item)) {
		if name != "PK" && name != "id" && name != "owner" {
			all = append(all, name+"="+marshal.TextAt(out.Item, name))
		}
	}
	return strings.Join(all, " ")
}

func TestWritesOfTheNewVersionInPhases(t *testing.T) {
	const before = "A=OWNER#o AS=%s title=%s"
	const both = "A=OWNER#o AS=%s B=%s name=%s title=%s"
	for phase, want := range map[access.Phase]func(name string) string{
		access.PhaseBefore:  func(n string) string { return fmt.Sprintf(before, n, n) },
		access.PhasePrepare: func(n string) string { return fmt.Sprintf(before, n, n) },
		access.PhaseWrite:   func(n string) string { return fmt.Sprintf(both, n, strings.ToLower(n), n, n) },
		access.PhaseRead:    func(n string) string { return fmt.Sprintf(both, n, strings.ToLower(n), n, n) },
		access.PhaseAfter:   func(n string) string { return fmt.Sprintf("B=%s name=%s", strings.ToLower(n), n) },
	} {
		t.Run(phase.String(), func(t *testing.T) {
			db := openTasks(t)
			c := access.NewClient(db.API(), taskDesign(), access.InPhase(phase))
			w := taskPut("1", "Wash")
			if err := call.PutItem(t.Context(), c, putTask, &w); err != nil {
				t.Fatal(err)
			}
			if got := stored(t, db, "1"); got != want("Wash") {
				t.Errorf("put: %s, want %s", got, want("Wash"))
			}
			w = taskRename("1", "Dry")
			w.Known = access.Item{"id": marshal.S("1"), "owner": marshal.S("o")}
			name, err := call.UpdateItem(t.Context(), c, renameTask, &w, nameOf)
			if err != nil || name != "Dry" {
				t.Errorf("update returned %q, %v", name, err)
			}
			if got := stored(t, db, "1"); got != want("Dry") {
				t.Errorf("update: %s, want %s", got, want("Dry"))
			}
			_, err = call.UpdateItem(t.Context(), c, renameTask, &w, nameOf)
			if failed, ok := errors.AsType[*access.ConditionError[string]](err); !ok || failed.Current == nil || *failed.Current != "Dry" {
				t.Errorf("a condition on the renamed attribute: %v", err)
			}
			if err := call.Transact(t.Context(), c, renameTask, []call.Action{taskPut("2", "Iron")}); err != nil {
				t.Fatal(err)
			}
			if err := call.BatchWrite(t.Context(), c, putTask, []call.Action{taskPut("3", "Iron")}); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"2", "3"} {
				if got := stored(t, db, id); got != want("Iron") {
					t.Errorf("task %s: %s, want %s", id, got, want("Iron"))
				}
			}
			get := &call.Get{Pattern: getTask, Key: access.Item{"PK": marshal.S("TASK#1")}, Projection: "#n", Names: map[string]string{"#n": "name"}}
			if name, err := call.GetOne(t.Context(), c, get, nameOf); err != nil || name != "Dry" {
				t.Errorf("get: %q, %v", name, err)
			}
		})
	}
}

func TestAnUpdateReadsWhatAnOldKeyIsMadeOf(t *testing.T) {
	for _, phase := range []access.Phase{access.PhaseBefore, access.PhasePrepare, access.PhaseWrite, access.PhaseRead} {
		t.Run(phase.String(), func(t *testing.T) {
			db := openTasks(t)
			design := taskDesign()
			design.Change.(*part.Change).Tables[0].Old.Entities[0].Keys[2].Template = "{title}#{owner}"
			handOver := &handedOver{API: db.API()}
			c := access.NewClient(handOver, design, access.InPhase(phase))
			w := taskPut("1", "Wash")
			if err := call.PutItem(t.Context(), c, putTask, &w); err != nil {
				t.Fatal(err)
			}
			handOver.read = func() { // another writer takes the task over between the read and the update
				_, err := db.API().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
					TableName: aws.String("tasks"), Key: access.Item{"PK": marshal.S("TASK#1")}, UpdateExpression: aws.String("SET #o = :o"),
					ExpressionAttributeNames: map[string]string{"#o": "owner"}, ExpressionAttributeValues: access.Item{":o": marshal.S("p")},
				})
				if err != nil {
					t.Error(err)
				}
			}
			w = taskRename("1", "Dry")
			if name, err := call.UpdateItem(t.Context(), c, renameTask, &w, nameOf); err != nil || name != "Dry" {
				t.Errorf("%q, %v", name, err)
			}
			if got := stored(t, db, "1"); !strings.Contains(got, "AS=Dry#p") {
				t.Errorf("after the update: %s", got)
			}
			if err := call.Transact(t.Context(), c, renameTask, []call.Action{taskRename("1", "Iron")}); err != nil {
				t.Fatal(err)
			}
			if got := stored(t, db, "1"); !strings.Contains(got, "AS=Iron#p") {
				t.Errorf("after the transaction: %s", got)
			}
			w = taskRename("2", "Dry")
			if _, err := call.UpdateItem(t.Context(), c, renameTask, &w, nameOf); !errors.Is(err, access.ErrNotFound) {
				t.Errorf("an update of no item: %v", err)
			}
		})
	}
}

// handedOver calls read after the first item was read.
type handedOver struct {
	access.API
	read func()
}

func (h *handedOver) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := h.API.GetItem(ctx, in, options...)
	if h.read != nil {
		h.read()
		h.read = nil
	}
	return out, err
}
