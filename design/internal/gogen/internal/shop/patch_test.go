package shop_test

import (
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestPatchSetsOnlyWhatIsGiven(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	buyer := register(t, db, customer(1))
	placed := order(1, buyer.CustomerID)
	placed.Note, placed.Tags = new("ring twice"), []string{"gift"}
	if err := db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: placed}); err != nil {
		t.Fatal(err)
	}
	have := must[shopdb.Order](t)(db.GetOrder(ctx, placed.OrderID))
	later := start.Add(90 * 24 * time.Hour)
	edit := func(params shopdb.EditOrderParams) (shopdb.Order, error) {
		params.Version = have.Version
		return db.EditOrder(ctx, have.Key(), buyer.CustomerID, params)
	}
	_, err := edit(shopdb.EditOrderParams{})
	is(t, err, access.ErrNothingGiven)
	_, err = edit(shopdb.EditOrderParams{Tags: []string{}})
	is(t, err, access.ErrNothingGiven)

	have = must[shopdb.Order](t)(edit(shopdb.EditOrderParams{DueAt: &later}))
	if !have.DueAt.Equal(later) || *have.Note != "ring twice" || !slices.Equal(have.Tags, []string{"gift"}) {
		t.Errorf("a patch of due_at gives %+v", have)
	}
	due := func(until time.Time) int {
		t.Helper()
		return len(must[[]shopdb.ListDueRow](t)(db.ListDue(until).Slice(ctx)))
	}
	if before, after := due(later.Add(-time.Hour)), due(later); before != 0 || after != 1 {
		t.Errorf("the index has %d orders due before and %d after, want 0 and 1", before, after)
	}
	have = must[shopdb.Order](t)(edit(shopdb.EditOrderParams{Note: new(""), Tags: []string{"late"}}))
	if !have.DueAt.Equal(later) || *have.Note != "" || !slices.Equal(have.Tags, []string{"late"}) || due(later) != 1 {
		t.Errorf("a patch of note and tags gives %+v", have)
	}
	have.Version--
	_, err = edit(shopdb.EditOrderParams{Note: new("old")})
	as[*access.VersionError](t, err)
}

func TestPatchOfRequiredAndEncryptedValues(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	have := register(t, db, customer(1))
	have = must[shopdb.Customer](t)(db.EditCustomer(ctx, have.Key(), shopdb.EditCustomerParams{Card: new("5000"), Version: have.Version}))
	have = must[shopdb.Customer](t)(db.EditCustomer(ctx, have.Key(), shopdb.EditCustomerParams{Name: new("Ann"), Version: have.Version}))
	if have.Name != "Ann" || have.Card != "5000" {
		t.Errorf("two patches give %q with card %q", have.Name, have.Card)
	}
	reading := shopdb.Reading{Sensor: "s1", At: start, Room: "hall", Day: access.DateOf(start), Value: 7}
	must[shopdb.Reading](t)(db.Record(ctx, reading))
	must[shopdb.Reading](t)(db.EditReading(ctx, reading.Key(), shopdb.EditReadingParams{Value: new(0.0)}))
	must[shopdb.Reading](t)(db.EditReading(ctx, reading.Key(), shopdb.EditReadingParams{Room: new("attic")}))
	found := must[[]shopdb.Reading](t)(db.ListHottest("attic", reading.Day, -1).Slice(ctx))
	if len(found) != 1 || found[0].Value != 0 {
		t.Errorf("the attic has %+v", found)
	}
	_, err := db.EditReading(ctx, reading.Key(), shopdb.EditReadingParams{Room: new("")})
	as[*access.KeyError](t, err)
}

func TestPatchInATransaction(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	must[shopdb.Setting](t)(db.SaveSetting(ctx, shopdb.Setting{Name: "offers", Value: "new"}))
	for _, title := range []string{"spring", "summer"} {
		must[shopdb.Offer](t)(db.AddOffer(ctx, shopdb.Offer{Title: title, Skus: []string{"a"}, Notes: []string{"n"}, Steps: []int64{1}}))
	}
	edit := func(offers ...shopdb.EditOffersOffer) error {
		return db.EditOffers(ctx, shopdb.EditOffersParams{Offers: offers, Name: "offers", Version: 1})
	}
	is(t, edit(shopdb.EditOffersOffer{Title: "spring", Notes: []string{}}, shopdb.EditOffersOffer{Title: "summer"}), access.ErrNothingGiven)
	as[*access.ValueError](t, edit(shopdb.EditOffersOffer{Title: "spring", Notes: make([]string, 5)}))
	if err := edit(shopdb.EditOffersOffer{Title: "spring", Notes: []string{}}, shopdb.EditOffersOffer{Title: "summer", Steps: []int64{2, 3}}); err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string][2]int{"spring": {0, 1}, "summer": {1, 2}} {
		got := must[shopdb.Offer](t)(db.ExtendOffer(ctx, shopdb.OfferKey{Title: title}, shopdb.ExtendOfferParams{}))
		if len(got.Skus) != 1 || len(got.Notes) != want[0] || len(got.Steps) != want[1] {
			t.Errorf("%s is %+v, want %d notes and %d steps", title, got, want[0], want[1])
		}
	}
}
