package evolve_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/internal/evolve"
)

func standOf(t *testing.T, data apps.Data) *apps.DataStand {
	t.Helper()
	stand, err := data.Stand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stand
}

// TestOwnDataIsBroughtToTheVersionOfTheProgram opens a directory with programs of each version.
func TestOwnDataIsBroughtToTheVersionOfTheProgram(t *testing.T) {
	versions, dir := histories(t, notes1, notes2), t.TempDir()
	const n = 300
	db := open(t, dir)
	data, _, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, db.API(), n)
	if stand := standOf(t, data); stand.Version != 1 || stand.Program != 1 || stand.Migration != "" || !slices.Equal(stand.Versions, []string{"0001-baseline"}) {
		t.Errorf("at first: %+v", stand)
	}
	db.Close()

	db = open(t, dir)
	var seen []evolve.Progress
	o := evolve.Options{API: db.API(), Alone: true, Progress: func(p evolve.Progress) { seen = append(seen, p) }}
	if data, _, err = keep(t, versions[1], o); err != nil {
		t.Fatal(err)
	}
	are(t, db.API(), 2, n)
	if stand := standOf(t, data); stand.Version != 2 || stand.Program != 2 || stand.Under || stand.Migration != "" {
		t.Errorf("then: %+v", stand)
	}
	filled := slices.IndexFunc(seen, func(p evolve.Progress) bool { return p.Step == "fill" && p.Changed > 0 })
	if last := seen[len(seen)-1]; filled < 0 || !last.Done || last.Migration != "0002-next" || last.To != 2 {
		t.Errorf("what was told: %+v", seen)
	}
	db.Close()

	db = open(t, dir)
	seen = nil
	o.API = db.API()
	if _, _, err = keep(t, versions[1], o); err != nil || len(seen) > 0 {
		t.Errorf("again: %v, %+v", err, seen)
	}
	_, _, err = keep(t, versions[0], evolve.Options{API: db.API(), Alone: true})
	newer, ok := errors.AsType[*evolve.NewerError](err)
	if !ok || newer.Version != 2 || newer.Program != 1 {
		t.Errorf("an older program: %v", err)
	}
	are(t, db.API(), 2, n)
}

// TestDataFromBeforeTheHistoryIsAdopted makes tables as programs did that knew no histories.
func TestDataFromBeforeTheHistoryIsAdopted(t *testing.T) {
	versions := histories(t, notes1, notes2)
	prefixed := provision.Options{TableNames: func(name string) string { return "p-" + name }}
	for name, change := range map[string]func([]provision.Table){
		"with its shape":       func([]provision.Table) {},
		"from before shapes":   func(all []provision.Table) { all[0].Shape = nil },
		"of a program of test": func(all []provision.Table) { all[0].Tags = map[string]string{"made": "by hand"} },
	} {
		db := open(t, "")
		old := tables(t, versions[0])
		change(old)
		if _, err := provision.Apply(t.Context(), db.API(), old, prefixed); err != nil {
			t.Fatal(err)
		}
		write(t, db.API(), 20)
		if _, _, err := keep(t, versions[1], evolve.Options{API: db.API(), Alone: true}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		are(t, db.API(), 2, 20)
	}
	db := open(t, "")
	if _, _, err := keep(t, versions[1], evolve.Options{API: db.API(), Alone: true}); err != nil {
		t.Fatal(err)
	}
	if names, err := db.API().ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil || len(names.TableNames) != 1 {
		t.Errorf("new data: %v, %v", names, err) // nothing had to be migrated
	}
	strange := open(t, "")
	old := tables(t, versions[0])
	old[0].Shape = nil
	if _, err := provision.Apply(t.Context(), strange.API(), old, prefixed); err != nil {
		t.Fatal(err)
	}
	item := access.Item{"PK": s("ORDER#1"), "total": s("7")}
	if _, err := strange.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("p-notes"), Item: item}); err != nil {
		t.Fatal(err)
	}
	_, _, err := keep(t, versions[1], evolve.Options{API: strange.API(), Alone: true})
	if _, refused := errors.AsType[*provision.RefusedError](err); !refused {
		t.Errorf("data of something else: %v", err)
	}
}

