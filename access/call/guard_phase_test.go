package call_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/part"
	"sortkey.dev/engine"
)

// Tasks get a unique owner. These are the actions that generated code of the new version prints.

var moveOwner = &access.Pattern{Name: "MoveOwner", Table: "tasks"}

func ownerRow(kind call.Kind, task, owner string) call.Action {
	a := call.Action{Kind: kind, Name: "guard Task.owner", Table: "tasks", KeyNames: []string{"PK"}, Part: "Task.owner"}
	key := access.Item{"PK": marshal.S("OWNER#" + owner)}
	if kind == call.Delete {
		a.Key = key
		return a
	}
	a.Item = key
	a.Item[marshal.OwnerName("PK")] = marshal.S("TASK#" + task)
	a.Condition, a.Names, a.Expects = "attribute_not_exists(#PK)", map[string]string{"#PK": "PK"}, call.Absent
	a.Taken = &access.TakenError{Entity: "Task", Attributes: []string{"owner"}}
	return a
}

func createOwned(task, owner string) []call.Action {
	return []call.Action{{
		Kind: call.Put, Name: "create Task", Table: "tasks", KeyNames: []string{"PK"}, Expects: call.Absent,
		Item:      access.Item{"PK": marshal.S("TASK#" + task), "id": marshal.S(task), "owner": marshal.S(owner)},
		Condition: "attribute_not_exists(#PK)", Names: map[string]string{"#PK": "PK"},
	}, ownerRow(call.Put, task, owner)}
}

func changeOwner(task, from, to string) []call.Action {
	return call.MergeGuards([]call.Action{{
		Kind: call.Update, Name: "update Task", Table: "tasks", KeyNames: []string{"PK"}, Key: access.Item{"PK": marshal.S("TASK#" + task)}, Expects: call.Present,
		Update: "SET #owner = :owner", Condition: "attribute_exists(#PK) AND #owner = :old_owner", Needs: "owner = $old_owner",
		Names:  map[string]string{"#PK": "PK", "#owner": "owner"},
		Values: access.Item{":owner": marshal.S(to), ":old_owner": marshal.S(from)},
	}, ownerRow(call.Delete, task, from), ownerRow(call.Put, task, to)})
}

func deleteOwned(task, owner string) []call.Action {
	return []call.Action{{
		Kind: call.Delete, Name: "delete Task", Table: "tasks", KeyNames: []string{"PK"}, Key: access.Item{"PK": marshal.S("TASK#" + task)}, Expects: call.Present,
		Condition: "attribute_exists(#PK) AND #owner = :owner", Names: map[string]string{"#PK": "PK", "#owner": "owner"}, Values: access.Item{":owner": marshal.S(owner)},
	}, ownerRow(call.Delete, task, owner)}
}

// ownersIn returns the owners of tasks and the rows of owners, as text.
func ownersIn(t *testing.T, db *engine.DB) string {
	t.Helper()
	out, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("tasks"), ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, item := range out.Items {
		pk := marshal.TextAt(item, "PK")
		if owner := marshal.Owner(item); owner != nil || item["owner"] == nil {
			all[pk] = strings.TrimPrefix(marshal.TextAt(owner, "PK"), "TASK#")
		} else {
			all[pk] = marshal.TextAt(item, "owner")
		}
	}
	var lines []string
	for _, pk := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, pk+"="+all[pk])
	}
	return strings.Join(lines, " ")
}

