package tests

import (
	"fmt"
	"testing"

	"generated.test/rangesdb"
	"generated.test/rangesdb/rangesdbtest"

	"sortkey.dev/access"
)

// What a counter counts may lie between two values, both of which count, or begin with a text.
func TestCountersOfRanges(t *testing.T) {
	ctx, db := t.Context(), rangesdbtest.New(t)
	if _, err := db.AddBox(ctx, rangesdb.Box{BoxID: "b"}); err != nil {
		t.Fatal(err)
	}
	for i, thing := range []rangesdb.Thing{
		{Grams: 1, Made: "2025-12-31"},
		{Grams: 2, Made: "2026-01-01", Name: new("spare wheel")},
		{Grams: 5, Made: "2026-12-31", Name: new("a spare wheel")},
		{Grams: 6, Made: "2027-01-01", Name: new("spare")},
	} {
		thing.ThingID, thing.BoxID = fmt.Sprint(i), "b"
		if _, err := db.AddThing(ctx, thing); err != nil {
			t.Fatal(err)
		}
	}
	weigh := func(thing string, was, grams int64) error {
		return db.Weigh(ctx, rangesdb.ThingKey{ThingID: thing}, rangesdb.WeighParams{BoxID: "b", Was: was, Grams: grams})
	}
	for _, err := range []error{weigh("0", 1, 3), weigh("3", 6, 7), weigh("1", 2, 4)} {
		if err != nil {
			t.Error(err)
		}
	}
	box, err := db.GetBox(ctx, "b")
	if want := (rangesdb.Box{BoxID: "b", Light: 3, Spare: 2, Recent: 2}); err != nil || box != want {
		t.Errorf("got %+v, %v; want %+v", box, err, want)
	}
	var _ access.Date = rangesdb.Thing{}.Made
}
