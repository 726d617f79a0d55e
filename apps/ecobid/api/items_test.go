package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/ecobidtest"
)

// badOffers are items that could be stored, and not published.
var badOffers = map[string]func(*contract.NewItem){
	"a short lottery":       func(in *contract.NewItem) { in.Allocation, in.EntryHours = "lottery", 2 },
	"an unknown allocation": func(in *contract.NewItem) { in.Allocation = "nonsense" },
	"no minimum bid":        func(in *contract.NewItem) { in.Auction = &contract.AuctionSettings{Hours: 24} },
	"36 hours":              func(in *contract.NewItem) { in.Auction = &contract.AuctionSettings{MinBid: 500, Hours: 36} },
	"a low reserve price": func(in *contract.NewItem) {
		in.Auction = &contract.AuctionSettings{MinBid: 500, ReservePrice: 400, Hours: 24}
	},
	"an auction with a wrong way": func(in *contract.NewItem) {
		in.Allocation, in.Auction = "nonsense", &contract.AuctionSettings{MinBid: 500, Hours: 24}
	},
	"the same photo twice": func(in *contract.NewItem) { in.Photos = append(in.Photos, in.Photos...) },
}

// TestARefusedItemLeavesNothing: the corrected request has the photo of the refused one, with and without its key.
func TestARefusedItemLeavesNothing(t *testing.T) {
	s := open(t)
	people := 0
	for name, spoil := range badOffers {
		for _, key := range []string{"", "once"} {
			people++
			anna := s.join(t, fmt.Sprint("Anna", people))
			in := anna.table(t)
			bad := in
			spoil(&bad)
			anna.keyed(key).refused(t, "POST", "/v1/items", bad, 400, "VALIDATION_ERROR")
			var own contract.List[contract.Item]
			if anna.must(t, "GET", "/v1/users/me/items", nil, &own); len(own.Items) > 0 {
				t.Errorf("%s: stored %+v", name, own.Items)
			}
			var item contract.Item
			if anna.keyed(key).must(t, "POST", "/v1/items", in, &item); item.Stage != "available" {
				t.Errorf("%s: the corrected item is %s", name, item.Stage)
			}
		}
	}
}

// TestABadOfferOfADraftIsRefused: an item that stays a draft, by its flag or without a photo.
func TestABadOfferOfADraftIsRefused(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	in := anna.table(t)
	for name, spoil := range badOffers {
		draft, empty := in, in
		draft.Draft, empty.Photos = true, []string{}
		for _, bad := range []contract.NewItem{draft, empty} {
			if spoil(&bad); len(bad.Photos) == 0 && name == "the same photo twice" {
				continue
			}
			anna.refused(t, "POST", "/v1/items", bad, 400, "VALIDATION_ERROR")
		}
	}
}

// TestRefusedItemsDoNotCount refuses as many items as a person may post in a day.
func TestRefusedItemsDoNotCount(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	in := anna.table(t)
	bad := in
	for range ecobid.LimitItems.Most {
		bad.Photos = append(in.Photos, in.Photos...)
		anna.refused(t, "POST", "/v1/items", bad, 400, "VALIDATION_ERROR")
	}
	anna.must(t, "POST", "/v1/items", in, nil)
}