func TestRowsOfANewUniqueRuleInPhases(t *testing.T) {
	rowOf := func(owner, task string) access.Item {
		return access.Item{"PK": marshal.S("OWNER#" + owner), marshal.OwnerName("PK"): marshal.S("TASK#" + task)}
	}
	nameless := access.Item{"PK": marshal.S("OWNER#ann")}
	for _, test := range []struct {
		name  string
		there []access.Item // rows beside task 1 of ann
		call  []call.Action
		want  map[access.Phase]string
		taken []access.Phase // in which another task has the value
	}{
		{"a create", nil, createOwned("2", "bob"), map[access.Phase]string{
			access.PhaseBefore: "TASK#1=ann TASK#2=bob", access.PhasePrepare: "TASK#1=ann TASK#2=bob",
			access.PhaseWrite: "OWNER#bob=2 TASK#1=ann TASK#2=bob", access.PhaseRead: "OWNER#bob=2 TASK#1=ann TASK#2=bob",
			access.PhaseAfter: "OWNER#bob=2 TASK#1=ann TASK#2=bob",
		}, nil},
		{"a create of a value that is taken", []access.Item{rowOf("ann", "1")}, createOwned("2", "ann"), map[access.Phase]string{
			access.PhaseBefore: "OWNER#ann=1 TASK#1=ann TASK#2=ann", access.PhasePrepare: "OWNER#ann=1 TASK#1=ann TASK#2=ann",
			access.PhaseWrite: "OWNER#ann=1 TASK#1=ann", access.PhaseRead: "OWNER#ann=1 TASK#1=ann", access.PhaseAfter: "OWNER#ann=1 TASK#1=ann",
		}, []access.Phase{access.PhaseWrite, access.PhaseRead, access.PhaseAfter}},
		{"a change of an item with its row", []access.Item{rowOf("ann", "1")}, changeOwner("1", "ann", "bob"), map[access.Phase]string{
			access.PhaseBefore: "OWNER#ann=1 TASK#1=bob", access.PhasePrepare: "TASK#1=bob",
			access.PhaseWrite: "OWNER#bob=1 TASK#1=bob", access.PhaseRead: "OWNER#bob=1 TASK#1=bob", access.PhaseAfter: "OWNER#bob=1 TASK#1=bob",
		}, nil},
		{"a change of an item without its row", nil, changeOwner("1", "ann", "bob"), map[access.Phase]string{
			access.PhasePrepare: "TASK#1=bob", access.PhaseWrite: "OWNER#bob=1 TASK#1=bob", access.PhaseRead: "OWNER#bob=1 TASK#1=bob",
		}, nil},
		{"a change of an item whose value another has, too", []access.Item{rowOf("ann", "9")}, changeOwner("1", "ann", "bob"), map[access.Phase]string{
			access.PhasePrepare: "OWNER#ann=9 TASK#1=bob", access.PhaseWrite: "OWNER#ann=9 OWNER#bob=1 TASK#1=bob", access.PhaseRead: "OWNER#ann=9 OWNER#bob=1 TASK#1=bob",
		}, nil},
		{"a change to a value whose row is its own already", []access.Item{rowOf("ann", "1"), rowOf("bob", "1")}, changeOwner("1", "ann", "bob"), map[access.Phase]string{
			access.PhasePrepare: "OWNER#bob=1 TASK#1=bob", access.PhaseWrite: "OWNER#bob=1 TASK#1=bob", access.PhaseRead: "OWNER#bob=1 TASK#1=bob",
		}, nil},
		{"a change of an item whose row names nobody", []access.Item{nameless}, changeOwner("1", "ann", "bob"), map[access.Phase]string{
			access.PhasePrepare: "TASK#1=bob", access.PhaseWrite: "OWNER#bob=1 TASK#1=bob", access.PhaseRead: "OWNER#bob=1 TASK#1=bob", access.PhaseAfter: "OWNER#bob=1 TASK#1=bob",
		}, nil},
		{"a change that keeps the value", []access.Item{rowOf("ann", "1")}, changeOwner("1", "ann", "ann"), map[access.Phase]string{
			access.PhasePrepare: "OWNER#ann=1 TASK#1=ann", access.PhaseWrite: "OWNER#ann=1 TASK#1=ann", access.PhaseAfter: "OWNER#ann=1 TASK#1=ann",
		}, nil},
		{"a delete", []access.Item{rowOf("ann", "1")}, deleteOwned("1", "ann"), map[access.Phase]string{
			access.PhaseBefore: "OWNER#ann=1", access.PhasePrepare: "", access.PhaseWrite: "", access.PhaseRead: "", access.PhaseAfter: "",
		}, nil},
		{"a delete of one of two with the value", []access.Item{rowOf("ann", "9")}, deleteOwned("1", "ann"), map[access.Phase]string{
			access.PhasePrepare: "OWNER#ann=9", access.PhaseWrite: "OWNER#ann=9", access.PhaseRead: "OWNER#ann=9",
		}, nil},
		{"a value that moves to another item", []access.Item{rowOf("ann", "1")}, call.MergeGuards(append(deleteOwned("1", "ann"), createOwned("2", "ann")...)), map[access.Phase]string{
			access.PhaseBefore: "OWNER#ann=1 TASK#2=ann", access.PhaseWrite: "OWNER#ann=2 TASK#2=ann", access.PhaseRead: "OWNER#ann=2 TASK#2=ann", access.PhaseAfter: "OWNER#ann=2 TASK#2=ann",
		}, nil},
	} {
		for phase, want := range test.want {
			t.Run(test.name+" in "+phase.String(), func(t *testing.T) {
				db := openTasks(t)
				design := taskDesign()
				design.Change = &part.Change{}
				for _, item := range append(test.there, createOwned("1", "ann")[0].Item) {
					if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("tasks"), Item: item}); err != nil {
						t.Fatal(err)
					}
				}
				c := access.NewClient(db.API(), design, access.InPhase(phase))
				err := call.Transact(t.Context(), c, moveOwner, test.call)
				if taken, is := errors.AsType[*access.TakenError](err); is != slices.Contains(test.taken, phase) || !is && err != nil {
					t.Errorf("%v, taken %v", err, taken)
				}
				if got := ownersIn(t, db); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

// TestConditionsOfItemsAreToldApartFromRows: a change whose item is not as the caller saw it fails for that alone.
func TestConditionsOfItemsAreToldApartFromRows(t *testing.T) {
	db := openTasks(t)
	design := taskDesign()
	design.Change = &part.Change{}
	c := access.NewClient(db.API(), design, access.InPhase(access.PhaseWrite))
	if err := call.Transact(t.Context(), c, moveOwner, createOwned("1", "ann")); err != nil {
		t.Fatal(err)
	}
	err := call.Transact(t.Context(), c, moveOwner, changeOwner("2", "ann", "bob"))
	tx, is := errors.AsType[*access.TxError](err)
	if !is || len(tx.Reasons) != 1 || !errors.Is(err, access.ErrNotFound) {
		t.Errorf("got %v, want not found alone", err)
	}
	token := strings.Repeat("x", 36)
	if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("tasks"), Item: access.Item{"PK": marshal.S("TASK#3"), "owner": marshal.S("ann")}}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is the same transaction
		if err := call.Transact(t.Context(), c, moveOwner, changeOwner("3", "ann", "eve"), access.Token(token)); err != nil {
			t.Error(err)
		}
	}
}
