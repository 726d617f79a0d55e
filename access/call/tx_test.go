package call_test

import (
	"errors"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestTxJoinsPatterns(t *testing.T) {
	log := &callLog{}
	s := shopOn(openShop(t).API())
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 1, Version: 1})
	s = shopOn(s.api, access.WithObserver(log))
	tx := call.NewTx(s.c)
	tx.Add(registerByName, create(product{ID: "2", Name: "chair"}), guard("chair"))
	tx.Add(sellProduct, sell("1", 1))
	tx.Add(registerByName, create(product{ID: "3", Name: "desk"}), guard("desk"))
	if tx.Len() != 5 {
		t.Errorf("Len is %d", tx.Len())
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := access.Call{Pattern: "RegisterProduct + SellProduct", Table: "Shop", Operation: "TransactWriteItems",
		Estimated: 9, Units: 10, Requests: 1, Items: 5}
	if got := log.only(t); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if lamp, _ := s.get(t, "1"); lamp.Stock != 0 {
		t.Errorf("lamp: %+v", lamp)
	}
}

func TestTxErrorsNameAllPatterns(t *testing.T) {
	s := newShop(t)
	tx := call.NewTx(s.c)
	tx.Add(sellProduct, sell("1", 1))
	tx.Add(deleteProduct, remove("2"))
	err := tx.Commit(t.Context())
	want := "SellProduct + DeleteProduct: the transaction was not done: update Product: access: no such item; delete Product: access: no such item"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTxFindsOneItemInTwoPatterns(t *testing.T) {
	tx := call.NewTx(shopOn(nil).c)
	tx.Add(sellProduct, sell("1", 1))
	tx.Add(deleteProduct, remove("1"))
	err := tx.Commit(t.Context())
	want := "SellProduct + DeleteProduct: access: one call touches one item twice: action 1 (update Product) and action 2 (delete Product) on table Shop"
	if !errors.Is(err, access.ErrTwice) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTxKeepsTheFirstError(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	tx := call.NewTx(shopOn(nil).c)
	tx.Add(createProduct, create(product{ID: "1"}))
	tx.Add(sellProduct, call.Action{Name: "update Product", Err: first}, call.Action{Err: second})
	tx.Add(deleteProduct, call.Action{Err: second})
	err := tx.Commit(t.Context())
	if !errors.Is(err, first) || errors.Is(err, second) || err.Error() != "SellProduct: update Product: first" {
		t.Errorf("got %v", err)
	}
}

func TestTxIsForOneCommit(t *testing.T) {
	s := newShop(t)
	tx := call.NewTx(s.c)
	tx.Add(createProduct, create(product{ID: "1"}))
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	tx.Add(createProduct, create(product{ID: "2"}))
	if err := tx.Commit(t.Context()); !errors.Is(err, access.ErrUsed) {
		t.Errorf("got %v", err)
	}
	if _, found := s.get(t, "2"); found {
		t.Error("what was added after Commit was done")
	}
}

func TestTxWithoutWrites(t *testing.T) {
	err := call.NewTx(shopOn(nil).c).Commit(t.Context())
	if want := "Tx: access: a transaction without an action"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestTxThatCannotBeSentIsObserved: a call that fails before it is sent is a call.
func TestTxThatCannotBeSentIsObserved(t *testing.T) {
	log := &callLog{}
	tx := call.NewTx(shopOn(nil, access.WithObserver(log)).c)
	tx.Add(sellProduct, call.Action{Name: "update Product", Err: errors.New("odd")})
	err := tx.Commit(t.Context())
	if err == nil || len(log.calls) != 1 || log.calls[0].Err != err {
		t.Fatalf("%v; observed %+v", err, log.calls)
	}
	want := access.Call{Pattern: "SellProduct", Table: "Shop", Operation: "TransactWriteItems", Estimated: 1}
	if got := log.only(t); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
