package api_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/ecobidtest"
)

// TestClientPlaysAGiftAndAnAuction uses the Go client against the API.
func TestClientPlaysAGiftAndAnAuction(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	person := func(name string) *client.Client {
		c := client.New(s.url + "/")
		err := c.Register(ctx, client.Registration{Email: name + "@example.org", Password: "correct horse " + name, Username: name, City: "Warsaw", Country: "PL", Currency: "PLN"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	anna, bert := person("anna"), person("bert")
	photo, err := anna.Upload(ctx, ecobidtest.Picture(t))
	if err != nil {
		t.Fatal(err)
	}
	in := client.NewItem{
		Title: "Oak table", Category: "furniture", Condition: "good", Photos: []string{photo.ID},
		Location: client.ExactLocation{Lat: ecobidtest.Warsaw.Lat, Lon: ecobidtest.Warsaw.Lon, City: "Warsaw", Country: "PL"},
	}
	item, err := anna.Post(client.WithKey(ctx, "post"), in)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := anna.Post(client.WithKey(ctx, "post"), in); err != nil || same.ID != item.ID || same.Stage != "available" {
		t.Errorf("posted again: %+v, %v", same, err)
	}
	if _, err := anna.Post(client.WithKey(ctx, "post"), client.NewItem{Title: "A chair", Category: "home", Condition: "good", Location: in.Location}); !errors.Is(err, client.ErrKeyReused) {
		t.Errorf("another item with the same key: %v", err)
	}
	found, err := bert.Nearby(ctx, client.Query{Lat: 52.23, Lon: 21.01, Radius: 1, Category: "furniture", Mode: "free", Sort: "distance", Limit: 5})
	if err != nil || len(found.Items) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := bert.Nearby(ctx, client.Query{Radius: 3}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("a wrong radius: %v", err)
	}
	r, err := bert.Reserve(ctx, item.ID, "Please", "key")
	again, err2 := bert.Reserve(ctx, item.ID, "Please", "key")
	if err != nil || err2 != nil || r.ID != again.ID {
		t.Fatalf("%+v, %v, %+v, %v", r, err, again, err2)
	}
	s.Clock.Advance(2 * time.Hour) // the access tokens have expired
	if _, err := anna.Confirm(ctx, r.ID, s.Clock.Now().Add(time.Hour), ""); err != nil {
		t.Fatal(err)
	}
	if place, err := bert.Place(ctx, item.ID); err != nil || place.Lat != ecobidtest.Warsaw.Lat {
		t.Errorf("%+v, %v", place, err)
	}
	code, err := anna.Code(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := bert.Complete(ctx, r.ID, code); err != nil || done.Status != "completed" {
		t.Errorf("%+v, %v", done, err)
	}
	if err := bert.Rate(ctx, r.ID, client.NewRating{Rating: 5}); err != nil {
		t.Error(err)
	}
	if photo, err = anna.Upload(ctx, ecobidtest.Picture(t)); err != nil {
		t.Fatal(err)
	}
	in.Photos, in.Auction = []string{photo.ID}, &client.AuctionSettings{MinBid: 500, Hours: 24}
	if item, err = anna.Post(ctx, in); err != nil {
		t.Fatal(err)
	}
	if receipt, err := bert.Bid(ctx, *item.AuctionID, 900, ""); err != nil || !receipt.Leading {
		t.Errorf("%+v, %v", receipt, err)
	}
	_, err = bert.Bid(ctx, *item.AuctionID, 100, "")
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || !errors.Is(err, client.ErrTooLow) || *refused.Details.Min != 500 {
		t.Errorf("too low: %v", err)
	}
	if err := bert.Logout(ctx); err != nil {
		t.Error(err)
	}
	if _, err := bert.Profile(ctx, "me"); !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("signed out: %v", err)
	}
}

// TestLoginWithExpiredTokens signs in with a client whose tokens are too old to be refreshed.
func TestLoginWithExpiredTokens(t *testing.T) {
	s := open(t)
	c := client.New(s.url)
	if err := c.Register(t.Context(), client.Registration{Email: "anna@example.org", Password: "correct horse Anna", Username: "Anna", City: "Warsaw", Country: "PL", Currency: "PLN"}); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(31 * 24 * time.Hour)
	if _, err := c.Profile(t.Context(), "me"); err == nil {
		t.Fatal("the tokens are valid after a month")
	}
	if err := c.Login(t.Context(), "anna@example.org", "correct horse Anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Profile(t.Context(), "me"); err != nil {
		t.Error(err)
	}
}
