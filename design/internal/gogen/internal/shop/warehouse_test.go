package shop_test

import (
	"errors"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

// rack is a cold rack with boxes 1 to n.
func rack(t *testing.T, db *shopdb.DB, n int64) {
	t.Helper()
	must[shopdb.Rack](t)(db.AddRack(t.Context(), shopdb.Rack{Zone: shopdb.RackZoneCold}))
	for number := int64(1); number <= n; number++ {
		must[shopdb.Box](t)(db.AddBox(t.Context(), shopdb.Box{
			Zone: shopdb.BoxZoneCold, Number: number, Labels: []string{"glass"}, Content: []byte(`{"pens": 12}`),
		}))
	}
}

// A counter may be found by an enum: both entities have a Go type of it. A collect that
// finds more than its limit says so, and returns what fits.
func TestCollectUpToItsLimit(t *testing.T) {
	db := shopdbtest.New(t)
	rack(t, db, 2)
	found := must[shopdb.LoadRackResult](t)(db.LoadRack(t.Context(), shopdb.RackZoneCold))
	if len(found.Racks) != 1 || found.Racks[0].Boxes != 2 || len(found.Boxes) != 2 {
		t.Errorf("found %+v", found)
	}
	must[shopdb.Box](t)(db.AddBox(t.Context(), shopdb.Box{Zone: shopdb.BoxZoneCold, Number: 9}))
	found, err := db.LoadRack(t.Context(), shopdb.RackZoneCold)
	is(t, err, access.ErrTruncated)
	if len(found.Racks)+len(found.Boxes) != 3 {
		t.Errorf("beside ErrTruncated there is %+v, want 3 items", found)
	}
}

// A list may name whole items, and compare sets and JSON.
func TestListOfWholeKeysAndFilters(t *testing.T) {
	db := shopdbtest.New(t)
	rack(t, db, 3)
	for _, test := range []struct {
		name string
		list access.List[shopdb.Box]
		want int
	}{
		{"one", db.FindBox(shopdb.BoxZoneCold, 2), 1},
		{"none", db.FindBox(shopdb.BoxZoneWarm, 2), 0},
		{"some", db.FindBoxes(shopdb.BoxZoneCold, []int64{1, 3, 7}), 2},
		{"no numbers", db.FindBoxes(shopdb.BoxZoneCold, nil), 0},
		{"like", db.ListBoxesLike(shopdb.BoxZoneCold, []string{"glass"}, []byte(`{"pens": 12}`)), 3},
		{"unlike", db.ListBoxesLike(shopdb.BoxZoneCold, []string{"wood"}, []byte(`{"pens": 12}`)), 0},
	} {
		n := 0
		for _, err := range test.list.All(t.Context()) {
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			n++
		}
		if n != test.want {
			t.Errorf("%s: %d boxes, want %d", test.name, n, test.want)
		}
	}
	for _, err := range db.ListBoxesLike(shopdb.BoxZoneCold, []string{"glass"}, []byte("{")).All(t.Context()) {
		if err == nil {
			t.Error("a filter by what is no JSON found something")
		}
	}
}

// What a pattern requires of another item is no answer about its own.
func TestRequirementSaysWhatItNeeds(t *testing.T) {
	db := shopdbtest.New(t)
	c, o := customer(1), order(1, "")
	c.CustomerID = access.NewULID(c.JoinedAt)
	o.OrderID, o.CustomerID = access.NewULID(o.PlacedAt), c.CustomerID
	c = register(t, db, c)
	must[shopdb.Customer](t)(db.Block(t.Context(), shopdb.CustomerKey{CustomerID: c.CustomerID}, shopdb.BlockParams{JoinedAt: c.JoinedAt, Version: c.Version}))
	err := db.PlaceOrder(t.Context(), shopdb.PlaceOrderParams{Order: o, Lines: lines(o.OrderID, 1)})
	is(t, err, access.ErrRequired)
	if errors.Is(err, access.ErrNotFound) || errors.Is(err, access.ErrExists) {
		t.Errorf("%v is taken for an answer about the order", err)
	}
	if !strings.Contains(err.Error(), "status = active") {
		t.Errorf("%v does not say what it needs", err)
	}
}

// A put may ask for a version that the design states.
func TestPutOfAStatedVersion(t *testing.T) {
	db := shopdbtest.New(t)
	if _, err := db.ResetSetting(t.Context(), shopdb.Setting{Name: "theme", Value: "dark"}); err == nil {
		t.Fatal("there is no setting of version 0 yet, and it was replaced")
	} else if !strings.Contains(err.Error(), "version = 0") {
		t.Errorf("%v does not say what it needs", err)
	}
}

// Each item of a repeated action has a key of its own, though another action names it too.
func TestRepeatedDeleteBesideACreate(t *testing.T) {
	db := shopdbtest.New(t)
	for _, code := range []string{"A", "B"} {
		must[shopdb.Coupon](t)(db.AddCoupon(t.Context(), shopdb.Coupon{Code: code, Percent: 5}))
	}
	if err := db.SwapCoupons(t.Context(), shopdb.SwapCouponsParams{
		Coupon2: shopdb.Coupon{Code: "C", Percent: 10}, Coupons: []shopdb.SwapCouponsCoupon{{Code: "A"}, {Code: "B"}},
	}); err != nil {
		t.Fatal(err)
	}
	left := must[[]shopdb.Coupon](t)(db.GetCouponBatch(t.Context(), []shopdb.CouponKey{{Code: "A"}, {Code: "B"}, {Code: "C"}}))
	if len(left) != 1 || left[0].Code != "C" {
		t.Errorf("%v is left, want C", left)
	}
}
