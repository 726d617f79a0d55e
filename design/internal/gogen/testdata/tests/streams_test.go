package tests

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"generated.test/namesdb"
	"generated.test/namesdb/namesdbtest"
	"generated.test/naturaldb"
	"generated.test/naturaldb/naturaldbtest"
	"generated.test/sealeddb"
	"generated.test/sealeddb/sealeddbtest"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/stream"
)

// change is the record of a new item.
func change(t *testing.T, table string, keys []string, item access.Item) stream.Record {
	t.Helper()
	r := stream.Record{Table: table, Kind: stream.Insert, New: item, Keys: access.Item{}}
	for _, name := range keys {
		r.Keys[name] = item[name]
	}
	return r
}

func TestStreamsTellEntitiesApart(t *testing.T) {
	db := naturaldbtest.New(t, access.WithTablePrefix("test-"))
	var heard []string
	handle := db.Stream(naturaldb.Handlers{
		OnAccount: stream.On[naturaldb.Account]{Insert: func(_ context.Context, a naturaldb.Account) error {
			heard = append(heard, "account "+a.Name)
			return nil
		}},
		OnSession: stream.On[naturaldb.Session]{Insert: func(_ context.Context, s naturaldb.Session) error {
			heard = append(heard, "session "+s.Device)
			return nil
		}},
		OnPage: stream.On[naturaldb.Page]{Insert: func(_ context.Context, p naturaldb.Page) error {
			heard = append(heard, "page "+p.Path)
			return nil
		}},
	})
	account, err := naturaldb.Account{AccountID: "a1", Email: "a@x.se", Name: "Ann"}.Item()
	if err != nil {
		t.Fatal(err)
	}
	session, err := naturaldb.Session{AccountID: "a1", Day: "2026-02-17", Device: "phone"}.Item()
	if err != nil {
		t.Fatal(err)
	}
	page, err := naturaldb.Page{Site: "x.se", Path: "/a#views#b"}.Item()
	if err != nil {
		t.Fatal(err)
	}
	keys, natural := []string{"PK", "SK"}, []string{"site", "path"}
	for _, r := range []stream.Record{
		change(t, "test-accounts", keys, account),
		change(t, "test-accounts", keys, access.Item{"PK": marshal.S("EMAIL#a@x.se"), "SK": marshal.S("EMAIL")}),
		change(t, "test-accounts", keys, session),
		change(t, "test-pages", natural, access.Item{"site": marshal.S("x.se"), "path": marshal.S("/a#views#b#views#3"), "views": marshal.N(1)}),
		change(t, "test-pages", natural, page),
	} {
		if err := handle(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"account Ann", "session phone", "page /a#views#b"}, heard); diff != "" {
		t.Errorf("what was heard differs (-want +got)\n%s", diff)
	}
	if err := handle(t.Context(), stream.Record{Table: "accounts"}); err == nil {
		t.Error("a table of another name was taken for ours")
	}
}

func TestStreamsWithoutItemsSaySo(t *testing.T) {
	db := namesdbtest.New(t)
	silent := db.Stream(namesdb.Handlers{})
	asking := db.Stream(namesdb.Handlers{OnOrderKey: stream.On[namesdb.OrderKey]{Remove: func(context.Context, namesdb.OrderKey) error { return nil }}})
	removed := stream.Record{Table: "all.things", Kind: stream.Remove, Keys: access.Item{"PK": marshal.S("x")}}
	if err := asking(t.Context(), removed); !errors.Is(err, stream.ErrNoImage) {
		t.Errorf("a removal without the item gives %v", err)
	}
	if err := silent(t.Context(), removed); err != nil {
		t.Errorf("a removal nobody asks for gives %v", err)
	}
	removed.Old = access.Item{"PK": marshal.S("x"), "type_of": marshal.S("Stranger")}
	if err := asking(t.Context(), removed); err != nil {
		t.Errorf("the item of an unknown entity gives %v", err)
	}
}

func TestStreamsOpenWhatIsSealed(t *testing.T) {
	db := sealeddbtest.New(t)
	item, err := sealeddb.Patient{PatientID: "p1", Name: "Ann", Born: "1990-01-01", Weight: "70"}.Item(db)
	if err != nil {
		t.Fatal(err)
	}
	var name string
	handle := db.Stream(sealeddb.Handlers{OnPatient: stream.On[sealeddb.Patient]{
		Insert: func(_ context.Context, p sealeddb.Patient) error { name = p.Name; return nil },
	}})
	if err := handle(t.Context(), change(t, "clinic", []string{"PK"}, item)); err != nil {
		t.Fatal(err)
	}
	if name != "Ann" {
		t.Errorf("the name is %q", name)
	}
}

func TestScansFindOnlyTheirEntity(t *testing.T) {
	db := naturaldbtest.New(t)
	c := db.Client()
	put(t, c, "accounts", naturaldb.Account{AccountID: "a1", Email: "a@x.se", Name: "Ann"}.Item)
	put(t, c, "accounts", naturaldb.Session{AccountID: "a1", Day: "2026-02-17", Device: "phone"}.Item)
	put(t, c, "accounts", func() (access.Item, error) {
		return access.Item{"PK": marshal.S("EMAIL#a@x.se"), "SK": marshal.S("EMAIL")}, nil
	})
	put(t, c, "pages", naturaldb.Page{Site: "x.se", Path: "/"}.Item)
	put(t, c, "pages", func() (access.Item, error) {
		return access.Item{"site": marshal.S("x.se"), "path": marshal.S("/#views#1"), "views": marshal.N(7)}, nil
	})
	var found []string
	for a, err := range db.ScanAccount().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, "account "+a.Name)
	}
	for s, err := range db.ScanSession().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, "session "+s.Device)
	}
	for p, err := range db.ScanPage().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, "page "+p.Path)
	}
	if diff := cmp.Diff([]string{"account Ann", "session phone", "page /"}, found); diff != "" {
		t.Errorf("what was found differs (-want +got)\n%s", diff)
	}
}
