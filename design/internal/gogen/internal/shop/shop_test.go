// Package shop runs the methods generated from shop.design.yaml against the engine, as
// programs do. It has nothing but tests: what they call is in shopdb, which is generated
// and which nobody else uses.
package shop_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

var start = time.Date(2026, 2, 17, 10, 0, 0, 0, time.UTC)

func customer(n int) shopdb.Customer {
	return shopdb.Customer{
		CustomerID: idOfCustomer(n), Email: fmt.Sprintf("c%d@example.com", n), Name: fmt.Sprintf("Customer %d", n),
		Card: fmt.Sprintf("4000-%d", n), JoinedAt: start.Add(time.Duration(n) * time.Hour),
	}
}

func order(n int, customerID string) shopdb.Order {
	return shopdb.Order{
		OrderID: idOfOrder(n), CustomerID: customerID, Total: access.Decimal("19.99"),
		PlacedAt: start.Add(time.Duration(n) * time.Minute), DueAt: new(start.Add(time.Duration(n) * 24 * time.Hour)),
	}
}

// The ids of customers and orders say when they were made, as the design wants.
func idOfCustomer(n int) string { return idAt(start.Add(time.Duration(n) * time.Hour)) }
func idOfOrder(n int) string    { return idAt(start.Add(time.Duration(n) * time.Minute)) }

// idAt is always the same ulid of an instant.
func idAt(at time.Time) string { return access.NewULID(at)[:10] + "0123456789ABCDEF" }

func lines(orderID string, numbers ...int64) []shopdb.Line {
	var all []shopdb.Line
	for _, n := range numbers {
		all = append(all, shopdb.Line{OrderID: orderID, Number: n, Sku: "pen", Quantity: n})
	}
	return all
}

// must returns a result that has no error.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func register(t *testing.T, db *shopdb.DB, c shopdb.Customer) shopdb.Customer {
	t.Helper()
	return must[shopdb.Customer](t)(db.Register(t.Context(), c))
}

func place(t *testing.T, db *shopdb.DB, o shopdb.Order, l ...shopdb.Line) {
	t.Helper()
	if err := db.PlaceOrder(t.Context(), shopdb.PlaceOrderParams{Order: o, Lines: l}); err != nil {
		t.Fatal(err)
	}
}

// reason finds the error of one action of a transaction that failed.
func reason(t *testing.T, err error, action string) error {
	t.Helper()
	var tx *access.TxError
	if !errors.As(err, &tx) {
		t.Fatalf("got %v, want a TxError", err)
	}
	for _, r := range tx.Reasons {
		if r.Action == action {
			return r.Err
		}
	}
	t.Fatalf("nothing of %v is about %s", err, action)
	return nil
}

func as[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("got %T: %v, want %T", err, err, e)
	}
	return e
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func TestCreateReturnsWhatIsStored(t *testing.T) {
	db := shopdbtest.New(t)
	c := customer(1)
	c.Version, c.Orders, c.Status = 7, 9, shopdb.CustomerStatusBlocked               // the call decides these itself
	c.JoinedAt = c.JoinedAt.Add(1234 * time.Nanosecond).In(time.FixedZone("", 3600)) // finer than what is stored
	got := register(t, db, c)
	if got.Version != 1 || got.Orders != 0 || got.Spent != "0" || got.Status != shopdb.CustomerStatusActive {
		t.Errorf("created %+v", got)
	}
	if stored := must[shopdb.Customer](t)(db.GetCustomer(t.Context(), idOfCustomer(1))); stored != got {
		t.Errorf("stored %+v\nreturned %+v", stored, got)
	}
}

func TestUniqueValues(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	one := customer(1)
	one.Phone = new("+46 1")
	register(t, db, one)
	register(t, db, customer(2)) // no phone is not the same phone

	_, err := db.Register(ctx, one)
	is(t, reason(t, err, "create Customer"), access.ErrExists)

	three := customer(3)
	three.Email = "C1@Example.com"
	_, err = db.Register(ctx, three)
	if taken := as[*access.TakenError](t, reason(t, err, "guard Customer.email")); taken.Entity != "Customer" || taken.Attributes[0] != "email" {
		t.Errorf("got %+v", taken)
	}
	three.Email, three.Phone = "c3@example.com", new("+46 1")
	_, err = db.Register(ctx, three)
	as[*access.TakenError](t, reason(t, err, "guard Customer.phone"))
	_, err = db.GetCustomer(ctx, idOfCustomer(3))
	is(t, err, access.ErrNotFound)
}

