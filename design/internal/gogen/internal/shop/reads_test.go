package shop_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestGetComparesWhatTheKeyDoesNotHold(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)))
	if o := must[shopdb.Order](t)(db.GetOrderOf(ctx, idOfOrder(1), idOfCustomer(1))); o.OrderID != idOfOrder(1) {
		t.Errorf("got %+v", o)
	}
	_, err := db.GetOrderOf(ctx, idOfOrder(1), idOfCustomer(2))
	is(t, err, access.ErrNotFound)
	if row := must[shopdb.GetOrderStateRow](t)(db.GetOrderState(ctx, idOfOrder(1), idOfCustomer(1))); row.Status != shopdb.OrderStatusOpen {
		t.Errorf("got %+v", row)
	}
	_, err = db.GetOrderState(ctx, idOfOrder(1), idOfCustomer(2))
	is(t, err, access.ErrNotFound)

	must[shopdb.Customer](t)(db.GetActiveCustomer(ctx, idOfCustomer(1)))
	must[shopdb.Customer](t)(db.Block(ctx, c.Key(), shopdb.BlockParams{Version: 1, JoinedAt: c.JoinedAt}))
	_, err = db.GetActiveCustomer(ctx, idOfCustomer(1))
	is(t, err, access.ErrNotFound)
}

func TestAnIndexFollowsEveryUpdate(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	listed := func(status shopdb.CustomerStatus) int {
		return len(must[[]shopdb.Customer](t)(db.ListCustomersByStatus(status).Slice(ctx)))
	}
	c := register(t, db, customer(1))
	must[shopdb.Customer](t)(db.Block(ctx, c.Key(), shopdb.BlockParams{Version: 1, JoinedAt: c.JoinedAt}))
	if a, b := listed(shopdb.CustomerStatusActive), listed(shopdb.CustomerStatusBlocked); a != 0 || b != 1 {
		t.Errorf("%d active and %d blocked are listed", a, b)
	}
}

func TestSparseIndexKeys(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)))
	without := order(2, idOfCustomer(1))
	without.DueAt = nil
	place(t, db, without)
	due := func(now time.Time) []shopdb.ListDueRow {
		t.Helper()
		return must[[]shopdb.ListDueRow](t)(db.ListDue(now).Slice(ctx))
	}
	far := start.AddDate(1, 0, 0)
	want := shopdb.ListDueRow{OrderID: idOfOrder(1), CustomerID: idOfCustomer(1), Status: shopdb.OrderStatusOpen}
	got := due(far)
	if len(got) != 1 || got[0].DueAt == nil || !got[0].DueAt.Equal(start.Add(24*time.Hour)) {
		t.Fatalf("due is %+v", got)
	}
	got[0].DueAt = nil
	if got[0] != want {
		t.Errorf("read back %+v, want %+v", got[0], want)
	}
	// An update that gives the other one a date puts it in.
	two := shopdb.OrderKey{OrderID: idOfOrder(2)}
	params := shopdb.RescheduleParams{Note: new("soon"), Tags: []string{"gift"}, Version: 1, Status: shopdb.OrderStatusOpen}
	o := must[shopdb.Order](t)(db.Reschedule(ctx, two, new(start), idOfCustomer(1), params))
	if !slices.Equal(o.Tags, []string{"gift"}) {
		t.Errorf("tags are %v", o.Tags)
	}
	if got := due(start); len(got) != 1 || got[0].OrderID != idOfOrder(2) {
		t.Errorf("due now is %+v", got)
	}
	// One that moves the date moves it, and an empty set is none.
	params.Version, params.Tags = 2, nil
	o = must[shopdb.Order](t)(db.Reschedule(ctx, two, new(start.Add(time.Hour)), idOfCustomer(1), params))
	if o.Tags != nil || len(due(start)) != 0 || len(due(start.Add(time.Hour))) != 1 {
		t.Errorf("rescheduled %+v", o)
	}
	// What is shipped is due no more.
	must[shopdb.Order](t)(db.Pay(ctx, two, shopdb.PayParams{Version: 3}))
	must[shopdb.Order](t)(db.Ship(ctx, two, shopdb.ShipParams{Version: 4}))
	if got := due(far); len(got) != 1 || got[0].OrderID != idOfOrder(1) {
		t.Errorf("due is %+v", got)
	}
	_, err := db.Ship(ctx, two, shopdb.ShipParams{Version: 5})
	as[*access.ConditionError[shopdb.Order]](t, err)
}

