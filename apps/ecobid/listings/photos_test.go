package listings_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/internal/files"
)

// TestADroppedPhotoIsDeleted: also if it is removed from a thing long after it was uploaded.
func TestADroppedPhotoIsDeleted(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	dropped, stays := w.Photo(t, anna), w.Photo(t, anna)
	draft := ecobidtest.Table(ecobidtest.Warsaw, dropped, stays)
	item, err := w.Listings.Create(t.Context(), anna, draft)
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(t, 3*24*time.Hour)
	draft.Photos = []string{stays}
	if _, err := w.Listings.Edit(t.Context(), anna, item.ItemID, draft); err != nil {
		t.Fatal(err)
	}
	w.Advance(t, 24*time.Hour)
	for _, small := range []bool{false, true} {
		if _, err := w.Listings.OpenPhoto(t.Context(), dropped, small); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("small %t: the photo is still served: %v", small, err)
		}
		object, err := w.Listings.OpenPhoto(t.Context(), stays, small)
		if err != nil {
			t.Fatalf("small %t: the photo that stays: %v", small, err)
		}
		_ = object.Close()
	}
}
