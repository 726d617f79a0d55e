package giving_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/files"
)

// TestPurge has vector 13: after 90 days the item is deleted, and the line of the history stays.
func TestPurge(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert))
	for _, id := range []string{p.anna, p.bert} {
		if _, err := p.Giving.PickedUp(t.Context(), id, r.ReservationID); err != nil {
			t.Fatal(err)
		}
	}
	photo := listings.PhotoKey(p.item.Photos[0].FileID)
	exists := func() bool {
		object, err := p.Files.Get(t.Context(), photo)
		if errors.Is(err, files.ErrNotFound) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		return object.Close() == nil
	}
	p.Advance(t, 90*24*time.Hour-time.Second)
	if _, err := p.Listings.Get(t.Context(), p.anna, p.item.ItemID); err != nil || !exists() {
		t.Errorf("early: %v, photo %v", err, exists())
	}
	p.Advance(t, time.Second)
	if _, err := p.Listings.Get(t.Context(), p.anna, p.item.ItemID); !errors.Is(err, ecobid.ErrNoItem) || exists() {
		t.Errorf("after 90 days: %v, photo %v", err, exists())
	}
	if got := p.Stored(t, p.item.ItemID).ExpiresAt; got == nil || got.After(p.Clock.Now()) {
		t.Errorf("the database deletes it at %v", got)
	}
	for _, id := range []string{p.anna, p.bert} {
		if page, err := p.Trust.History(t.Context(), id, 0, ""); err != nil || len(page.Items) != 1 {
			t.Errorf("the history has %d lines, %v", len(page.Items), err)
		}
	}
}

func TestReminderBeforeThePickup(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert)) // in five hours
	p.Deliver(t)
	before := len(p.Inbox(t, p.anna))
	p.Clock.Set(r.PickupTime.Add(-2*time.Hour - time.Millisecond))
	p.Step(t)
	p.Deliver(t)
	if got := p.Inbox(t, p.anna); len(got) != before {
		t.Errorf("early: %q", got)
	}
	p.Advance(t, time.Millisecond)
	p.Deliver(t)
	for _, id := range []string{p.anna, p.bert} {
		if got := p.Inbox(t, id); !slices.Contains(got, "Pickup soon: Oak table") {
			t.Errorf("told %q", got)
		}
	}
}