// TestOneKeySentAtOnceCreatesOneItem sends the same request several times at the same time.
func TestOneKeySentAtOnceCreatesOneItem(t *testing.T) {
	s := open(t)
	for i, auction := range []*client.AuctionSettings{nil, {MinBid: 500, Hours: 24}} {
		anna := newClient(t, s, fmt.Sprint("anna", i))
		for round := range 10 {
			photo, err := anna.Upload(t.Context(), ecobidtest.Picture(t))
			if err != nil {
				t.Fatal(err)
			}
			in := client.NewItem{
				Title: "Oak table", Category: "furniture", Condition: "good", Photos: []string{photo.ID}, Auction: auction,
				Location: client.ExactLocation{Lat: ecobidtest.Warsaw.Lat, Lon: ecobidtest.Warsaw.Lon, City: "Warsaw", Country: "PL"},
			}
			ctx := client.WithKey(t.Context(), fmt.Sprint("round ", round))
			var items [4]client.Item
			var errs [len(items)]error
			var sent sync.WaitGroup
			for n := range items {
				sent.Go(func() { items[n], errs[n] = anna.Post(ctx, in) })
			}
			sent.Wait()
			for n, item := range items {
				if errs[n] != nil || item.ID != items[0].ID || item.Stage != "available" || (item.AuctionID != nil) != (auction != nil) {
					t.Errorf("round %d: answer %d of %s is %+v, %v", round, n, items[0].ID, item, errs[n])
				}
			}
		}
		if own, err := anna.OwnItems(t.Context(), ""); err != nil || len(own.Items) != 10 {
			t.Errorf("%d items were created in 10 rounds; %v", len(own.Items), err)
		}
	}
}

// newClient returns the client of a new person.
func newClient(t *testing.T, s *site, name string) *client.Client {
	t.Helper()
	c := client.New(s.url)
	err := c.Register(t.Context(), client.Registration{Email: name + "@example.org", Password: "correct horse " + name, Username: name, City: "Warsaw", Country: "PL", Currency: "PLN"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAKeyStandsForTheWholeItem changes every part of a request, and sends it with the key of the first one.
func TestAKeyStandsForTheWholeItem(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	in := anna.table(t)
	var first, again contract.Item
	anna.keyed("once").must(t, "POST", "/v1/items", in, &first)
	for name, change := range map[string]func(*contract.NewItem){
		"title":       func(in *contract.NewItem) { in.Title = "A chair" },
		"description": func(in *contract.NewItem) { in.Description = "Seats six." },
		"category":    func(in *contract.NewItem) { in.Category = "home" },
		"condition":   func(in *contract.NewItem) { in.Condition = "worn" },
		"photos":      func(in *contract.NewItem) { in.Photos = nil },
		"weight":      func(in *contract.NewItem) { in.WeightGrams = 30_000 },
		"point":       func(in *contract.NewItem) { in.Location.Lat++ },
		"address":     func(in *contract.NewItem) { in.Location.Address = new("Nowa 2") },
		"no address":  func(in *contract.NewItem) { in.Location.Address = nil },
		"city":        func(in *contract.NewItem) { in.Location.City = "Praga" },
		"country":     func(in *contract.NewItem) { in.Location.Country = "CZ" },
		"precision":   func(in *contract.NewItem) { in.Location.Coarse = true },
		"draft":       func(in *contract.NewItem) { in.Draft = true },
		"allocation":  func(in *contract.NewItem) { in.Allocation = "queue" },
		"entry hours": func(in *contract.NewItem) { in.EntryHours = 12 },
		"auction":     func(in *contract.NewItem) { in.Auction = &contract.AuctionSettings{MinBid: 500, Hours: 24} },
	} {
		other := in
		change(&other)
		if got := anna.keyed("once").send(t, "POST", "/v1/items", other); got.status != 409 || !strings.Contains(got.text, "IDEMPOTENCY_KEY_REUSED") {
			t.Errorf("another %s: %d %s", name, got.status, got.text)
		}
	}
	if anna.keyed("once").must(t, "POST", "/v1/items", in, &again); again.ID != first.ID {
		t.Errorf("the same request returned %s, want %s", again.ID, first.ID)
	}
}

// TestARepeatedRequestShowsTheItemAsItIsNow repeats the creation of an item that was withdrawn.
func TestARepeatedRequestShowsTheItemAsItIsNow(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	in := anna.table(t)
	var first, again contract.Item
	anna.keyed("once").must(t, "POST", "/v1/items", in, &first)
	anna.must(t, "DELETE", "/v1/items/"+first.ID, nil, nil)
	if anna.keyed("once").must(t, "POST", "/v1/items", in, &again); again.ID != first.ID || again.Stage != "cancelled" {
		t.Errorf("the item is %+v, want %s, cancelled", again, first.ID)
	}
}
