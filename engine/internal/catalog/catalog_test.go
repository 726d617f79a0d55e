package catalog

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

var clock = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, store kv.Store) *Catalog {
	t.Helper()
	c, err := Open(t.Context(), store, Options{
		Now: func() time.Time { return clock }, Rand: rand.Reader, Region: "eu-west-1", Account: "111122223333",
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func definition(name string) dynamo.TableDefinition {
	pk := dynamo.KeyAttribute{Name: "pk", Kind: dynamo.KindString}
	sk := dynamo.KeyAttribute{Name: "sk", Kind: dynamo.KindNumber}
	g := dynamo.KeyAttribute{Name: "g", Kind: dynamo.KindBinary}
	return dynamo.TableDefinition{
		Name: name, Attributes: []dynamo.KeyAttribute{pk, sk, g},
		Key:         dynamo.KeySchema{Partition: []dynamo.KeyAttribute{pk}, Sort: []dynamo.KeyAttribute{sk}},
		BillingMode: dynamo.BillingProvisioned, Throughput: dynamo.Throughput{Read: 5, Write: 6},
		Local: []dynamo.IndexDefinition{{Name: "local", Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{pk}, Sort: []dynamo.KeyAttribute{g}},
			ProjectionType: dynamo.ProjectKeysOnly}},
		Global: []dynamo.IndexDefinition{{Name: "global", Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{g}},
			ProjectionType: dynamo.ProjectInclude, NonKeyAttributes: []string{"extra"}, Throughput: dynamo.Throughput{Read: 1, Write: 2}}},
		Tags: map[string]string{"team": "a"},
	}
}

func create(t *testing.T, c *Catalog, name string) *Table {
	t.Helper()
	if _, err := c.CreateTable(t.Context(), definition(name)); err != nil {
		t.Fatal(err)
	}
	return c.Lookup(name)
}

func TestTablesSurviveReopening(t *testing.T) {
	store := memkv.Open()
	c := open(t, store)
	first := create(t, c, "first")
	create(t, c, "second")
	if _, err := c.UpdateTable(t.Context(), &request.UpdateTable{Table: first.ARN(), Throughput: &dynamo.Throughput{Read: 50, Write: 1}}); err != nil {
		t.Fatal(err)
	}
	want, err := c.DescribeTable("first")
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, store)
	got, err := again.DescribeTable("first")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after reopening (-before +after):\n%s", diff)
	}
	p := got.ProvisionedThroughput
	if *p.ReadCapacityUnits != 50 || !p.LastIncreaseDateTime.Equal(clock) || !p.LastDecreaseDateTime.Equal(clock) || *p.NumberOfDecreasesToday != 1 {
		t.Errorf("the update is not described: %+v", p)
	}
	third := create(t, again, "third")
	if third.ID == first.ID || third.ID == again.Lookup("second").ID {
		t.Errorf("the id %d is reused", third.ID)
	}
}

