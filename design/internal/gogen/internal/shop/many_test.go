package shop_test

import (
	"testing"

	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestGetsOfManyKeys(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	register(t, db, customer(2))
	place(t, db, order(1, idOfCustomer(1)))
	place(t, db, order(2, idOfCustomer(2)))
	ids := []string{idOfOrder(2), idOfOrder(9), idOfOrder(1), idOfOrder(2)}
	orders := must[[]*shopdb.Order](t)(db.GetOrders(ctx, ids))
	if len(orders) != 4 || orders[1] != nil || orders[0].OrderID != ids[0] || orders[2].OrderID != ids[2] || orders[3].OrderID != ids[3] {
		t.Errorf("orders are %+v", orders)
	}
	mine := must[[]*shopdb.Order](t)(db.GetMyOrders(ctx, ids, idOfCustomer(1)))
	if len(mine) != 4 || mine[0] != nil || mine[2] == nil || mine[3] != nil {
		t.Errorf("mine are %+v", mine)
	}
	if none := must[[]*shopdb.Order](t)(db.GetOrders(ctx, nil)); len(none) != 0 {
		t.Errorf("got %+v", none)
	}
	if lines := must[[]*shopdb.GetLinesRow](t)(db.GetLines(ctx, idOfOrder(1), []int64{1, 2})); len(lines) != 2 || lines[0] != nil {
		t.Errorf("lines are %+v", lines)
	}
	must[shopdb.Setting](t)(db.SaveSetting(ctx, shopdb.Setting{Name: "language", Value: "de"}))
	if defaults := must[[]*shopdb.Setting](t)(db.GetDefaults(ctx)); len(defaults) != 2 || defaults[0] != nil || defaults[1].Value != "de" {
		t.Errorf("defaults are %+v", defaults)
	}
}
