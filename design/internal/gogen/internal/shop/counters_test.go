package shop_test

import (
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestCountersStayWithinTheirBounds(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	for n := range 3 {
		place(t, db, order(n, idOfCustomer(1)))
	}
	err := db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: order(3, idOfCustomer(1))})
	e := as[*access.ConditionError[shopdb.Customer]](t, reason(t, err, "requires Customer, counter Customer.orders, counter Customer.spent"))
	if e.Current == nil || e.Current.Orders != 3 {
		t.Errorf("got %+v", e)
	}
	_, err = db.GetOrder(ctx, idOfOrder(3))
	is(t, err, access.ErrNotFound)
	c := must[shopdb.Customer](t)(db.GetCustomer(ctx, idOfCustomer(1)))
	if c.Orders != 3 || c.Spent != "59.97" || c.Version != 1 {
		t.Errorf("counted %+v", c)
	}
}

func TestCountersGoDownWithWhatTheyCount(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)))
	key := shopdb.OrderKey{OrderID: idOfOrder(1)}
	gone := shopdb.DeleteOrderParams{Version: 1, CustomerID: idOfCustomer(1), SpentChange: "-19.99"}
	err := db.DeleteOrder(ctx, key, gone)
	as[*access.ConditionError[shopdb.Order]](t, reason(t, err, "delete Order")) // it is open
	if _, err := db.Cancel(ctx, key, shopdb.CancelParams{Version: 1}); err != nil {
		t.Fatal(err)
	}
	gone.Version = 2
	if err := db.DeleteOrder(ctx, key, gone); err != nil {
		t.Fatal(err)
	}
	if c := must[shopdb.Customer](t)(db.GetCustomer(ctx, idOfCustomer(1))); c.Orders != 0 || c.Spent != "0" {
		t.Errorf("counted %+v", c)
	}
	err = db.DeleteOrder(ctx, key, gone)
	is(t, reason(t, err, "delete Order"), access.ErrNotFound)
}

func TestRequirements(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	if _, err := db.AddCoupon(ctx, shopdb.Coupon{Code: "half", Percent: 50}); err != nil {
		t.Fatal(err)
	}
	placed := must[shopdb.Order](t)(db.PlaceWithCoupon(ctx, order(1, idOfCustomer(1)), shopdb.PlaceWithCouponParams{Code: "HALF"}))
	if placed.Status != shopdb.OrderStatusOpen || placed.Version != 1 {
		t.Errorf("placed %+v", placed)
	}
	_, err := db.PlaceWithCoupon(ctx, order(2, idOfCustomer(1)), shopdb.PlaceWithCouponParams{Code: "HALF"})
	is(t, reason(t, err, "requires Coupon"), access.ErrRequired) // it was used up
	err = db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: order(2, "nobody")})
	is(t, reason(t, err, "requires Customer, counter Customer.orders, counter Customer.spent"), access.ErrRequired)
	if _, err := db.Block(ctx, c.Key(), shopdb.BlockParams{Version: 1, JoinedAt: c.JoinedAt}); err != nil {
		t.Fatal(err)
	}
	err = db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: order(2, idOfCustomer(1))})
	as[*access.ConditionError[shopdb.Customer]](t, reason(t, err, "requires Customer, counter Customer.orders, counter Customer.spent"))
}

func TestRepeatedActionsAreCounted(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	place(t, db, order(1, idOfCustomer(1)), lines(idOfOrder(1), 1, 2, 3)...)
	count := func(want int64) {
		t.Helper()
		if o := must[shopdb.Order](t)(db.GetOrder(ctx, idOfOrder(1))); o.Lines != want {
			t.Errorf("counted %d lines, want %d", o.Lines, want)
		}
	}
	count(3)
	if err := db.AddLines(ctx, shopdb.AddLinesParams{Lines: lines(idOfOrder(1), 4, 5, 6, 7, 8, 9, 10)}); err != nil {
		t.Fatal(err) // more than the design thinks usual
	}
	count(10)
	err := db.AddLines(ctx, shopdb.AddLinesParams{Lines: append(lines(idOfOrder(1), 11), lines(idOfOrder(2), 1)...)})
	if e := as[*access.KeyError](t, err); e.Attribute != "order_id" {
		t.Errorf("got %+v", e)
	}
	err = db.AddLines(ctx, shopdb.AddLinesParams{Lines: lines(idOfOrder(1), 11, 1)})
	is(t, reason(t, err, "create Line"), access.ErrExists)
	if err := db.AddLines(ctx, shopdb.AddLinesParams{}); err == nil {
		t.Error("a transaction of nothing was done")
	}
	if err := db.AddLines(ctx, shopdb.AddLinesParams{Lines: lines(idOfOrder(1), many(11, 111)...)}); err == nil {
		t.Error("a transaction of 101 actions was done")
	}
	count(10)
}