func TestIndexesKnowTheirProjection(t *testing.T) {
	table := create(t, open(t, memkv.Open()), "things")
	want := map[string][]string{"local": {"g", "pk", "sk"}, "global": {"extra", "g", "pk", "sk"}}
	got := map[string][]string{}
	paths := map[rowformat.Path]bool{table.Path: true}
	for _, x := range table.Indexes {
		got[x.Name] = x.Projected
		paths[x.Path] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(paths) != 3 {
		t.Errorf("the table and its indexes share rows: %v", paths)
	}
}

// TestInterruptedDeletionIsFinished interrupts a deletion after its first commit.
func TestInterruptedDeletionIsFinished(t *testing.T) {
	store := memkv.Open()
	c := open(t, store)
	table := create(t, c, "doomed")
	kept := create(t, c, "kept")
	err := store.Update(t.Context(), nil, func(tx kv.Txn) error {
		tx.Set(rowformat.AppendPath(nil, table.Path), []byte("row"))
		tx.Set(rowformat.AppendPath(nil, kept.Path), []byte("row"))
		tx.Delete(rowformat.CatalogKey(tablePrefix + "doomed"))
		return noteDrop(tx, table.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	c = open(t, store)
	if c.Lookup("doomed") != nil || c.Lookup("kept") == nil {
		t.Errorf("tables after reopening: %v", c.names())
	}
	for path, want := range map[rowformat.Path]bool{table.Path: false, kept.Path: true} {
		found, err := store.Get(t.Context(), kv.Latest, rowformat.AppendPath(nil, path), func([]byte) error { return nil })
		if err != nil || found != want {
			t.Errorf("row of table %d found: %v, %v; want %v", path.Table, found, err, want)
		}
	}
	found, err := store.Get(t.Context(), kv.Latest, rowformat.CatalogKey(dropRow(table.Path)), func([]byte) error { return nil })
	if err != nil || found {
		t.Errorf("the note is still there: %v, %v", found, err)
	}
}

// A patience is a context that ends after it was asked a number of times.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestDeletionIsFinishedWithoutItsCaller deletes a table for callers who give up at some point: if
// the table is gone, its rows are.
func TestDeletionIsFinishedWithoutItsCaller(t *testing.T) {
	for left := range 6 {
		store := memkv.Open()
		c := open(t, store)
		row := rowformat.AppendPath(nil, create(t, c, "doomed").Path)
		if err := store.Update(t.Context(), nil, func(tx kv.Txn) error { tx.Set(row, []byte("row")); return nil }); err != nil {
			t.Fatal(err)
		}
		_, failure := c.DeleteTable(&patience{t.Context(), left}, "doomed")
		gone := c.Lookup("doomed") == nil
		found, err := store.Get(t.Context(), kv.Latest, row, func([]byte) error { return nil })
		if err != nil || found == gone || gone != (failure == nil) {
			t.Errorf("asked %d times: table gone %v, row found %v, %v; deletion: %v", left, gone, found, err, failure)
		}
	}
}

func TestDeletionWaitsForWrites(t *testing.T) {
	c := open(t, memkv.Open())
	create(t, c, "busy")
	table, err := c.Enter("busy")
	if err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error)
	go func() {
		_, err := c.DeleteTable(t.Context(), "busy")
		deleted <- err
	}()
	for range 1000 { // give the deletion time to proceed
		runtime.Gosched()
	}
	if c.Lookup("busy") == nil {
		t.Error("the table was deleted while a write was under way")
	}
	table.Leave()
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if _, err := c.Enter("busy"); err == nil {
		t.Error("a deleted table accepts a write")
	}
}

func TestListTables(t *testing.T) {
	c := open(t, memkv.Open())
	for _, name := range []string{"c", "a", "b", "d"} {
		create(t, c, name)
	}
	for _, test := range []struct {
		after string
		limit int
		want  string
	}{
		{"", 100, "[a b c d] <nil>"},
		{"", 2, "[a b] b"},
		{"b", 2, "[c d] <nil>"},
		{"bb", 1, "[c] c"},
		{"d", 5, "[] <nil>"},
	} {
		out, err := c.ListTables(test.after, test.limit)
		if err != nil {
			t.Fatal(err)
		}
		last := "<nil>"
		if out.LastEvaluatedTableName != nil {
			last = *out.LastEvaluatedTableName
		}
		if got := fmt.Sprint(out.TableNames, " ", last); got != test.want {
			t.Errorf("%d after %q: %s, want %s", test.limit, test.after, got, test.want)
		}
	}
}

func TestFindByARN(t *testing.T) {
	c := open(t, memkv.Open())
	create(t, c, "things")
	for _, test := range []struct {
		name      string
		found, ok bool
	}{
		{"things", true, true},
		{"arn:aws:dynamodb:eu-west-1:111122223333:table/things", true, true},
		{"arn:aws:dynamodb:eu-west-1:111122223333:table/others", false, true},
		{"arn:aws:dynamodb:eu-west-1:444455556666:table/things", false, true},
		{"arn:aws:dynamodb:eu-west-2:111122223333:table/things", false, false},
	} {
		table, err := c.Find(test.name)
		if (table != nil) != test.found || (err == nil) != test.ok {
			t.Errorf("%s: %v, %v", test.name, table, err)
		}
	}
}

func TestCorruptRowsAreNamed(t *testing.T) {
	store := memkv.Open()
	err := store.Update(t.Context(), nil, func(tx kv.Txn) error {
		tx.Set(rowformat.CatalogKey(tablePrefix+"broken"), []byte("{"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), store, Options{})
	if want := `read the catalog: catalog row "table/broken": unexpected end of JSON input`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestUpdatesMergeOneSidedCaps(t *testing.T) {
	c := open(t, memkv.Open())
	def := definition("things")
	def.BillingMode, def.Throughput, def.Global[0].Throughput = dynamo.BillingOnDemand, dynamo.Throughput{}, dynamo.Throughput{}
	if _, err := c.CreateTable(t.Context(), def); err != nil {
		t.Fatal(err)
	}
	for _, change := range []dynamo.Throughput{{Read: 100}, {Write: 200}, {Read: -1}} {
		if _, err := c.UpdateTable(t.Context(), &request.UpdateTable{Table: "things", OnDemand: &change}); err != nil {
			t.Fatal(err)
		}
	}
	d, err := c.DescribeTable("things")
	if err != nil {
		t.Fatal(err)
	}
	if o := d.OnDemandThroughput; *o.MaxReadRequestUnits != -1 || *o.MaxWriteRequestUnits != 200 {
		t.Errorf("caps are %d and %d", *o.MaxReadRequestUnits, *o.MaxWriteRequestUnits)
	}
}
