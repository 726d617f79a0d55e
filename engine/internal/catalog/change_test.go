package catalog

import (
	"math"
	"slices"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

func newIndexRequest(table, name string) *request.UpdateTable {
	attribute := dynamo.KeyAttribute{Name: "added", Kind: dynamo.KindString}
	return &request.UpdateTable{Table: table, CreateIndex: &request.CreateIndex{
		IndexDefinition: dynamo.IndexDefinition{Name: name, Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{attribute}},
			ProjectionType: dynamo.ProjectAll, Throughput: dynamo.Throughput{Read: 1, Write: 1}},
		Attributes: []dynamo.KeyAttribute{attribute},
	}}
}

// TestPathIDsAreNotReused adds and drops indexes and expiries, with restarts in
// between: rows that are still to be dropped must not belong to another path.
func TestPathIDsAreNotReused(t *testing.T) {
	store := memkv.Open()
	c := open(t, store)
	create(t, c, "things")
	used := map[rowformat.Path]bool{}
	note := func(path rowformat.Path) {
		t.Helper()
		if used[path] {
			t.Errorf("path %v is reused", path)
		}
		used[path] = true
	}
	for _, x := range c.Lookup("things").Indexes {
		note(x.Path)
	}
	for range 3 {
		if _, err := c.UpdateTable(t.Context(), newIndexRequest("things", "new")); err != nil {
			t.Fatal(err)
		}
		note(c.Lookup("things").Index("new").Path)
		c = open(t, store)
		if !c.Lookup("things").Index("new").Building {
			t.Error("after reopening the index is not being built")
		}
		if _, err := c.UpdateTable(t.Context(), &request.UpdateTable{Table: "things", DeleteIndex: "new"}); err != nil {
			t.Fatal(err)
		}
		expire := &request.UpdateTimeToLive{Table: "things", Attribute: "until", Enabled: true}
		if _, err := c.UpdateTimeToLive(t.Context(), expire); err != nil {
			t.Fatal(err)
		}
		note(c.Lookup("things").Expiry.Path)
		c = open(t, store)
		expire.Enabled = false
		if _, err := c.UpdateTimeToLive(t.Context(), expire); err != nil {
			t.Fatal(err)
		}
	}
	attributes := c.Lookup("things").Definition.Attributes
	if slices.ContainsFunc(attributes, func(a dynamo.KeyAttribute) bool { return a.Name == "added" }) {
		t.Errorf("the definition of a dropped index's key still exists: %v", attributes)
	}
}

// TestPathIDsStartAgain uses up the ids of a table: the next ones are those that are free.
func TestPathIDsStartAgain(t *testing.T) {
	c := open(t, memkv.Open())
	create(t, c, "things")
	c.Lookup("things").LastPathID = math.MaxUint16 - 1
	taken := map[uint16]bool{0: true} // the path of the items
	for _, x := range c.Lookup("things").Indexes {
		taken[x.Path.Index] = true
	}
	expire := &request.UpdateTimeToLive{Table: "things", Attribute: "until", Enabled: true}
	if _, err := c.UpdateTimeToLive(t.Context(), expire); err != nil {
		t.Fatal(err)
	}
	taken[c.Lookup("things").Expiry.Path.Index] = true
	for range 3 {
		if _, err := c.UpdateTable(t.Context(), newIndexRequest("things", "new")); err != nil {
			t.Fatal(err)
		}
		if id := c.Lookup("things").Index("new").Path.Index; taken[id] {
			t.Errorf("the new index has the path %d of another", id)
		}
		if _, err := c.UpdateTable(t.Context(), &request.UpdateTable{Table: "things", DeleteIndex: "new"}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCountersSurviveACleanClose saves the counters and reopens the catalog: they are
// valid until the first write.
func TestCountersSurviveACleanClose(t *testing.T) {
	store := memkv.Open()
	c := open(t, store)
	things := create(t, c, "things")
	things.Counter.Add(7, 3, 300)
	things.Index("global").Counter.Add(9, 2, 20)
	c.CloseGates()
	if err := c.SaveCounts(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := open(t, store)
	d, err := again.DescribeTable("things")
	if err != nil {
		t.Fatal(err)
	}
	g := d.GlobalSecondaryIndexes[0]
	if *d.ItemCount != 3 || *d.TableSizeBytes != 300 || *g.ItemCount != 2 || *g.IndexSizeBytes != 20 || again.Uncounted() {
		t.Errorf("counted %d, %d; in the index %d, %d; uncounted: %v", *d.ItemCount, *d.TableSizeBytes, *g.ItemCount, *g.IndexSizeBytes, again.Uncounted())
	}
	if open(t, store).Uncounted() {
		t.Error("a database that was only read must be recounted")
	}
	written, err := again.Enter("things")
	if err != nil {
		t.Fatal(err)
	}
	written.Leave()
	if !open(t, store).Uncounted() {
		t.Error("after a crash the old counters are used")
	}
}

// TestAClosedCatalogRejectsChanges checks that saved counters stay correct.
func TestAClosedCatalogRejectsChanges(t *testing.T) {
	c := open(t, memkv.Open())
	create(t, c, "things")
	c.CloseGates()
	if _, err := c.Enter("things"); err == nil {
		t.Error("Enter succeeded")
	}
	if _, err := c.CreateTable(t.Context(), definition("more")); err == nil {
		t.Error("CreateTable succeeded")
	}
	if _, err := c.DescribeTable("things"); err == nil {
		t.Error("DescribeTable succeeded")
	}
}
