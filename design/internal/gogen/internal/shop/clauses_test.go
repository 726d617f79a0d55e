package shop_test

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestConditionWithAlternatives(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)))
	key := shopdb.OrderKey{OrderID: idOfOrder(1)}
	annotate := func(version int64, least access.Decimal) (shopdb.Order, error) {
		return db.Annotate(ctx, key, shopdb.AnnotateParams{Note: new("fragile"), Version: version, Least: least})
	}
	o := must[shopdb.Order](t)(annotate(1, "100")) // it is open
	must[shopdb.Order](t)(db.Pay(ctx, key, shopdb.PayParams{Version: o.Version}))
	_, err := annotate(3, "100") // it is paid, costs less, and has a note
	if e := as[*access.ConditionError[shopdb.Order]](t, err); e.Current == nil || e.Current.Status != shopdb.OrderStatusPaid {
		t.Errorf("got %v, with %+v", err, e.Current)
	}
	must[shopdb.Order](t)(annotate(3, "10"))
}

func TestFilterWithAlternatives(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	due, undated, overdue := order(1, idOfCustomer(1)), order(2, idOfCustomer(1)), order(3, idOfCustomer(1))
	undated.DueAt, undated.Note = nil, new("call")
	overdue.DueAt = new(overdue.PlacedAt.Add(-time.Hour))
	for _, o := range []shopdb.Order{due, undated, overdue} {
		place(t, db, o)
	}
	for name, list := range map[string]struct {
		list access.List[shopdb.Order]
		want int
	}{
		"by time":            {db.ListUrgent(idOfCustomer(1), start.AddDate(1, 0, 0), "none"), 2},
		"without a time":     {db.ListUrgent(idOfCustomer(1), start.AddDate(-1, 0, 0), "call"), 1},
		"of two attributes":  {db.ListOverdue(idOfCustomer(1)), 1},
		"of another's order": {db.ListOverdue(idOfCustomer(2)), 0},
	} {
		if got := must[[]shopdb.Order](t)(list.list.Slice(ctx)); len(got) != list.want {
			t.Errorf("%s: %d orders, want %d", name, len(got), list.want)
		}
	}
}
