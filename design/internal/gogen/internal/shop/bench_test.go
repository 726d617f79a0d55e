package shop_test

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
)

func benchOrder() shopdb.Order {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	return shopdb.Order{
		OrderID: access.NewULID(at), CustomerID: access.NewULID(at), Status: shopdb.OrderStatusPaid, Total: "12.50", PlacedAt: at,
		DueAt: &at, Note: new("leave it at the door"), Tags: []string{"gift", "fragile"}, Lines: 3, Version: 7,
	}
}

func BenchmarkEncodeOrder(b *testing.B) {
	order := benchOrder()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := order.Item(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeOrder(b *testing.B) {
	item, err := benchOrder().Item()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := shopdb.OrderFromItem(item); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuildUpdate makes an update whose clauses depend on values, without sending it.
func BenchmarkBuildUpdate(b *testing.B) {
	db := shopdb.New(nil)
	order := benchOrder()
	b.ReportAllocs()
	for b.Loop() {
		db.Tx().Reschedule(order.Key(), order.DueAt, order.CustomerID, shopdb.RescheduleParams{Note: order.Note, Tags: order.Tags, Status: order.Status, Version: 7})
	}
}

// BenchmarkBuildTransaction makes the writes of a transaction, without sending them.
func BenchmarkBuildTransaction(b *testing.B) {
	db := shopdb.New(nil)
	order := benchOrder()
	lines := []shopdb.Line{{OrderID: order.OrderID, Number: 1, Sku: "a", Quantity: 1}, {OrderID: order.OrderID, Number: 2, Sku: "b", Quantity: 2}}
	b.ReportAllocs()
	for b.Loop() {
		db.Tx().PlaceOrder(shopdb.PlaceOrderParams{Order: order, Lines: lines})
	}
}