func TestUniqueValuesMoveWithTheItem(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	key := c.Key()
	change := shopdb.ChangeContactParams{Email: "new@example.com", Phone: new("+46 2"), Version: 1, OldEmail: c.Email}
	if err := db.ChangeContact(ctx, key, change); err != nil {
		t.Fatal(err)
	}
	two := customer(2)
	two.Email = c.Email // free again
	register(t, db, two)
	three := customer(3)
	three.Email = "NEW@example.com"
	_, err := db.Register(ctx, three)
	as[*access.TakenError](t, reason(t, err, "guard Customer.email"))

	// A value that stays keeps its row, whatever else changes.
	same := shopdb.ChangeContactParams{Email: "New@example.com", Phone: new("+46 3"), Version: 2, OldEmail: "new@example.com", OldPhone: new("+46 2")}
	if err := db.ChangeContact(ctx, key, same); err != nil {
		t.Fatal(err)
	}
	_, err = db.Register(ctx, three)
	as[*access.TakenError](t, reason(t, err, "guard Customer.email"))

	// Nobody frees a value that the item does not have.
	wrong := shopdb.DropPhoneParams{Version: 3, OldPhone: new("+46 2")}
	err = db.DropPhone(ctx, key, wrong)
	if e := as[*access.ConditionError[shopdb.Customer]](t, reason(t, err, "update Customer")); e.Current == nil || *e.Current.Phone != "+46 3" {
		t.Errorf("got %+v", e)
	}
	if err := db.DropPhone(ctx, key, shopdb.DropPhoneParams{Version: 3, OldPhone: new("+46 3")}); err != nil {
		t.Fatal(err)
	}
	three.Email, three.Phone = "three@example.com", new("+46 3")
	register(t, db, three)

	// Deleting frees all of them.
	if err := db.Unregister(ctx, key, shopdb.UnregisterParams{Version: 4, Email: "New@example.com"}); err != nil {
		t.Fatal(err)
	}
	register(t, db, func() shopdb.Customer { c := customer(1); c.Email = "new@example.com"; return c }())
}

func TestVersions(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	c := register(t, db, customer(1))
	changed := must[shopdb.Customer](t)(db.ChangeCard(ctx, c.Key(), shopdb.ChangeCardParams{Card: "5000", Version: 1}))
	if changed.Version != 2 || changed.Card != "5000" {
		t.Errorf("changed to %+v", changed)
	}
	_, err := db.ChangeCard(ctx, c.Key(), shopdb.ChangeCardParams{Card: "6000", Version: 1})
	e := as[*access.VersionError](t, err)
	if current, ok := e.Current.(*shopdb.Customer); e.Seen != 1 || e.Have != 2 || !ok || current.Card != "5000" {
		t.Errorf("got %+v", e)
	}
	_, err = db.ChangeCard(ctx, shopdb.CustomerKey{CustomerID: "nobody"}, shopdb.ChangeCardParams{Version: 1})
	is(t, err, access.ErrNotFound)
	err = db.Unregister(ctx, c.Key(), shopdb.UnregisterParams{Version: 1, Email: c.Email})
	as[*access.VersionError](t, reason(t, err, "delete Customer"))
}

