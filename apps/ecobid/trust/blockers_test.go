package trust_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/nearby"
)

// TestABlockHoldsAfterManyOthers lets more people block a person than a page of blockers holds. The block of one more,
// whose id sorts behind theirs, still holds on every route.
func TestABlockHoldsAfterManyOthers(t *testing.T) {
	w := ecobidtest.Open(t)
	bert := w.Person(t, "Bert")
	for i := range ecobid.MaxBlocks + 1 {
		block := ecobiddb.Block{UserID: w.Person(t, fmt.Sprint("Person ", i)), BlockedID: bert, CreatedAt: w.Clock.Now()}
		if _, err := w.DB.BlockUser(t.Context(), block); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(time.Second)
	anna := w.Person(t, "Anna")
	pickup, item := w.Completed(t, anna, bert), w.Item(t, anna, "")
	if err := w.Trust.Block(t.Context(), anna, bert); err != nil {
		t.Fatal(err)
	}
	if _, err := w.People.Public(t.Context(), bert, anna); !errors.Is(err, ecobid.ErrNoUser) {
		t.Errorf("the profile: %v", err)
	}
	if _, err := w.Listings.Get(t.Context(), bert, item.ItemID); !errors.Is(err, ecobid.ErrNoItem) {
		t.Errorf("the item: %v", err)
	}
	if _, err := w.Giving.Send(t.Context(), bert, pickup.ReservationID, "Hello", ""); !errors.Is(err, ecobid.ErrNoReservation) {
		t.Errorf("a message: %v", err)
	}
	found, err := w.Nearby.Search(t.Context(), nearby.Query{Viewer: bert, Center: ecobidtest.Warsaw, Radius: 5})
	if err != nil || slices.ContainsFunc(found.Items, func(card nearby.Found) bool { return card.ItemID == item.ItemID }) {
		t.Errorf("a search finds %+v, %v", found.Items, err)
	}
}

// TestABlockEndsAReservationBehindManyOthers lets a giver with more open requests than a page holds block the person who
// asked first.
func TestABlockEndsAReservationBehindManyOthers(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	ask := func(userID string) giving.Reservation {
		r, err := w.Giving.Reserve(t.Context(), giving.Request{UserID: userID, ItemID: w.Item(t, anna, "").ItemID})
		if err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(time.Second)
		return r
	}
	first := ask(bert)
	for i := range 11 {
		other := w.Person(t, fmt.Sprint("Person ", i))
		for range ecobid.MaxActiveReservations {
			ask(other)
		}
	}
	if err := w.Trust.Block(t.Context(), anna, bert); err != nil {
		t.Fatal(err)
	}
	if r, err := w.DB.GetReservation(t.Context(), first.ItemID, first.ReservationID); err != nil || r.Status != giving.StatusCancelled {
		t.Errorf("the reservation is %s, %v", r.Status, err)
	}
}