// TestConflictsTakeDataBack: an item without the attribute that its new key is made of cannot be found by it. The data stays as the
// older program needs it, and the next start tries again.
func TestConflictsTakeDataBack(t *testing.T) {
	versions, db := histories(t, notes1, notes2), open(t, "")
	if _, _, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true}); err != nil {
		t.Fatal(err)
	}
	write(t, db.API(), 20)
	broken := access.Item{"PK": s("NOTE#x"), "note_id": s("x"), "owner": s("Ann"), "text": &typesN}
	delete(broken, "owner")
	if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("p-notes"), Item: broken}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, _, err := keep(t, versions[1], evolve.Options{API: db.API(), Alone: true})
		refused, ok := errors.AsType[*evolve.ConflictsError](err)
		if !ok || len(refused.Conflicts) != 1 || refused.Conflicts[0].Key != `PK = "NOTE#x"` || refused.Version != 1 {
			t.Fatalf("the conflict: %v", err)
		}
		if _, err := db.API().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: new("p-notes"), Key: access.Item{"PK": s("NOTE#y")}}); err != nil {
			t.Fatal(err)
		}
		if notes := read(t, db.API()); notes["NOTE#1"] != "Ann - - -" || len(notes) != 21 {
			t.Errorf("the others: %v", notes)
		}
	}
	data, _, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true})
	if err != nil || standOf(t, data).Version != 1 {
		t.Fatalf("the older program: %v", err)
	}
	if _, err := db.API().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: new("p-notes"), Key: access.Item{"PK": s("NOTE#x")}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := keep(t, versions[1], evolve.Options{API: db.API(), Alone: true}); err != nil {
		t.Fatal(err)
	}
	are(t, db.API(), 2, 20)
}

// TestDeletingWaits: version 3 stores no text, and what is removed is gone.
func TestDeletingWaits(t *testing.T) {
	versions, db := histories(t, notes1, notes2, notes3), open(t, "")
	if _, _, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true}); err != nil {
		t.Fatal(err)
	}
	write(t, db.API(), 10)
	o := evolve.Options{API: db.API(), Alone: true}
	for range 2 {
		_, _, err := keep(t, versions[2], o)
		waits, ok := errors.AsType[*evolve.WaitsError](err)
		if !ok || waits.Version != 2 || waits.Program != 3 || waits.Migration != "0003-next" {
			t.Fatalf("it does not wait: %v", err)
		}
		are(t, db.API(), 2, 10) // the migration before went through
	}
	o.Resume = true
	data, _, err := keep(t, versions[2], o)
	if err != nil || standOf(t, data).Version != 3 {
		t.Fatal(err)
	}
	are(t, db.API(), 3, 10)
	out, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: new("p-notes"), Key: access.Item{"PK": s("NOTE#1")}})
	if err != nil || out.Item["text"] != nil {
		t.Errorf("%v, %v", out.Item, err)
	}
}

// TestAProgramDoesNotRunOnDataThatIsOnItsWay reads the row of a migration that the program does not know.
func TestAProgramDoesNotRunOnDataThatIsOnItsWay(t *testing.T) {
	versions, db := histories(t, notes1, notes2), open(t, "")
	data, client, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	epochs := migrate.Epochs{API: db.API(), Design: client.Design(), TableName: client.Table, Control: "p-" + evolve.Control, Alone: true}
	state, err := epochs.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ensureControl(t, db.API())
	next := state
	next.Migration, next.Least = "0002-next", 2
	if _, err := epochs.Advance(t.Context(), state, next); err != nil {
		t.Fatal(err)
	}
	_, _, err = keep(t, versions[0], evolve.Options{API: db.API(), Alone: true}, 1)
	if newer, ok := errors.AsType[*evolve.NewerError](err); !ok || !newer.Under || newer.Version != 2 {
		t.Errorf("an older program: %v", err)
	}
	if stand := standOf(t, data); !stand.Under || stand.Migration != "0002-next" {
		t.Errorf("%+v", stand)
	}
	if _, _, err = keep(t, versions[1], evolve.Options{API: db.API(), Alone: true}); err != nil {
		t.Errorf("the next program goes on: %v", err)
	}
}