func TestPutWithVersion(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	one := must[shopdb.Setting](t)(db.SaveSetting(ctx, shopdb.Setting{Name: "vat", Value: "25"}))
	if one.Version != 1 {
		t.Errorf("first version is %d", one.Version)
	}
	two := one
	two.Value = "12"
	if two = must[shopdb.Setting](t)(db.SaveSetting(ctx, two)); two.Version != 2 {
		t.Errorf("second version is %d", two.Version)
	}
	_, err := db.SaveSetting(ctx, one)
	if e := as[*access.VersionError](t, err); e.Seen != 1 || e.Have != 2 {
		t.Errorf("got %+v", e)
	}
	_, err = db.SaveSetting(ctx, shopdb.Setting{Name: "vat", Value: "6"}) // somebody who saw none
	if e := as[*access.VersionError](t, err); e.Seen != 0 || e.Have != 2 {
		t.Errorf("got %+v", e)
	}
	_, err = db.SaveSetting(ctx, shopdb.Setting{Name: "gone", Value: "6", Version: 5}) // somebody who saw one that was deleted
	is(t, err, access.ErrNotFound)
	if all := must[[]shopdb.Setting](t)(db.ListSettings().Slice(ctx)); len(all) != 1 || all[0] != two {
		t.Errorf("settings are %+v", all)
	}
}

// A transaction of several calls chooses the condition of each put by its version, too.
func TestPutWithVersionInTx(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	one := must[shopdb.Setting](t)(db.SaveSetting(ctx, shopdb.Setting{Name: "vat", Value: "25"}))
	save := func(old shopdb.Setting) error {
		tx := db.Tx()
		tx.SaveSetting(old)
		tx.SaveSetting(shopdb.Setting{Name: "currency", Value: "SEK"})
		return tx.Commit(ctx)
	}
	is(t, reason(t, save(shopdb.Setting{Name: "gone", Version: 5}), "put Setting"), access.ErrNotFound)
	if err := save(one); err != nil {
		t.Fatal(err)
	}
	if all := must[[]shopdb.Setting](t)(db.ListSettings().Slice(ctx)); len(all) != 2 || all[0].Version != 1 || all[1].Version != 2 {
		t.Errorf("settings are %+v", all)
	}
}

func TestSealedAttributes(t *testing.T) {
	db, memory := shopdbtest.Open(t)
	ctx := t.Context()
	c := register(t, db, customer(1))
	row := must[shopdb.GetCustomerCardRow](t)(db.GetCustomerCard(ctx, idOfCustomer(1)))
	if row.Card != c.Card || row.Name != c.Name {
		t.Errorf("read %+v", row)
	}
	if _, err := db.ChangeCard(ctx, c.Key(), shopdb.ChangeCardParams{Card: "5000", Version: 1}); err != nil {
		t.Fatal(err)
	}
	if row := must[shopdb.GetCustomerCardRow](t)(db.GetCustomerCard(ctx, idOfCustomer(1))); row.Card != "5000" {
		t.Errorf("read %+v", row)
	}
	blind := shopdb.New(memory.API())
	_, err := blind.GetCustomerCard(ctx, idOfCustomer(1))
	is(t, err, access.ErrSealed)
	_, err = blind.Register(ctx, customer(2))
	is(t, err, access.ErrSealed)
}

func TestKeysRefuseWhatTheyCannotHold(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	_, err := db.GetCustomer(ctx, "")
	if e := as[*access.KeyError](t, err); e.Entity != "Customer" || e.Attribute != "customer_id" {
		t.Errorf("got %+v", e)
	}
	_, err = db.GetProduct(ctx, "a#b") // the last value of its key takes any text
	is(t, err, access.ErrNotFound)
	_, err = db.GetProduct(ctx, "")
	as[*access.KeyError](t, err)
	_, err = db.ListOrders("", start, start).Slice(ctx)
	as[*access.KeyError](t, err)
	err = db.PlaceOrder(ctx, shopdb.PlaceOrderParams{Order: order(1, "")})
	as[*access.KeyError](t, err)
	_, err = db.GetCouponBatch(ctx, []shopdb.CouponKey{{}})
	as[*access.KeyError](t, err)
}

func TestTokenMakesATransactionHappenOnce(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	register(t, db, customer(1))
	params := shopdb.PlaceOrderParams{Order: order(1, idOfCustomer(1)), Lines: lines(idOfOrder(1), 1)}
	for range 2 {
		if err := db.PlaceOrder(ctx, params, access.Token("once")); err != nil {
			t.Fatal(err)
		}
	}
	if c := must[shopdb.Customer](t)(db.GetCustomer(ctx, idOfCustomer(1))); c.Orders != 1 {
		t.Errorf("placed %d orders", c.Orders)
	}
}
