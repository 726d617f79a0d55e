package shop_test

import (
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestSnapshotReadsItemsOfSeveralEntities(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	buyer := register(t, db, customer(1))
	placed := order(1, buyer.CustomerID)
	if err := db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: placed}); err != nil {
		t.Fatal(err)
	}
	receipt := must[shopdb.GetReceiptResult](t)(db.GetReceipt(ctx, placed.OrderID, buyer.CustomerID))
	if receipt.Order == nil || receipt.Order.OrderID != placed.OrderID || receipt.Buyer == nil {
		t.Fatalf("got %+v", receipt)
	}
	if b := receipt.Buyer; b.Name != buyer.Name || b.Card != buyer.Card || b.Spent.Cmp(placed.Total) != 0 {
		t.Errorf("the buyer is %+v, and the order costs %v", b, placed.Total)
	}
}

func TestSnapshotLeavesMissingItemsNil(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	buyer, other := register(t, db, customer(1)), register(t, db, customer(2))
	placed := order(1, buyer.CustomerID)
	if err := db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: placed}); err != nil {
		t.Fatal(err)
	}
	// The order exists, but is of another customer.
	receipt := must[shopdb.GetReceiptResult](t)(db.GetReceipt(ctx, placed.OrderID, other.CustomerID))
	if receipt.Order != nil || receipt.Buyer == nil || receipt.Buyer.Name != other.Name {
		t.Errorf("got %+v, %+v", receipt.Order, receipt.Buyer)
	}
	receipt = must[shopdb.GetReceiptResult](t)(db.GetReceipt(ctx, placed.OrderID, access.NewULID(start)))
	if receipt.Order != nil || receipt.Buyer != nil {
		t.Errorf("got %+v, %+v", receipt.Order, receipt.Buyer)
	}
}

func TestSnapshotRejectsOneItemTwice(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	for _, sku := range []string{"lamp", "desk"} {
		_ = must[shopdb.Product](t)(db.AddProduct(ctx, shopdb.Product{Sku: sku, Title: sku}))
	}
	day := access.DateOf(start)
	found := must[shopdb.CompareProductsResult](t)(db.CompareProducts(ctx, "lamp", "desk", day))
	if found.Left == nil || found.Left.Sku != "lamp" || found.Right == nil || found.Right.Sku != "desk" || found.Visit != nil {
		t.Errorf("got %+v", found)
	}
	_, err := db.CompareProducts(ctx, "lamp", "lamp", day)
	is(t, err, access.ErrTwice)
	_, err = db.CompareProducts(ctx, "lamp", "", day)
	if err == nil {
		t.Error("an empty key was sent")
	}
}
