package shop_test

import (
	"slices"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestElementsOfSets(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := must[shopdb.Offer](t)(db.AddOffer(ctx, shopdb.Offer{Title: "spring", Skus: []string{"a"}})).Key()
	expect := func(got shopdb.Offer, err error, want ...string) {
		t.Helper()
		slices.Sort(got.Skus)
		if err != nil || !slices.Equal(got.Skus, want) {
			t.Errorf("%v, %v, want %v", got.Skus, err, want)
		}
	}
	extended, err := db.ExtendOffer(ctx, key, shopdb.ExtendOfferParams{Skus: []string{"a", "b", "c"}})
	expect(extended, err, "a", "b", "c")
	same, err := db.ExtendOffer(ctx, key, shopdb.ExtendOfferParams{})
	expect(same, err, "a", "b", "c")
	shrunk, err := db.ShrinkOffer(ctx, key, shopdb.ShrinkOfferParams{Gone: []string{"b", "x"}})
	expect(shrunk, err, "a", "c")
	empty, err := db.ShrinkOffer(ctx, key, shopdb.ShrinkOfferParams{Gone: []string{"a", "c"}})
	expect(empty, err)
	_, err = db.ExtendOffer(ctx, shopdb.OfferKey{Title: "none"}, shopdb.ExtendOfferParams{Skus: []string{"a"}})
	is(t, err, access.ErrNotFound)
	must[shopdb.Offer](t)(db.AddOffer(ctx, shopdb.Offer{Title: "summer", Skus: []string{"s"}}))
	for _, moved := range [][]string{nil, {"s", "t"}} { // without elements the items are only checked
		if err := db.MergeOffers(ctx, shopdb.MergeOffersParams{From: "summer", To: "spring", Moved: moved}); err != nil {
			t.Fatal(err)
		}
	}
	merged, err := db.ExtendOffer(ctx, key, shopdb.ExtendOfferParams{})
	expect(merged, err, "s", "t")
	err = db.MergeOffers(ctx, shopdb.MergeOffersParams{From: "none", To: "spring"})
	is(t, reason(t, err, "update Offer"), access.ErrNotFound)
}

func TestUpsertAddsElements(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := shopdb.VisitKey{Page: "/tea", Day: access.DateOf(start)}
	for _, referrers := range [][]string{{"a"}, nil, {"a", "b"}} {
		must[shopdb.Visit](t)(db.AddReferrers(ctx, key, shopdb.AddReferrersParams{Referrers: referrers, At: start}))
	}
	if got := must[shopdb.Visit](t)(db.GetVisit(ctx, key.Page, key.Day)); got.Views != 3 || len(got.Referrers) != 2 {
		t.Errorf("stored %+v", got)
	}
}

func TestListsAreAppendedToWithinTheirMaximum(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := must[shopdb.Offer](t)(db.AddOffer(ctx, shopdb.Offer{Title: "spring"})).Key()
	note := func(notes ...string) (shopdb.Offer, error) {
		return db.NoteOffer(ctx, key, shopdb.NoteOfferParams{Notes: notes})
	}
	for _, more := range [][]string{{"a"}, {}, {"b", "a"}} {
		must[shopdb.Offer](t)(note(more...))
	}
	full := must[shopdb.Offer](t)(note("d"))
	if !slices.Equal(full.Notes, []string{"a", "b", "a", "d"}) {
		t.Errorf("appended to %v", full.Notes)
	}
	_, err := note("e")
	if e := as[*access.ConditionError[shopdb.Offer]](t, err); e.Needs != "at most 4 notes afterwards" || e.Current == nil || len(e.Current.Notes) != 4 {
		t.Errorf("refused with %+v", e)
	}
	tooMany := []string{"1", "2", "3", "4", "5"}
	_, err = note(tooMany...)
	as[*access.ValueError](t, err)
	_, err = db.RewriteOffer(ctx, key, shopdb.RewriteOfferParams{Notes: tooMany})
	as[*access.ValueError](t, err)
	_, err = db.AddOffer(ctx, shopdb.Offer{Title: "summer", Notes: tooMany})
	as[*access.ValueError](t, err)
	made := must[shopdb.Offer](t)(db.StepOffer(ctx, shopdb.OfferKey{Title: "new"}, shopdb.StepOfferParams{Skus: []string{"a"}, More: []int64{1, 2}, Notes: []string{"x"}}))
	if !slices.Equal(made.Steps, []int64{1, 2}) || len(made.Skus) != 1 {
		t.Errorf("created %+v", made)
	}
	_, err = db.ExtendOffer(ctx, shopdb.OfferKey{Title: "new"}, shopdb.ExtendOfferParams{Skus: []string{"1", "2", "3", "4", "5", "6", "7", "8"}})
	as[*access.ConditionError[shopdb.Offer]](t, err)
}
