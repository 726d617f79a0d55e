package call_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestUpdateItemReturnsTheNewItem(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 3, Version: 1})
		w := sell("1", 1)
		got, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
		if want := (product{ID: "1", Name: "lamp", Stock: 2, Version: 2}); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestUpdateItemReturnsTheFailedCondition(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 3, Version: 5}, product{ID: "2", Name: "chair", Stock: 0, Version: 5})

		w := sell("1", 4)
		_, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
		var changed *access.VersionError
		if !errors.As(err, &changed) || changed.Seen != 4 || changed.Have != 5 {
			t.Fatalf("somebody else changed it: %v", err)
		}
		if current, ok := changed.Current.(*product); !ok || current.Stock != 3 {
			t.Errorf("the current item is %#v", changed.Current)
		}

		w = sell("2", 5)
		_, err = call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
		var unmet *access.ConditionError[product]
		if !errors.As(err, &unmet) || unmet.Current == nil || unmet.Current.Stock != 0 {
			t.Fatalf("out of stock: %v", err)
		}
		if errors.Is(err, access.ErrNotFound) || errors.Is(err, access.ErrExists) {
			t.Errorf("out of stock, and that alone: %v", err)
		}

		w = sell("3", 1)
		_, err = call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
		if !errors.Is(err, access.ErrNotFound) || errors.As(err, &changed) {
			t.Errorf("there is no product 3: %v", err)
		}

		for _, w := range []call.Action{sell("1", 4), sell("2", 5), sell("3", 1)} {
			_, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
			var sdk *types.ConditionalCheckFailedException
			if !errors.As(err, &sdk) || !access.Refused(err) {
				t.Errorf("the SDK's error is not in %v", err)
			}
		}
	})
}

func TestAnEndpointThatNeverReturnsTheItem(t *testing.T) {
	forgetful := moody{API: openShop(t).API(), after: func(err error) error {
		var unmet *types.ConditionalCheckFailedException
		if errors.As(err, &unmet) {
			unmet.Item = nil
		}
		return err
	}}
	s := shopOn(forgetful)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 3, Version: 5})
	w := sell("1", 4)
	if _, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	w.Expects, w.Version = call.Anything, ""
	if _, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf); errors.Is(err, access.ErrNotFound) || !access.Refused(err) {
		t.Errorf("nothing says that there must be an item: %v", err)
	}
}

func TestUndecodableUpdateIsADoneError(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 3, Version: 1})
	w := sell("1", 1)
	w.Update += " REMOVE id"
	_, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
	var done *access.DoneError
	var decode *access.DecodeError
	if !errors.As(err, &done) || !errors.As(err, &decode) {
		t.Fatalf("got %v", err)
	}
	if done.Pattern != "SellProduct" || done.Action != "update Product" || decode.Attribute != "id" {
		t.Errorf("%+v because of %+v", done, decode)
	}
	if want := "SellProduct: update Product: it was done, but the item cannot be read: access: id of a stored Product cannot be read: it holds no S"; err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if stock, _ := done.Item["stock"].(*types.AttributeValueMemberN); stock == nil || stock.Value != "2" {
		t.Errorf("the item as it is now: %v", done.Item)
	}
	if access.Refused(err) {
		t.Error("it counts as refused")
	}
}

// What was not done never looks as if it were, whatever the item in the way is like.
func TestRefusedUpdateIsNoDoneError(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 3, Version: 1})
	spoil := sell("1", 1)
	spoil.Update += " REMOVE id"
	if _, err := call.UpdateItem(t.Context(), s.c, sellProduct, &spoil, productOf); err == nil {
		t.Fatal("the item can be read")
	}
	for name, w := range map[string]call.Action{"another version": sell("1", 1), "no such item": sell("2", 1), "no update": create(product{ID: "1"})} {
		_, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
		var done *access.DoneError
		if err == nil || errors.As(err, &done) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeleteItem(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		s.mustCreate(t, product{ID: "1", Name: "lamp"})
		w := remove("1")
		if err := call.DeleteItem(t.Context(), s.c, deleteProduct, &w); err != nil {
			t.Fatal(err)
		}
		if p, found := s.get(t, "1"); found {
			t.Errorf("it is still there: %+v", p)
		}
		err := call.DeleteItem(t.Context(), s.c, deleteProduct, &w)
		if !errors.Is(err, access.ErrNotFound) {
			t.Errorf("the second time: %v", err)
		}
		w.Condition, w.Expects = "", call.Anything
		if err := call.DeleteItem(t.Context(), s.c, deleteProduct, &w); err != nil {
			t.Errorf("without a condition: %v", err)
		}
	})
}

func TestDeleteItemErrorHoldsTheItem(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 2})
	w := remove("1")
	w.Condition += " AND stock = :none"
	w.Values = access.Item{":none": number(0)}
	err := call.DeleteItem(t.Context(), s.c, deleteProduct, &w)
	var unmet *access.ConditionError[product]
	if !errors.As(err, &unmet) || unmet.Current == nil || unmet.Current.Stock != 2 {
		t.Errorf("got %v", err)
	}
}
