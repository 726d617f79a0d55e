package tests

import (
	"errors"
	"strings"
	"testing"
	"time"

	"generated.test/countersdb"
	"generated.test/countersdb/countersdbtest"
	"generated.test/tolddb"
	"generated.test/tolddb/tolddbtest"

	"sortkey.dev/access"
)

// An update that writes an index key anew is told the other parts of it. One that is told
// something else than the item has must not make the key say so.
func TestIndexKeysSayWhatTheItemHas(t *testing.T) {
	ctx, db := t.Context(), tolddbtest.New(t)
	at := time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC)
	visit, err := db.BookVisit(ctx, tolddb.Visit{
		VisitID: access.NewULID(at), Patient: access.NewULID(at), Clinic: "north", BookedAt: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]struct {
		clinic string
		booked time.Time
	}{
		"clinic": {"south", at}, "time": {"north", at.Add(time.Hour)},
	} {
		_, err := db.MoveVisit(ctx, visit.Key(), true, wrong.clinic, wrong.booked, tolddb.MoveVisitParams{})
		refused, ok := errors.AsType[*access.ConditionError[tolddb.Visit]](err)
		if !ok || refused.Current.Urgent || !strings.Contains(err.Error(), "clinic = $clinic and booked_at = $booked_at") {
			t.Errorf("wrong %s: got %v", name, err)
		}
	}
	if _, err := db.MoveVisit(ctx, visit.Key(), true, "north", at, tolddb.MoveVisitParams{Room: new("12")}); err != nil {
		t.Fatal(err)
	}
	urgent, err := db.ListUrgent("north").Slice(ctx)
	if err != nil || len(urgent) != 1 {
		t.Errorf("urgent: %v, %v", urgent, err)
	}
}

// A text that is a key of an index as it is must be one that DynamoDB takes for a key.
func TestUpdatesRefuseEmptyKeys(t *testing.T) {
	db := tolddbtest.New(t)
	key := tolddb.VisitKey{Patient: "p", VisitID: "v"}
	for name, room := range map[string]string{"empty": "", "too long": strings.Repeat("x", 1025)} {
		_, err := db.MoveVisit(t.Context(), key, false, "north", time.Now(), tolddb.MoveVisitParams{Room: &room})
		if refused, ok := errors.AsType[*access.KeyError](err); !ok || refused.Attribute != "room" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A counter of a new item begins with what is counted in the same call, and there is no item
// yet whose counter a condition could compare.
func TestCountersBeginWithinTheirBounds(t *testing.T) {
	ctx, db := t.Context(), countersdbtest.New(t)
	params := countersdb.OpenBasketParams{Basket: countersdb.Basket{BasketID: access.NewULID(time.Now())}}
	for i := range 51 {
		piece := countersdb.Piece{BasketID: params.Basket.BasketID, Number: int64(i), Price: "1", State: countersdb.PieceStateNew}
		params.Pieces = append(params.Pieces, piece)
	}
	err := db.OpenBasket(ctx, params)
	refused, ok := errors.AsType[*access.ValueError](err)
	if !ok || refused.Attribute != "pieces" || !strings.Contains(err.Error(), "above its maximum of 50") {
		t.Errorf("51 pieces: got %v", err)
	}
}

// By how much a counter changes follows from the values that the pattern names, and the write
// holds them: nobody tells a number, and who is wrong about the item is refused.
func TestCountersFollowFromWhatThePatternNames(t *testing.T) {
	ctx, db := t.Context(), countersdbtest.New(t)
	basket := access.NewULID(time.Now())
	expect := func(shelf string, pieces, old int64) {
		t.Helper()
		got, err := db.GetShelf(ctx, shelf)
		if err != nil || got.Pieces != pieces || got.Old != old {
			t.Errorf("shelf %s: got %+v, %v; want %d pieces, %d of them old", shelf, got, err, pieces, old)
		}
	}
	done := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, shelf := range []string{"left", "right"} {
		_, err := db.AddShelf(ctx, countersdb.Shelf{Shelf: shelf})
		done(err)
	}
	done(db.OpenBasket(ctx, countersdb.OpenBasketParams{Basket: countersdb.Basket{BasketID: basket}}))
	var keys []countersdb.PieceKey
	for i := range 3 {
		piece := countersdb.Piece{BasketID: basket, Number: int64(i), Grams: 2.5, Price: "1.1", Shelf: new("left"), State: countersdb.PieceStateNew}
		_, err := db.AddPiece(ctx, piece)
		done(err)
		keys = append(keys, piece.Key())
	}
	expect("left", 3, 0)
	set := func(was, state countersdb.PieceState) error {
		return db.SetState(ctx, keys[0], countersdb.SetStateParams{Shelf: "left", Was: was, State: state})
	}
	done(set(countersdb.PieceStateNew, countersdb.PieceStateOld))
	expect("left", 3, 1)
	done(set(countersdb.PieceStateOld, countersdb.PieceStateOld))
	expect("left", 3, 1)
	if err := set(countersdb.PieceStateNew, countersdb.PieceStateOld); err == nil {
		t.Error("a piece that is old became old once more")
	}
	expect("left", 3, 1)
	done(db.Swap(ctx, keys[0], countersdb.SwapParams{From: "left", To: "right", State: countersdb.PieceStateOld}))
	expect("left", 2, 0)
	expect("right", 1, 1)
	done(db.Swap(ctx, keys[0], countersdb.SwapParams{From: "right", To: "right", State: countersdb.PieceStateOld}))
	expect("right", 1, 1)
	done(db.SetState(ctx, keys[1], countersdb.SetStateParams{Shelf: "left", Was: countersdb.PieceStateNew, State: countersdb.PieceStateOld}))
	expect("left", 2, 1)
	both := func(shelf string, number int64) error {
		return db.SetStates(ctx, countersdb.SetStatesParams{Pieces: []countersdb.SetStatesPiece{
			{BasketID: basket, Number: 2, Shelf: "left", Was: countersdb.PieceStateNew, State: countersdb.PieceStateOld},
			{BasketID: basket, Number: number, Shelf: shelf, Was: countersdb.PieceStateOld, State: countersdb.PieceStateNew},
		}})
	}
	if err, ok := errors.AsType[*access.KeyError](both("right", 0)); !ok || err.Attribute != "shelf" {
		t.Errorf("pieces of two shelves whose changes cancel: got %v", err)
	}
	done(both("left", 1))
	expect("left", 2, 1)
	expect("right", 1, 1)
	done(db.SetState(ctx, keys[1], countersdb.SetStateParams{Shelf: "left", Was: countersdb.PieceStateNew, State: countersdb.PieceStateOld}))
	done(db.SetState(ctx, keys[2], countersdb.SetStateParams{Shelf: "left", Was: countersdb.PieceStateOld, State: countersdb.PieceStateNew}))
	done(db.SellMany(ctx, countersdb.SellManyParams{Pieces: []countersdb.SellManyPiece{
		{BasketID: basket, Number: 1, Shelf: "left", State: countersdb.PieceStateOld, Grams: 2.5, Price: "1.1"},
		{BasketID: basket, Number: 2, Shelf: "left", State: countersdb.PieceStateNew, Grams: 2.5, Price: "1.1"},
	}}))
	expect("left", 0, 0)
}
