package shop_test

import (
	"slices"
	"testing"

	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

// The methods of scans read the items of one entity among those of others, rows of guards and
// shards of counters.
func TestScansReadOneEntity(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	for n := range 9 {
		c := register(t, db, customer(n+1))
		if n%3 == 0 {
			must[shopdb.Customer](t)(db.Block(ctx, c.Key(), shopdb.BlockParams{Version: 1, JoinedAt: c.JoinedAt}))
		}
	}
	place(t, db, order(1, idOfCustomer(2)))
	must[shopdb.Product](t)(db.AddProduct(ctx, shopdb.Product{Sku: "pen", Title: "Pen", Price: "1"}))
	must[shopdb.Coupon](t)(db.AddCoupon(ctx, shopdb.Coupon{Code: "FIVE", Percent: 5}))
	must[shopdb.Coupon](t)(db.AddCoupon(ctx, shopdb.Coupon{Code: "HALF", Percent: 50}))

	var active []string
	for cursor := ""; ; {
		page, err := db.ExportCustomers(shopdb.CustomerStatusActive).PageSize(2).Page(ctx, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			active = append(active, c.Name)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	slices.Sort(active)
	if want := []string{"Customer 2", "Customer 3", "Customer 5", "Customer 6", "Customer 8", "Customer 9"}; !slices.Equal(active, want) {
		t.Errorf("active are %v", active)
	}
	if n := must[int64](t)(db.ExportCustomers(shopdb.CustomerStatusBlocked).Count(ctx)); n != 3 {
		t.Errorf("%d are blocked", n)
	}
	products := must[[]shopdb.AllProductsRow](t)(db.AllProducts().Slice(ctx))
	if want := []shopdb.AllProductsRow{{Sku: "pen", Title: "Pen"}}; !slices.Equal(products, want) {
		t.Errorf("products are %v", products)
	}
	coupons := must[[]shopdb.Coupon](t)(db.ListCouponsFrom(10).Slice(ctx))
	if len(coupons) != 1 || coupons[0].Code != "HALF" {
		t.Errorf("coupons are %v", coupons)
	}
}

func TestScanKeepsItsLimit(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	for n := range 12 {
		must[shopdb.Photo](t)(db.SavePhoto(ctx, shopdb.Photo{Digest: []byte{1, byte(n)}, Width: int64(n)}))
	}
	if photos := must[[]shopdb.Photo](t)(db.AllPhotos().Slice(ctx)); len(photos) != 10 {
		t.Errorf("%d photos", len(photos))
	}
	if photos := must[[]shopdb.Photo](t)(db.AllPhotos().Limit(0).Slice(ctx)); len(photos) != 12 {
		t.Errorf("%d photos without a limit", len(photos))
	}
}
