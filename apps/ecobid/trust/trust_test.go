package trust_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

func profile(t *testing.T, w *ecobidtest.World, id string) people.Public {
	t.Helper()
	p, err := w.People.Public(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRatings has vector 12.
func TestRatings(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	for i, stars := range []int{5, 4, 4} {
		buyer := w.Person(t, fmt.Sprint("Buyer ", i))
		early := w.Confirmed(t, anna, buyer)
		if err := w.Trust.Rate(t.Context(), buyer, early.ReservationID, 5, "", ""); !errors.Is(err, trust.ErrNotCompleted) {
			t.Errorf("before completion: %v", err)
		}
		r := w.Completed(t, anna, buyer)
		for _, wrong := range []int{0, 6} {
			if err := w.Trust.Rate(t.Context(), buyer, r.ReservationID, wrong, "", ""); refusalField(err) != "rating" {
				t.Errorf("%d stars: %v", wrong, err)
			}
		}
		for _, can := range []bool{true, false} {
			if got, err := w.Trust.CanRate(t.Context(), buyer, r); err != nil || got != can {
				t.Errorf("can rate: %v, %v, want %v", got, err, can)
			}
			if !can {
				break
			}
			if got, err := w.Trust.CanRate(t.Context(), buyer, early); err != nil || got {
				t.Errorf("can rate before completion: %v, %v", got, err)
			}
			if err := w.Trust.Rate(t.Context(), buyer, r.ReservationID, stars, "Friendly.", ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Trust.Rate(t.Context(), buyer, r.ReservationID, 1, "", ""); !errors.Is(err, ecobid.ErrRated) {
			t.Errorf("twice: %v", err)
		}
		if err := w.Trust.Rate(t.Context(), w.Person(t, fmt.Sprint("Stranger ", i)), r.ReservationID, 1, "", ""); !errors.Is(err, ecobid.ErrNoReservation) {
			t.Errorf("a stranger: %v", err)
		}
		if got := profile(t, w, anna); got.RatingCount != int64(i) {
			t.Errorf("before both have rated there are %d ratings", got.RatingCount)
		}
		if err := w.Trust.Rate(t.Context(), anna, r.ReservationID, 3, "", ""); err != nil {
			t.Fatal(err)
		}
		if got := profile(t, w, buyer); got.RatingCount != 1 || got.RatingSum != 3 {
			t.Errorf("the buyer has %+v", got)
		}
	}
	got := profile(t, w, anna)
	if mean, shown := trust.Mean(got.RatingSum, got.RatingCount); mean != 4.33 || !shown || got.RatingCount != 3 {
		t.Errorf("the mean is %v of %d", mean, got.RatingCount)
	}
	if _, shown := trust.Mean(10, 2); shown {
		t.Error("the mean of two is shown")
	}
}

func refusalField(err error) string {
	if refused, ok := refusal.As(err); ok {
		return refused.Field()
	}
	return ""
}

func TestRatingIsRevealedAfterTwoWeeks(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	r := w.Completed(t, anna, bert)
	if err := w.Trust.Rate(t.Context(), bert, r.ReservationID, 2, "Late.", ""); err != nil {
		t.Fatal(err)
	}
	visible := func() int {
		page, err := w.Trust.Ratings(t.Context(), "", anna, 0, "")
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	w.Advance(t, 14*24*time.Hour-time.Millisecond)
	if visible() != 0 || profile(t, w, anna).RatingCount != 0 {
		t.Error("revealed early")
	}
	w.Advance(t, time.Millisecond)
	if visible() != 1 || profile(t, w, anna).RatingCount != 1 {
		t.Errorf("after two weeks %d are visible", visible())
	}
	if err := w.Trust.Rate(t.Context(), anna, r.ReservationID, 1, "Revenge.", ""); !errors.Is(err, ecobid.ErrLate) {
		t.Errorf("rated late: %v", err)
	}
}

func TestModeration(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert, mod := w.Person(t, "Anna"), w.Person(t, "Bert"), "moderator"
	item := w.Item(t, anna, "")
	for range 2 {
		if err := w.Trust.Report(t.Context(), bert, trust.Target{ItemID: item.ItemID}, "spam", "Look at it."); err != nil {
			t.Fatal(err)
		}
	}
	page, err := w.Trust.OpenReports(t.Context(), 0, "")
	if err != nil || len(page.Items) != 1 || trust.TargetOf(page.Items[0]).ItemID != item.ItemID {
		t.Fatalf("%+v, %v", page.Items, err)
	}
	if _, err := w.Giving.Reserve(t.Context(), giving.Request{UserID: bert, ItemID: item.ItemID}); err != nil {
		t.Fatal(err)
	}
	if err := w.Trust.Decide(t.Context(), mod, page.Items[0].Key(), true); err != nil {
		t.Fatal(err)
	}
	if got := w.Stored(t, item.ItemID).Status; got != ecobiddb.ItemStatusRemoved {
		t.Errorf("the item is %s", got)
	}
	if err := w.Trust.Decide(t.Context(), mod, page.Items[0].Key(), false); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("decided twice: %v", err)
	}
	if err := w.Trust.Restore(t.Context(), mod, item.ItemID); err != nil || w.Stored(t, item.ItemID).Status != ecobiddb.ItemStatusAvailable {
		t.Errorf("restored: %v, %s", err, w.Stored(t, item.ItemID).Status)
	}
	events, err := w.Env.Audit.About(t.Context(), "item-"+item.ItemID, 0, "")
	if err != nil || len(events.Items) != 3 {
		t.Errorf("the audit trail has %+v, %v", events.Items, err)
	}
	for range 2 {
		if err := w.Trust.Suspend(t.Context(), mod, bert); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Listings.Create(t.Context(), bert, ecobidtest.Table(ecobidtest.Warsaw)); !errors.Is(err, ecobid.ErrSuspended) {
		t.Errorf("a suspended person posts: %v", err)
	}
	if err := w.Trust.Reinstate(t.Context(), mod, bert); err != nil {
		t.Error(err)
	}
	if err := w.Trust.Suspend(t.Context(), mod, access.NewULID(time.Now())); !errors.Is(err, ecobid.ErrNoUser) {
		t.Errorf("an unknown person: %v", err)
	}
}

func TestRemovedItemEndsItsAuction(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	a, err := w.Auctions.Start(t.Context(), anna, w.Draft(t, anna).ItemID, auctions.Start{MinBid: 500, Hours: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Auctions.Bid(t.Context(), auctions.Bid{UserID: bert, AuctionID: a.AuctionID, Maximum: 900}); err != nil {
		t.Fatal(err)
	}
	if err := w.Trust.Remove(t.Context(), "moderator", a.ItemID); err != nil {
		t.Fatal(err)
	}
	if view, err := w.Auctions.Get(t.Context(), "", a.AuctionID); err != nil || view.Status != ecobiddb.AuctionStatusCancelled {
		t.Errorf("the auction is %s, %v", view.Status, err)
	}
}

func TestSavedSearchesMatch(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	save := func(name string, in trust.Search) string {
		id := w.Person(t, name)
		if _, err := w.Trust.SaveSearch(t.Context(), id, "", in); err != nil {
			t.Fatal(err)
		}
		return id
	}
	near := ecobidtest.Warsaw
	want := save("Near", trust.Search{Around: near, Radius: 1})
	words := save("Words", trust.Search{Around: near, Radius: 5, Words: "TABLE oak", Category: "furniture"})
	save("Other words", trust.Search{Around: near, Radius: 5, Words: "chair"})
	save("Other category", trust.Search{Around: near, Radius: 5, Category: "books"})
	save("Paused", trust.Search{Around: near, Radius: 5, Paused: true})
	far := near
	far.Lat += 0.2 // 22 km
	save("Far", trust.Search{Around: far, Radius: 10})
	wide := save("Wide", trust.Search{Around: far, Radius: 25})
	if _, err := w.Trust.SaveSearch(t.Context(), anna, "", trust.Search{Around: near, Radius: 1}); err != nil {
		t.Fatal(err)
	}
	item := w.Item(t, anna, "")
	w.Deliver(t)
	for _, id := range []string{want, words, wide} {
		if got := w.Inbox(t, id); len(got) != 1 || got[0] != "New near you: Oak table" {
			t.Errorf("%s was told %q", id, got)
		}
	}
	waiting, err := w.Trust.Waiting(t.Context(), ecobid.Detail{Lat: &item.Lat, Lon: &item.Lon, Title: item.Title, Category: "furniture", SellerID: anna})
	if err != nil || len(waiting) != 3 {
		t.Errorf("%d people wait, %v", len(waiting), err)
	}
	for _, pair := range [][2]string{{anna, want}, {words, anna}} { // both directions
		if err := w.Trust.Block(t.Context(), pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	waiting, err = w.Trust.Waiting(t.Context(), ecobid.Detail{Lat: &item.Lat, Lon: &item.Lon, Title: item.Title, Category: "furniture", SellerID: anna})
	if err != nil || len(waiting) != 1 || waiting[0] != wide {
		t.Errorf("after two blocks %v wait, %v", waiting, err)
	}
}

func TestFavourites(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	item := w.Item(t, anna, "")
	for range 2 {
		if err := w.Trust.AddFavourite(t.Context(), bert, item.ItemID); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.Trust.Favourites(t.Context(), bert); err != nil || len(got) != 1 || got[0].Title != "Oak table" {
		t.Errorf("%+v, %v", got, err)
	}
	for id, want := range map[string]bool{bert: true, anna: false} {
		if got, err := w.Trust.IsFavourite(t.Context(), id, item.ItemID); err != nil || got != want {
			t.Errorf("a favourite: %v, %v", got, err)
		}
	}
	for range 2 {
		if err := w.Trust.RemoveFavourite(t.Context(), bert, item.ItemID); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.Trust.Favourites(t.Context(), bert); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestExportAndErase leaves nothing about a person but an empty name.
func TestExportAndErase(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	r := w.Completed(t, anna, bert)
	if _, err := w.Giving.Send(t.Context(), bert, r.ReservationID, "Thank you", ""); err != nil {
		t.Fatal(err)
	}
	open := w.Confirmed(t, anna, bert)
	own := w.Item(t, bert, "")
	for _, err := range []error{
		w.Trust.AddFavourite(t.Context(), bert, open.ItemID), w.Trust.Block(t.Context(), bert, w.Person(t, "Cleo")),
		func() error {
			_, err := w.Trust.SaveSearch(t.Context(), bert, "", trust.Search{Around: ecobidtest.Warsaw, Radius: 5})
			return err
		}(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	e, err := w.Trust.Export(t.Context(), bert)
	if err != nil || e.Profile.Username != "Bert" || len(e.Items) != 1 || len(e.Places) != 1 || len(e.Taken) != 2 || len(e.Messages) != 1 ||
		len(e.Favourites) != 1 || len(e.Searches) != 1 || len(e.Blocks) != 1 || len(e.History) != 1 {
		t.Fatalf("exported %+v, %v", e, err)
	}
	for range 2 {
		if err := w.Trust.Erase(t.Context(), bert); err != nil {
			t.Fatal(err)
		}
	}
	for _, photo := range own.Photos {
		if _, err := w.Listings.OpenPhoto(t.Context(), photo.FileID, true); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("a photo of the withdrawn item is still served: %v", err)
		}
	}
	e, err = w.Trust.Export(t.Context(), bert)
	if err != nil || e.Profile.Username == "Bert" || len(e.Messages)+len(e.Favourites)+len(e.Searches)+len(e.Blocks)+len(e.Places) != 0 {
		t.Errorf("left %+v, %v", e, err)
	}
	if got := w.Stored(t, own.ItemID).Status; got != ecobiddb.ItemStatusCancelled {
		t.Errorf("the item is %s", got)
	}
	if got := w.Stored(t, open.ItemID).Status; got != ecobiddb.ItemStatusAvailable {
		t.Errorf("the reserved item is %s", got)
	}
	w.Person(t, "Bert") // the name is free
}

// An auction with bids keeps the data of its seller: all of it.
func TestEraseIsRefusedWhileAnAuctionHasBids(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	other := w.Item(t, anna, "")
	sold, err := w.Auctions.Start(t.Context(), anna, w.Draft(t, anna).ItemID, auctions.Start{MinBid: 500, Hours: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Auctions.Bid(t.Context(), auctions.Bid{UserID: bert, AuctionID: sold.AuctionID, Maximum: 10_000}); err != nil {
		t.Fatal(err)
	}
	if err := w.Trust.Erase(t.Context(), anna); !errors.Is(err, ecobid.ErrHasBids) {
		t.Errorf("got %v", err)
	}
	if got := w.Stored(t, other.ItemID).Status; got != ecobiddb.ItemStatusAvailable {
		t.Errorf("the other item is %s", got)
	}
}

func TestImpactIsCountedOnce(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Completed(t, anna, bert)
	w.Deliver(t)
	w.Deliver(t)
	for _, city := range []string{"", "Warsaw"} {
		figures, err := w.Trust.Impact(t.Context(), city)
		if err != nil || len(figures) != 1 || figures[0].Items != 1 || figures[0].Grams != 30_000 || figures[0].Co2Grams != 60_000 {
			t.Errorf("%q: %+v, %v", city, figures, err)
		}
	}
	if kept, co2 := trust.Saved(ecobiddb.ItemCategoryBooks, 0); kept != 500 || co2 != 1000 {
		t.Errorf("a book saves %d g and %d g", kept, co2)
	}
}
