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
