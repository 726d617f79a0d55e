package trust_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/giving"
)

// TestExportHidesContactDataUntilConfirmation exports the requests of both parties: the giver reads the phone number of
// the taker only after confirming, and the taker always.
func TestExportHidesContactDataUntilConfirmation(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	const number = "+48 123 456 789"
	r, err := w.Giving.Reserve(t.Context(), giving.Request{UserID: bert, ItemID: w.Item(t, anna, "").ItemID, Message: "Call me: " + number})
	if err != nil {
		t.Fatal(err)
	}
	exported := func(when string, giver bool) {
		t.Helper()
		given, err := w.Trust.Export(t.Context(), anna)
		if err != nil || len(given.Given) != 1 || has(given.Given[0], number) != giver || !has(given.Given[0], "Call me: ") {
			t.Errorf("%s the giver gets %+v, %v", when, given.Given, err)
		}
		taken, err := w.Trust.Export(t.Context(), bert)
		if err != nil || len(taken.Taken) != 1 || !has(taken.Taken[0], number) {
			t.Errorf("%s the taker gets %+v, %v", when, taken.Taken, err)
		}
	}
	exported("before confirmation", false)
	if _, err := w.Giving.Confirm(t.Context(), anna, r.ReservationID, w.Clock.Now().Add(time.Hour), ""); err != nil {
		t.Fatal(err)
	}
	exported("after confirmation", true)
	if _, err := w.Giving.Cancel(t.Context(), bert, r.ReservationID); err != nil {
		t.Fatal(err)
	}
	exported("after a cancellation", false)
}

// has reports whether the message of a reservation contains a text.
func has(r ecobiddb.Reservation, text string) bool {
	return r.Message != nil && strings.Contains(*r.Message, text)
}
