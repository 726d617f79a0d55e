package table

import (
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// vectorItem returns an item with a key and, unless it is empty, a vector of the numbers.
func vectorItem(pk string, numbers ...string) dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("pk")
	e.String(pk)
	if len(numbers) > 0 {
		e.Name("v")
		e.OpenList()
		for _, n := range numbers {
			_ = e.Number([]byte(n))
		}
		e.CloseList()
	}
	item, err := e.CloseItem()
	if err != nil {
		panic(err)
	}
	return item
}

func (w *fixture) putVector(pk string, numbers ...string) {
	w.Helper()
	item := vectorItem(pk, numbers...)
	put := &request.PutItem{Item: item, Size: item.Size()}
	put.Table = "tab"
	if _, err := w.tables.PutItem(w.Context(), put); err != nil {
		w.Fatal(err)
	}
}

// nearest lists the keys of the results of a search.
func (w *fixture) nearest(v ...float32) (keys []string, err error) {
	out, err := w.tables.SearchVectors(w.Context(), &request.SearchVectors{Table: "tab", Index: "vix", Vector: v, TopK: 10})
	if err != nil {
		return nil, err
	}
	for _, r := range out.SearchResults {
		keys = append(keys, string(r.Item.Get("pk").Bytes()))
	}
	return keys, nil
}

func (w *fixture) changeVectors(change *request.UpdateTable) *dynamo.TableDescription {
	w.Helper()
	change.Table = "tab"
	d, err := w.tables.catalog.UpdateTable(w.Context(), change)
	if err != nil {
		w.Fatal(err)
	}
	return d
}

var addVectors = &request.CreateVector{VectorDefinition: dynamo.VectorDefinition{
	Name: "vix", Attribute: "v", Dimensions: 2, Distance: dynamo.DistanceEuclidean, ProjectionType: dynamo.ProjectAll,
}}

// While an index is being built it cannot be searched, the table cannot be
// deleted and no other index added; writes maintain the index.
func TestAVectorIndexThatIsBeingBuilt(t *testing.T) {
	w := newFixture(t)
	w.putVector("a", "1", "1")
	w.putVector("b", "2", "2")
	w.putVector("c", "3")
	d := w.changeVectors(&request.UpdateTable{CreateVector: addVectors})
	if x := d.VectorIndexes[0]; x.IndexStatus != "CREATING" || x.Backfilling == nil || *x.Backfilling {
		t.Errorf("the answer describes %+v", x)
	}
	w.putVector("a") // removed from the index before it is added
	w.putVector("d", "4", "4")
	w.putVector("e", "5") // not checked against the index yet

	if _, err := w.nearest(0, 0); err == nil || !strings.Contains(err.Error(), "ValidationException: Cannot search backfilling vector index: vix") {
		t.Errorf("a search of an index that is being built: %v", err)
	}
	d, err := w.tables.catalog.DescribeTable("tab")
	if err != nil {
		t.Fatal(err)
	}
	if x := d.VectorIndexes[0]; d.TableStatus != "ACTIVE" || x.IndexStatus != "CREATING" || x.Backfilling == nil || !*x.Backfilling {
		t.Errorf("while it is being built it is described as %+v", x)
	}
	_, err = w.tables.catalog.DeleteTable(t.Context(), "tab")
	const inUse = "ResourceInUseException: Attempt to change a resource which is still in use: Cannot delete table while indexes are being created, updated, or deleted."
	if err == nil || err.Error() != inUse {
		t.Errorf("deleting the table: %v", err)
	}
	another := *addVectors
	another.Name = "another"
	_, err = w.tables.catalog.UpdateTable(t.Context(), &request.UpdateTable{Table: "tab", CreateVector: &another})
	if err == nil || !strings.HasPrefix(err.Error(), "LimitExceededException: Subscriber limit exceeded: Only 1 online index") {
		t.Errorf("adding another index: %v", err)
	}

	if err := w.tables.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := w.nearest(0, 0); err != nil || strings.Join(got, " ") != "b d" {
		t.Errorf("the built index has %v, %v", got, err)
	}
	d, _ = w.tables.catalog.DescribeTable("tab")
	if x := d.VectorIndexes[0]; x.IndexStatus != "ACTIVE" || x.Backfilling != nil || *x.ItemCount != 2 {
		t.Errorf("then it is described as %+v", x)
	}
}

// An index can be dropped while it is being built, and leaves no rows.
func TestAVectorIndexIsDroppedBeforeItIsBuilt(t *testing.T) {
	w := newFixture(t)
	w.putVector("a", "1", "1")
	w.changeVectors(&request.UpdateTable{CreateVector: addVectors})
	w.putVector("b", "2", "2")
	path := w.tables.catalog.Lookup("tab").Vector("vix").Path
	d := w.changeVectors(&request.UpdateTable{DeleteVector: "vix"})
	if x := d.VectorIndexes[0]; x.IndexStatus != "DELETING" || x.Backfilling != nil {
		t.Errorf("the answer describes %+v", x)
	}
	if err := w.tables.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.nearest(0, 0); err == nil || err.Error() != "ValidationException: The table does not have the specified index: vix" {
		t.Errorf("a search of a dropped index: %v", err)
	}
	if n := w.count(path); n != 0 {
		t.Errorf("%d rows of the dropped index are left", n)
	}
	w.changeVectors(&request.UpdateTable{CreateVector: addVectors})
	if err := w.tables.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := w.nearest(0, 0); err != nil || strings.Join(got, " ") != "a b" {
		t.Errorf("added again the index has %v, %v", got, err)
	}
}

func (w *fixture) count(path rowformat.Path) (rows int64) {
	w.Helper()
	err := w.disk.View(w.Context(), kv.Latest, func(r kv.Reader) (err error) {
		rows, _, err = countRows(w.Context(), r, path)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return rows
}
