package ecobidtest

import (
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
)

// Completed gives an item of one person to another, and returns the completed reservation.
func (w *World) Completed(t testing.TB, sellerID, buyerID string) ecobiddb.Reservation {
	t.Helper()
	r := w.Confirmed(t, sellerID, buyerID)
	for _, id := range []string{sellerID, buyerID} {
		if _, err := w.Giving.PickedUp(t.Context(), id, r.ReservationID); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.Giving.Get(t.Context(), buyerID, r.ReservationID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Confirmed lets a person reserve an item of another, who confirms a pickup in an hour.
func (w *World) Confirmed(t testing.TB, sellerID, buyerID string) ecobiddb.Reservation {
	t.Helper()
	item := w.Item(t, sellerID, "")
	r, err := w.Giving.Reserve(t.Context(), giving.Request{UserID: buyerID, ItemID: item.ItemID})
	if err != nil {
		t.Fatal(err)
	}
	r, err = w.Giving.Confirm(t.Context(), sellerID, r.ReservationID, w.Clock.Now().Add(time.Hour), "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Deliver delivers all events that wait, as the stream does, and runs the jobs that are due.
func (w *World) Deliver(t testing.TB) {
	t.Helper()
	for range 10 {
		pending, err := w.DB.ListPendingEvents().Limit(0).Slice(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range pending {
			if err := w.Events.Enqueue(t.Context(), e.EventID); err != nil {
				t.Fatal(err)
			}
		}
		w.Step(t)
		if len(pending) == 0 {
			return
		}
	}
}

// Inbox returns the titles of a person's notifications, newest first.
func (w *World) Inbox(t testing.TB, userID string) (titles []string) {
	t.Helper()
	entries, _, err := w.Notifier.Inbox(t.Context(), userID, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		titles = append(titles, e.Title)
	}
	return titles
}
