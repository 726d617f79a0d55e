package shop_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

// The instants that a caller asks for may be finer than those that are stored: what is
// between them is found, and nothing else.
func TestRangesFinerThanWhatIsStored(t *testing.T) {
	db := shopdbtest.New(t)
	second := func(s float64) time.Time { return time.Unix(0, int64(s*1e9)).UTC() }
	for at := range 4 {
		must[shopdb.Reading](t)(db.Record(t.Context(), shopdb.Reading{Sensor: "door", At: second(float64(at + 4)), Room: "hall", Day: "2026-02-17"}))
	}
	customerOne := register(t, db, customer(1))
	for n := range 3 { // a millisecond apart
		o := order(1, customerOne.CustomerID)
		o.PlacedAt = start.Add(time.Duration(n) * time.Millisecond)
		o.OrderID, o.DueAt = idAt(o.PlacedAt), new(o.PlacedAt)
		place(t, db, o)
	}
	milli := func(ms float64) time.Time { return start.Add(time.Duration(ms * 1e6)) }
	readings := func(l access.List[shopdb.Reading]) int { return len(must[[]shopdb.Reading](t)(l.Slice(t.Context()))) }
	orders := func(l access.List[shopdb.Order]) int { return len(must[[]shopdb.Order](t)(l.Slice(t.Context()))) }
	id := customerOne.CustomerID
	for _, test := range []struct {
		name      string
		got, want int
	}{
		{"before 5 s", readings(db.ListReadingsBefore("door", second(5))), 1},
		{"before a little after 5 s", readings(db.ListReadingsBefore("door", second(5.000000001))), 2},
		{"from 5 s", readings(db.ListReadingsFrom("door", second(5))), 3},
		{"from a little after 5 s", readings(db.ListReadingsFrom("door", second(5.000000001))), 2},
		{"between, both a little after", readings(db.ListReadings("door", second(4.5), second(6.5))), 2},
		{"between two that nothing lies between", readings(db.ListReadings("door", second(5.1), second(5.9))), 0},
		{"from the later to the earlier", readings(db.ListReadings("door", second(7), second(4))), 0},
		{"orders between", orders(db.ListOrders(id, milli(0), milli(2))), 3},
		{"orders from a little after the first", orders(db.ListOrders(id, milli(0.001), milli(2))), 2},
		{"orders up to a little before the last", orders(db.ListOrders(id, milli(0), milli(1.999))), 2},
		{"orders between two that nothing lies between", orders(db.ListOrders(id, milli(0.1), milli(0.9))), 0},
		{"orders from the later to the earlier", orders(db.ListOrders(id, milli(2), milli(0))), 0},
		{"orders after a little after the first", orders(db.ListOrdersSince(id, milli(0.001))), 2},
		{"orders before a little after the second", orders(db.ListOrdersUntil(id, milli(1.001), milli(0), milli(9))), 2},
		{"orders before the second", orders(db.ListOrdersUntil(id, milli(1), milli(0), milli(9))), 1},
		{"a filter from a little after the first", orders(db.ListOrdersUntil(id, milli(9), milli(0.001), milli(2))), 2},
		{"a filter up to a little before the last", orders(db.ListOrdersUntil(id, milli(9), milli(0), milli(1.999))), 2},
		{"a filter from the later to the earlier", orders(db.ListOrdersUntil(id, milli(9), milli(2), milli(0))), 0},
	} {
		if test.got != test.want {
			t.Errorf("%s: found %d, want %d", test.name, test.got, test.want)
		}
	}
	key := shopdb.OrderKey{OrderID: idAt(start)}
	if _, err := db.CancelLate(t.Context(), key, shopdb.CancelLateParams{Before: milli(0), Version: 1}); !errors.As(err, new(*access.ConditionError[shopdb.Order])) {
		t.Errorf("an order placed at an instant is not placed before it: %v", err)
	}
	must[shopdb.Order](t)(db.CancelLate(t.Context(), key, shopdb.CancelLateParams{Before: milli(0.001), Version: 1}))
}

