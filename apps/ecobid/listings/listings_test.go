package listings_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

func TestPublishNeedsAPhoto(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item, err := w.Listings.Create(t.Context(), anna, ecobidtest.Table(ecobidtest.Warsaw))
	if err != nil || item.Status != ecobiddb.ItemStatusDraft {
		t.Fatalf("%v, %v", item.Status, err)
	}
	if _, err := w.Listings.Publish(t.Context(), anna, item.ItemID, listings.Offer{}); !errors.Is(err, ecobid.ErrNoPhotos) {
		t.Errorf("without a photo: %v", err)
	}
	if _, err := w.Listings.Edit(t.Context(), anna, item.ItemID, ecobidtest.Table(ecobidtest.Warsaw, w.Photo(t, anna))); err != nil {
		t.Fatal(err)
	}
	item, err = w.Listings.Publish(t.Context(), anna, item.ItemID, listings.Offer{})
	if err != nil || item.Status != ecobiddb.ItemStatusAvailable || item.Allocation != ecobiddb.ItemAllocationFirstCome {
		t.Errorf("%v, %v", item, err)
	}
	if _, err := w.Listings.Publish(t.Context(), anna, item.ItemID, listings.Offer{}); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("twice: %v", err)
	}
}

// TestExactPointIsInThePrivateRowOnly reads the whole table.
func TestExactPointIsInThePrivateRowOnly(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Item(t, anna, "")
	public := geo.Public(ecobidtest.Warsaw, 6)
	if item.Lat != public.Lat || item.Lon != public.Lon || item.Geohash != "u3qcnh" || item.G5 != "u3qcn" || item.G4 != "u3qc" {
		t.Errorf("the item is at %v, %v in %s", item.Lat, item.Lon, item.Geohash)
	}
	place, err := w.Listings.OwnPlace(t.Context(), anna, item.ItemID)
	if err != nil || place.Point != ecobidtest.Warsaw || place.Address != "Marszałkowska 1" {
		t.Errorf("the place is %v, %v", place, err)
	}
	if _, err := w.Listings.OwnPlace(t.Context(), w.Person(t, "Bert"), item.ItemID); !errors.Is(err, ecobid.ErrNotYours) {
		t.Errorf("to others: %v", err)
	}
	for event, err := range w.DB.ScanOutboxEvent().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(event.Detail), "52.2297") || strings.Contains(string(event.Detail), "Marsz") {
			t.Errorf("an event tells %s", event.Detail)
		}
	}
}

func TestCoarsePrecision(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	draft := ecobidtest.Table(ecobidtest.Warsaw)
	draft.Precision = listings.Coarse
	item, err := w.Listings.Create(t.Context(), anna, draft)
	if want := geo.Public(ecobidtest.Warsaw, 5); err != nil || item.Lat != want.Lat || item.Lon != want.Lon {
		t.Errorf("the item is at %v, %v (%v), want %v", item.Lat, item.Lon, err, want)
	}
	if distance := geo.Distance(ecobidtest.Warsaw, geo.Point{Lat: item.Lat, Lon: item.Lon}); distance < 0.3 {
		t.Errorf("the public point is %.2f km away", distance)
	}
}