func ids(orders []shopdb.Order) []string {
	var all []string
	for _, o := range orders {
		all = append(all, o.OrderID)
	}
	return all
}

func TestRangesAndOrder(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	for n := range 3 {
		place(t, db, order(n, idOfCustomer(1)))
	}
	at := func(n int) time.Time { return order(n, "").PlacedAt }
	got := ids(must[[]shopdb.Order](t)(db.ListOrders(idOfCustomer(1), at(1), at(2)).Slice(ctx)))
	if !slices.Equal(got, []string{idOfOrder(2), idOfOrder(1)}) {
		t.Errorf("between: %v", got)
	}
	got = ids(must[[]shopdb.Order](t)(db.ListOrdersSince(idOfCustomer(1), at(1)).Slice(ctx)))
	if !slices.Equal(got, []string{idOfOrder(2)}) {
		t.Errorf("after: %v", got)
	}
	if first := must[shopdb.Order](t)(db.ListOrdersSince(idOfCustomer(1), at(0).Add(-1)).First(ctx)); first.OrderID != idOfOrder(0) {
		t.Errorf("first: %s", first.OrderID)
	}
}

func TestFiltersByLists(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)))
	place(t, db, order(2, idOfCustomer(1)))
	must[shopdb.Order](t)(db.Pay(ctx, shopdb.OrderKey{OrderID: idOfOrder(2)}, shopdb.PayParams{Version: 1}))
	find := func(least access.Decimal, states ...shopdb.OrderStatus) []string {
		t.Helper()
		return ids(must[[]shopdb.Order](t)(db.ListOrdersInStates(idOfCustomer(1), states, least).Slice(ctx)))
	}
	if got := find("0", shopdb.OrderStatusPaid); !slices.Equal(got, []string{idOfOrder(2)}) {
		t.Errorf("paid: %v", got)
	}
	if got := find("0", shopdb.OrderStatusOpen, shopdb.OrderStatusPaid); !slices.Equal(got, []string{idOfOrder(1), idOfOrder(2)}) {
		t.Errorf("open or paid: %v", got)
	}
	if got := find("20", shopdb.OrderStatusOpen); got != nil {
		t.Errorf("expensive: %v", got)
	}
	if got := find("0"); got != nil || len(db.ListOrdersInStates(idOfCustomer(1), nil, "0").Requests()) != 0 {
		t.Errorf("of no state: %v", got)
	}
}

func TestFanOutIsInOrder(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	var customers []string
	for n := range 4 {
		register(t, db, customer(n))
		customers = append(customers, customer(n).CustomerID)
	}
	for n := range 8 {
		place(t, db, order(n, customers[n%4]))
	}
	want := []string{idOfOrder(0), idOfOrder(1), idOfOrder(2), idOfOrder(3), idOfOrder(4), idOfOrder(5), idOfOrder(6), idOfOrder(7)}
	list := db.ListOrdersOfMany(customers)
	if got := ids(must[[]shopdb.Order](t)(list.Slice(ctx))); !slices.Equal(got, want) {
		t.Errorf("merged to %v", got)
	}
	var paged []string
	for cursor := ""; ; {
		page := must[access.Page[shopdb.Order]](t)(list.PageSize(3).Page(ctx, cursor))
		paged = append(paged, ids(page.Items)...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(paged, want) {
		t.Errorf("paged through %v", paged)
	}
	if got := must[[]shopdb.Order](t)(db.ListOrdersOfMany(nil).Slice(ctx)); len(got) != 0 {
		t.Errorf("of nobody: %v", got)
	}
	page := must[access.Page[shopdb.Order]](t)(list.PageSize(3).Page(ctx, ""))
	_, err := db.ListOrdersOfMany(customers[:2]).Page(ctx, page.Next)
	is(t, err, access.ErrBadCursor)
	_, err = db.ListOrdersSince(idOfCustomer(1), start).Page(ctx, page.Next)
	is(t, err, access.ErrBadCursor)
}

func TestCollect(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)), lines(idOfOrder(1), 3, 1, 2)...)
	found := must[shopdb.LoadOrderResult](t)(db.LoadOrder(ctx, idOfOrder(1)))
	if len(found.Orders) != 1 || len(found.Lines) != 3 || found.Lines[0].Number != 1 || found.Lines[2].Number != 3 {
		t.Errorf("collected %+v", found)
	}
	if found := must[shopdb.LoadOrderResult](t)(db.LoadOrder(ctx, "none")); found.Orders != nil || found.Lines != nil {
		t.Errorf("collected %+v", found)
	}
}

