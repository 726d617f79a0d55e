package tests

import (
	"errors"
	"testing"
	"time"

	"generated.test/stepsdb"
	"generated.test/stepsdb/stepsdbtest"

	"sortkey.dev/access"
)

// A change of state whose both ends the caller gives is one that the lifecycle has.
func TestLifecyclesAreKept(t *testing.T) {
	ctx, db := t.Context(), stepsdbtest.New(t)
	order, err := db.PlaceOrder(ctx, stepsdb.Order{OrderID: access.NewULID(time.Now()), Mood: new(stepsdb.OrderMoodCalm)})
	if err != nil || order.Status != stepsdb.OrderStatusOpen {
		t.Fatal(order, err)
	}
	key := order.Key()
	misstep := func(name string, err error, want access.LifecycleError) {
		t.Helper()
		got, ok := errors.AsType[*access.LifecycleError](err)
		if !ok || *got != want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	toShipped := access.LifecycleError{Entity: "Order", Attribute: "status", From: "open", To: "shipped"}
	_, err = db.MoveOrder(ctx, key, stepsdb.MoveOrderParams{Status: stepsdb.OrderStatusShipped, Was: stepsdb.OrderStatusOpen})
	misstep("a step there is not", err, toShipped)
	_, err = db.MoveOrder(ctx, key, stepsdb.MoveOrderParams{Status: stepsdb.OrderStatusOpen, Was: stepsdb.OrderStatusOpen})
	misstep("no step at all", err, access.LifecycleError{Entity: "Order", Attribute: "status", From: "open", To: "open"})
	_, err = db.EndOpenOrder(ctx, key, stepsdb.EndOpenOrderParams{Status: stepsdb.OrderStatusShipped})
	misstep("from the state of the pattern", err, toShipped)
	shipped := order
	shipped.Status = stepsdb.OrderStatusShipped
	_, err = db.ReplaceOrder(ctx, shipped, stepsdb.ReplaceOrderParams{Was: stepsdb.OrderStatusOpen})
	misstep("a whole item", err, toShipped)
	_, err = db.FeelOrder(ctx, key, stepsdb.FeelOrderParams{Mood: new(stepsdb.OrderMoodCalm), Was: stepsdb.OrderMoodCalm})
	misstep("a state that may be absent", err, access.LifecycleError{Entity: "Order", Attribute: "mood", From: "calm", To: "calm"})
	err = db.MoveOrders(ctx, stepsdb.MoveOrdersParams{Orders: []stepsdb.MoveOrdersOrder{
		{OrderID: order.OrderID, Status: stepsdb.OrderStatusShipped, Was: stepsdb.OrderStatusOpen},
	}})
	misstep("in a transaction", err, toShipped)

	if have, err := db.GetOrder(ctx, order.OrderID); err != nil || have.Status != stepsdb.OrderStatusOpen {
		t.Errorf("afterwards: %+v, %v", have, err)
	}
	_, err = db.MoveOrder(ctx, key, stepsdb.MoveOrderParams{Status: stepsdb.OrderStatusShipped, Was: stepsdb.OrderStatusPaid})
	if _, ok := errors.AsType[*access.ConditionError[stepsdb.Order]](err); !ok {
		t.Errorf("a step of another state: got %v", err)
	}
	moved, err := db.MoveOrder(ctx, key, stepsdb.MoveOrderParams{Status: stepsdb.OrderStatusPaid, Was: stepsdb.OrderStatusOpen})
	if err != nil || moved.Status != stepsdb.OrderStatusPaid {
		t.Errorf("a step there is: %+v, %v", moved, err)
	}
	kept, err := db.ReplaceOrder(ctx, moved, stepsdb.ReplaceOrderParams{Was: stepsdb.OrderStatusPaid})
	if err != nil || kept.Status != stepsdb.OrderStatusPaid {
		t.Errorf("a whole item that stays in its state: %+v, %v", kept, err)
	}
	if _, err = db.ReplaceOrder(ctx, order, stepsdb.ReplaceOrderParams{Was: stepsdb.OrderStatusOpen}); err == nil {
		t.Error("a whole item as it was before a step was written")
	}
}