func TestRefusedDrafts(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	for field, change := range map[string]func(*listings.Draft){
		"title":       func(d *listings.Draft) { d.Title = "ab" },
		"description": func(d *listings.Draft) { d.Description = strings.Repeat("x", 1001) },
		"category":    func(d *listings.Draft) { d.Category = "weapons" },
		"condition":   func(d *listings.Draft) { d.Condition = "" },
		"location":    func(d *listings.Draft) { d.Exact.Lat = 91 },
		"precision":   func(d *listings.Draft) { d.Precision = 9 },
		"photos":      func(d *listings.Draft) { d.Photos = make([]string, 6) },
		"weightGrams": func(d *listings.Draft) { d.WeightGrams = -1 },
		"country":     func(d *listings.Draft) { d.Country = "Poland" },
		"city":        func(d *listings.Draft) { d.City = " " },
	} {
		draft := ecobidtest.Table(ecobidtest.Warsaw)
		change(&draft)
		_, err := w.Listings.Create(t.Context(), anna, draft)
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	twice := w.Photo(t, anna)
	for range ecobid.LimitItems.Most { // none of them counts
		if _, err := w.Listings.Create(t.Context(), anna, ecobidtest.Table(ecobidtest.Warsaw, twice, twice)); refusalField(err) != "photos" {
			t.Fatalf("a photo twice: %v", err)
		}
	}
	draft := ecobidtest.Table(ecobidtest.Warsaw)
	draft.Title, draft.Description = "abc", strings.Repeat("x", 1000)
	if _, err := w.Listings.Create(t.Context(), anna, draft); err != nil {
		t.Errorf("at the limits: %v", err)
	}
}

func TestPhotosOfOthersCannotBeUsed(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	used := w.Draft(t, anna).Photos[0].FileID
	for name, id := range map[string]string{"of another person": w.Photo(t, bert), "of another item": used, "unknown": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "no id": "../x"} {
		if _, err := w.Listings.Create(t.Context(), anna, ecobidtest.Table(ecobidtest.Warsaw, id)); !errors.Is(err, ecobid.ErrNoPhoto) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Listings.Upload(t.Context(), anna, make([]byte, 6<<20)); refusalField(err) != "photo" {
		t.Errorf("6 MB: %v", err)
	}
	if _, err := w.Listings.Upload(t.Context(), anna, []byte("%PDF-1.4")); refusalField(err) != "photo" {
		t.Errorf("a PDF: %v", err)
	}
	if photo.MaxBytes != 5<<20 {
		t.Errorf("the limit is %d", photo.MaxBytes)
	}
}

func refusalField(err error) string {
	if refused, ok := refusal.As(err); ok {
		return refused.Field()
	}
	return ""
}

func TestUnusedPhotosAreDeletedAfterADay(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	unused, used := w.Photo(t, anna), w.Draft(t, anna).Photos[0].FileID
	exists := func(id string) bool {
		object, err := w.Files.Get(t.Context(), listings.PhotoKey(id))
		if errors.Is(err, files.ErrNotFound) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		return object.Close() == nil
	}
	w.Advance(t, 24*time.Hour-time.Millisecond)
	if !exists(unused) {
		t.Error("the photo is deleted early")
	}
	w.Advance(t, time.Millisecond)
	if exists(unused) || !exists(used) {
		t.Errorf("after a day: unused %v, used %v", exists(unused), exists(used))
	}
}

func TestItemsExpireAfterAMonth(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Item(t, anna, "")
	w.Advance(t, 30*24*time.Hour-time.Millisecond)
	if got := w.Stored(t, item.ItemID).Status; got != ecobiddb.ItemStatusAvailable {
		t.Errorf("early it is %s", got)
	}
	w.Advance(t, time.Millisecond)
	if got := w.Stored(t, item.ItemID).Status; got != ecobiddb.ItemStatusExpired {
		t.Errorf("after a month it is %s", got)
	}
	again, err := w.Listings.Publish(t.Context(), anna, item.ItemID, listings.Offer{})
	if err != nil || again.Status != ecobiddb.ItemStatusAvailable {
		t.Errorf("published again: %v, %v", again.Status, err)
	}
}

func TestBumpMovesTheExpiry(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Item(t, anna, "")
	if _, err := w.Listings.Bump(t.Context(), anna, item.ItemID); !errors.Is(err, refusal.New(refusal.TooMany, "", "")) {
		t.Errorf("at once: %v", err)
	}
	w.Advance(t, 24*time.Hour)
	if _, err := w.Listings.Bump(t.Context(), anna, item.ItemID); err != nil {
		t.Fatal(err)
	}
	w.Advance(t, 29*24*time.Hour)
	if got := w.Stored(t, item.ItemID).Status; got != ecobiddb.ItemStatusAvailable {
		t.Errorf("a month after the first publication it is %s", got)
	}
	w.Advance(t, 24*time.Hour)
	if got := w.Stored(t, item.ItemID).Status; got != ecobiddb.ItemStatusExpired {
		t.Errorf("a month after the bump it is %s", got)
	}
}

func TestWithdraw(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	item := w.Item(t, anna, "")
	if err := w.Listings.Withdraw(t.Context(), bert, item.ItemID); !errors.Is(err, ecobid.ErrNotYours) {
		t.Errorf("by another person: %v", err)
	}
	for range 2 {
		if err := w.Listings.Withdraw(t.Context(), anna, item.ItemID); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Listings.Get(t.Context(), bert, item.ItemID); !errors.Is(err, ecobid.ErrNoItem) {
		t.Errorf("others see it: %v", err)
	}
	if _, err := w.Listings.OwnPlace(t.Context(), anna, item.ItemID); !errors.Is(err, ecobid.ErrNoPlace) {
		t.Errorf("the place is left: %v", err)
	}
}

// TestAKeyStandsForTheDraft repeats a form: its photos may be uploaded again, everything else is the same.
func TestAKeyStandsForTheDraft(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	draft := func() listings.Draft {
		d := ecobidtest.Table(ecobidtest.Warsaw, w.Photo(t, anna))
		d.Key = "once"
		return d
	}
	first, err := w.Listings.Create(t.Context(), anna, draft())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Listings.Create(t.Context(), anna, draft()); err != nil || again.ItemID != first.ItemID {
		t.Errorf("the same form: %s, %v, want %s", again.ItemID, err, first.ItemID)
	}
	for name, change := range map[string]func(*listings.Draft){
		"weight":    func(d *listings.Draft) { d.WeightGrams = 1000 },
		"address":   func(d *listings.Draft) { d.Address = new("Nowa 2") },
		"city":      func(d *listings.Draft) { d.City = "Praga" },
		"country":   func(d *listings.Draft) { d.Country = "CZ" },
		"precision": func(d *listings.Draft) { d.Precision = listings.Coarse },
	} {
		other := draft()
		change(&other)
		if _, err := w.Listings.Create(t.Context(), anna, other); !errors.Is(err, receipt.ErrKeyReused) {
			t.Errorf("another %s: %v", name, err)
		}
	}
}