func TestNaturalKeys(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	var readings []shopdb.Reading
	for n := range 30 {
		readings = append(readings, shopdb.Reading{
			Sensor: "a#1", At: start.Add(time.Duration(n) * time.Second), Room: "hall", Day: "2026-02-17", Value: float64(n) - 9.5,
		})
	}
	if err := db.RecordBatch(ctx, readings); err != nil {
		t.Fatal(err)
	}
	list := db.ListReadings("a#1", start.Add(5*time.Second), start.Add(24*time.Second))
	var seen []int64
	for cursor, pages := "", 0; ; pages++ {
		page := must[access.Page[shopdb.Reading]](t)(list.PageSize(7).Page(ctx, cursor))
		for _, r := range page.Items {
			seen = append(seen, r.At.Unix()-start.Unix())
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(seen, many(5, 25)) {
		t.Errorf("paged through %v", seen)
	}
	hottest := must[[]shopdb.Reading](t)(db.ListHottest("hall", "2026-02-17", 18.5).Slice(ctx))
	if len(hottest) != 2 || hottest[0].Value != 19.5 || hottest[1].Value != 18.5 {
		t.Errorf("hottest are %+v", hottest)
	}
	cold := must[[]shopdb.Reading](t)(db.ListHottest("hall", "2026-02-17", -100).Slice(ctx))
	if len(cold) != 10 {
		t.Errorf("the limit lets %d through", len(cold))
	}
	photo := shopdb.Photo{Digest: []byte{0, 255, 7}, Width: 9}
	must[shopdb.Photo](t)(db.SavePhoto(ctx, photo))
	if got := must[shopdb.Photo](t)(db.GetPhoto(ctx, photo.Digest)); got.Width != 9 {
		t.Errorf("got %+v", got)
	}
}

func TestBatches(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	var coupons []shopdb.Coupon
	var keys []shopdb.CouponKey
	for n := range 120 {
		c := shopdb.Coupon{Code: fmt.Sprintf("C%03d", n), Percent: int64(n)}
		coupons, keys = append(coupons, c), append(keys, c.Key())
	}
	if err := db.AddCouponBatch(ctx, coupons); err != nil {
		t.Fatal(err)
	}
	if err := db.RemoveCouponBatch(ctx, keys[:60]); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(keys)
	got := must[[]shopdb.Coupon](t)(db.GetCouponBatch(ctx, keys))
	slices.Reverse(got)
	if !slices.Equal(got, coupons[60:]) {
		t.Errorf("left %v", got)
	}
	err := db.AddCouponBatch(ctx, []shopdb.Coupon{coupons[0], coupons[0]})
	is(t, err, access.ErrTwice)
	if got := must[[]shopdb.Coupon](t)(db.GetCouponBatch(ctx, nil)); len(got) != 0 {
		t.Errorf("of no keys: %v", got)
	}
}

func TestTx(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	tx := db.Tx()
	if two := tx.Register(customer(2)); two.Version != 1 {
		t.Errorf("will store %+v", two)
	}
	tx.ChangeCard(c.Key(), shopdb.ChangeCardParams{Card: "5000", Version: 1})
	tx.AddCoupon(shopdb.Coupon{Code: "X"})
	if tx.Len() != 4 {
		t.Errorf("%d actions", tx.Len())
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	is(t, tx.Commit(ctx), access.ErrUsed)
	must[shopdb.Customer](t)(db.GetCustomer(ctx, idOfCustomer(2)))

	tx = db.Tx()
	tx.AddCoupon(shopdb.Coupon{Code: "Y"})
	tx.ChangeCard(c.Key(), shopdb.ChangeCardParams{Card: "6000", Version: 1})
	err := tx.Commit(ctx)
	as[*access.VersionError](t, reason(t, err, "update Customer"))
	if e := as[*access.TxError](t, err); e.Pattern != "AddCoupon + ChangeCard" {
		t.Errorf("pattern is %s", e.Pattern)
	}
	_, err = db.GetCoupon(ctx, "Y")
	is(t, err, access.ErrNotFound) // nothing of it was done

	tx = db.Tx()
	tx.AddCoupon(shopdb.Coupon{Code: "z"})
	tx.RemoveCoupon(shopdb.CouponKey{Code: "Z"})
	is(t, tx.Commit(ctx), access.ErrTwice)
}
