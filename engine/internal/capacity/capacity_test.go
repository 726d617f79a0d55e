package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestUnitsRoundUp(t *testing.T) {
	for _, test := range []struct {
		size                     int
		write, eventual, consist float64
	}{
		{0, 1, 0.5, 1},
		{1, 1, 0.5, 1},
		{1024, 1, 0.5, 1},
		{1025, 2, 0.5, 1},
		{4096, 4, 0.5, 1},
		{4097, 5, 1, 2},
		{409600, 400, 50, 100},
	} {
		if w, e, c := WriteUnits(test.size), ReadUnits(test.size, false), ReadUnits(test.size, true); w != test.write || e != test.eventual || c != test.consist {
			t.Errorf("%d bytes: write %v, read %v, consistent %v; want %v, %v, %v", test.size, w, e, c, test.write, test.eventual, test.consist)
		}
	}
}

func TestIndexWriteUnits(t *testing.T) {
	for _, test := range []struct {
		name           string
		before, after  int
		moved, changed bool
		want           float64
	}{
		{"never in the index", -1, -1, false, false, 0},
		{"enters", -1, 1500, false, true, 2},
		{"leaves", 1500, -1, false, true, 2},
		{"stays as it is", 1500, 1500, false, false, 0},
		{"grows in place", 100, 1500, false, true, 2},
		{"shrinks in place", 1500, 100, false, true, 2},
		{"moves to another key", 1500, 100, true, true, 3},
	} {
		if got := IndexWriteUnits(test.before, test.after, test.moved, test.changed); got != test.want {
			t.Errorf("an entry that %s costs %v, want %v", test.name, got, test.want)
		}
	}
}

func TestAccountSumsIndexes(t *testing.T) {
	var a, b Account
	a.Table(2)
	a.Global("g", 1)
	a.Local("l", 0) // unused: no entry
	b.Table(1)
	b.Global("g", 3)
	b.Global("h", 1)
	a.Add(&b)
	want := &dynamo.ConsumedCapacity{
		TableName: "t", Units: 8, Write: true, Detailed: true, Table: 3,
		GlobalIndexes: []dynamo.IndexCapacity{{IndexName: "g", Units: 4}, {IndexName: "h", Units: 1}},
	}
	if diff := cmp.Diff(want, a.Consumed("t", true, true)); diff != "" {
		t.Error(diff)
	}
}

func TestVectorBytes(t *testing.T) {
	for _, c := range []struct {
		before, after  int
		moved, changed bool
		want           float64
	}{
		{0, 0, false, false, 0},
		{0, 100, false, true, 1024},
		{0, 1529, false, true, 1529},
		{1529, 0, false, true, 1529},
		{100, 100, false, false, 0},
		{2000, 1500, false, true, 2000},
		{100, 1500, true, true, 2524},
	} {
		if got := VectorWriteBytes(c.before, c.after, c.moved, c.changed); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := VectorSearchBytes(0, 10); got != 1024 {
		t.Errorf("a small search costs %v", got)
	}
	if got := VectorSearchBytes(3000, 10); got != 3010 {
		t.Errorf("a search costs %v", got)
	}
}