func many(from, to int64) []int64 {
	var all []int64
	for n := from; n < to; n++ {
		all = append(all, n)
	}
	return all
}

func TestSpreadCounters(t *testing.T) {
	db, memory := shopdbtest.Open(t)
	ctx := t.Context()
	if _, err := db.AddProduct(ctx, shopdb.Product{Sku: "pen", Title: "Pen", Price: "1"}); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if _, err := db.LikeProduct(ctx, shopdb.Like{Sku: "pen", CustomerID: customer(n).CustomerID, At: start}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.UnlikeProduct(ctx, shopdb.LikeKey{Sku: "pen", CustomerID: idOfCustomer(1)}); err != nil {
		t.Fatal(err)
	}
	err := db.UnlikeProduct(ctx, shopdb.LikeKey{Sku: "pen", CustomerID: idOfCustomer(1)})
	is(t, reason(t, err, "delete Like"), access.ErrNotFound)

	found := must[shopdb.LoadProductResult](t)(db.LoadProduct(ctx, "pen"))
	if len(found.Products) != 1 || len(found.Likes) != 19 {
		t.Errorf("collected %d products and %d likes", len(found.Products), len(found.Likes))
	}
	out, err := memory.API().Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("shop"), KeyConditionExpression: aws.String("PK = :p AND begins_with(SK, :s)"),
		ExpressionAttributeValues: access.Item{":p": marshal.S("PRODUCT#pen"), ":s": marshal.S("PRODUCT#likes#")},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, row := range out.Items {
		n, err := strconv.Atoi(row["likes"].(*types.AttributeValueMemberN).Value)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if sum != 19 || len(out.Items) > 4 {
		t.Errorf("%d rows add up to %d", len(out.Items), sum)
	}
	for sku, want := range map[string]int64{"pen": 19, "ink": 0} {
		if got := must[int64](t)(db.SumProductLikes(ctx, shopdb.ProductKey{Sku: sku})); got != want {
			t.Errorf("%s is liked %d times, want %d", sku, got, want)
		}
	}
}

func TestConditionsOnOneItem(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := shopdb.ProductKey{Sku: "pen"}
	if _, err := db.AddProduct(ctx, shopdb.Product{Sku: "pen", Title: "Pen", Stock: 5, Price: "1"}); err != nil {
		t.Fatal(err)
	}
	if p := must[shopdb.Product](t)(db.TakeStock(ctx, key, shopdb.TakeStockParams{Change: -4, Needed: 4})); p.Stock != 1 {
		t.Errorf("left %d", p.Stock)
	}
	_, err := db.TakeStock(ctx, key, shopdb.TakeStockParams{Change: -4, Needed: 4})
	e := as[*access.ConditionError[shopdb.Product]](t, err)
	if e.Pattern != "TakeStock" || e.Current == nil || e.Current.Stock != 1 {
		t.Errorf("got %+v", e)
	}
	_, err = db.TakeStock(ctx, shopdb.ProductKey{Sku: "ink"}, shopdb.TakeStockParams{})
	is(t, err, access.ErrNotFound)
}

func TestCountersLeaveTheVersionAlone(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	place(t, db, order(1, c.CustomerID), lines(idOfOrder(1), 1)...)
	read := must[shopdb.Order](t)(db.GetOrder(ctx, idOfOrder(1)))
	if err := db.AddLines(ctx, shopdb.AddLinesParams{Lines: lines(idOfOrder(1), 2, 3)}); err != nil {
		t.Fatal(err)
	}
	paid := must[shopdb.Order](t)(db.Pay(ctx, read.Key(), shopdb.PayParams{Version: read.Version}))
	if paid.Lines != 3 || paid.Version != read.Version+1 {
		t.Errorf("paid %+v, which was read as %+v", paid, read)
	}
	if counted := must[shopdb.Customer](t)(db.GetCustomer(ctx, c.CustomerID)); counted.Orders != 1 || counted.Version != c.Version {
		t.Errorf("counted %+v", counted)
	}
}