// DynamoDB has no empty sets: who asks for one asks for items without the attribute.
func TestEmptySetsAreCompared(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	rack(t, db, 1)
	none := must[shopdb.Box](t)(db.AddBox(ctx, shopdb.Box{Zone: shopdb.BoxZoneCold, Number: 2, Content: []byte(`{"pens": 12}`)}))
	for _, test := range []struct {
		labels []string
		want   int64
	}{{nil, 2}, {[]string{}, 2}, {[]string{"glass"}, 1}} {
		found := must[[]shopdb.Box](t)(db.ListBoxesLike(shopdb.BoxZoneCold, test.labels, []byte(`{"pens": 12}`)).Slice(ctx))
		if len(found) != 1 || found[0].Number != test.want {
			t.Errorf("with the labels %q: found %+v, want box %d", test.labels, found, test.want)
		}
	}

	key := none.Key()
	_, err := db.MoveBox(ctx, key, shopdb.MoveBoxParams{Old: []int64{7}, Shelves: []int64{1}, Version: 1})
	as[*access.ConditionError[shopdb.Box]](t, err)
	moved := must[shopdb.Box](t)(db.MoveBox(ctx, key, shopdb.MoveBoxParams{Shelves: []int64{1, 2}, Version: 1}))
	if len(moved.Shelves) != 2 {
		t.Errorf("moved to %+v", moved)
	}
	_, err = db.MoveBox(ctx, key, shopdb.MoveBoxParams{Shelves: []int64{3}, Version: 2})
	as[*access.ConditionError[shopdb.Box]](t, err)
	must[shopdb.Box](t)(db.MoveBox(ctx, key, shopdb.MoveBoxParams{Old: []int64{2, 1}, Version: 2}))
	labelled := must[shopdb.Box](t)(db.Relabel(ctx, key, shopdb.RelabelParams{Labels: []string{"wood"}, Version: 3}))
	if len(labelled.Shelves) != 0 || len(labelled.Labels) != 1 {
		t.Errorf("labelled %+v", labelled)
	}

	// Every set differs from the empty one but that itself. No item at all has none.
	offer := must[shopdb.Offer](t)(db.AddOffer(ctx, shopdb.Offer{Title: "spring"}))
	err = db.EndOfferUnlike(ctx, offer.Key(), shopdb.EndOfferUnlikeParams{})
	as[*access.ConditionError[shopdb.Offer]](t, err)
	err = db.EndOfferOf(ctx, offer.Key(), shopdb.EndOfferOfParams{Skus: []string{"pen"}})
	as[*access.ConditionError[shopdb.Offer]](t, err)
	if err := db.EndOfferOf(ctx, offer.Key(), shopdb.EndOfferOfParams{}); err != nil {
		t.Fatal(err)
	}
	is(t, db.EndOfferOf(ctx, offer.Key(), shopdb.EndOfferOfParams{}), access.ErrNotFound)
}

// A delete on a condition tells that there is no item from one that is another.
func TestAConditionalDeleteOfNothing(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	coupon := must[shopdb.Coupon](t)(db.AddCoupon(ctx, shopdb.Coupon{Code: "TEN", Percent: 10}))
	err := db.RetireCoupon(ctx, coupon.Key(), shopdb.RetireCouponParams{Percent: 20})
	if e := as[*access.ConditionError[shopdb.Coupon]](t, err); e.Current == nil || errors.Is(err, access.ErrNotFound) {
		t.Errorf("got %v, with %+v", err, e.Current)
	}
	is(t, db.RetireCoupon(ctx, shopdb.CouponKey{Code: "NONE"}, shopdb.RetireCouponParams{Percent: 20}), access.ErrNotFound)
	tx := db.Tx()
	tx.RetireCoupon(shopdb.CouponKey{Code: "NONE"}, shopdb.RetireCouponParams{Percent: 20})
	is(t, tx.Commit(ctx), access.ErrNotFound)
}

// A stale version of what a pattern requires is told as one.
func TestAStaleVersionOfWhatIsRequired(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	setting := must[shopdb.Setting](t)(db.SaveSetting(ctx, shopdb.Setting{Name: "ten", Value: "unused"}))
	coupon, params := shopdb.Coupon{Code: "TEN", Percent: 10}, shopdb.AddCouponOnceParams{Name: "ten", Version: setting.Version + 5}
	_, err := db.AddCouponOnce(ctx, coupon, params)
	if e := as[*access.VersionError](t, err); e.Seen != setting.Version+5 || e.Have != setting.Version {
		t.Errorf("got %+v", e)
	}
	is(t, err, access.ErrRequired)
	params.Version = setting.Version
	must[shopdb.Coupon](t)(db.AddCouponOnce(ctx, coupon, params))
}
