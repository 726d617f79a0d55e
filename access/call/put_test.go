package call_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestPutItemReturnsTheExistingItem(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		lamp := product{ID: "1", Name: "lamp", Stock: 3, Version: 1}
		s.mustCreate(t, lamp)
		w := create(product{ID: "1", Name: "chair"})
		err := call.PutItem(t.Context(), s.c, createProduct, &w)
		if !errors.Is(err, access.ErrExists) || errors.Is(err, access.ErrNotFound) {
			t.Errorf("%v is not just ErrExists", err)
		}
		var unmet *access.ConditionError[product]
		if !errors.As(err, &unmet) || unmet.Current == nil {
			t.Fatalf("no ConditionError with the current product: %v", err)
		}
		if diff := cmp.Diff(lamp, *unmet.Current); diff != "" {
			t.Error(diff)
		}
		if want := "CreateProduct: create Product: access: the item exists already"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		var sdk *types.ConditionalCheckFailedException
		if !errors.As(err, &sdk) {
			t.Errorf("the SDK's error is not in %v", err)
		}
		if got, _ := s.get(t, "1"); got != lamp {
			t.Errorf("it was overwritten: %+v", got)
		}
	})
}

func TestPutItemWithoutACondition(t *testing.T) {
	s := newShop(t)
	for _, p := range []product{{ID: "1", Name: "lamp"}, {ID: "1", Name: "chair"}} {
		w := save(p)
		if err := call.PutItem(t.Context(), s.c, saveProducts, &w); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.get(t, "1"); got != p {
			t.Errorf("got %+v, want %+v", got, p)
		}
	}
}

func TestActionWithoutFaultHoldsTheSDKItem(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp"})
	w := create(product{ID: "1"})
	w.Fault = nil
	err := call.PutItem(t.Context(), s.c, createProduct, &w)
	var unmet *access.ConditionError[access.Item]
	if !errors.As(err, &unmet) || unmet.Current == nil {
		t.Fatalf("got %v", err)
	}
	if p, err := productOf(*unmet.Current); err != nil || p.Name != "lamp" {
		t.Errorf("current is %+v, %v", p, err)
	}
}

func TestActionWithAnErrorIsNotSent(t *testing.T) {
	broken := &access.KeyError{Entity: "Product", Attribute: "id", Reason: "is empty"}
	nothing := moody{put: func(*dynamodb.PutItemInput) error { t.Error("a request was sent"); return nil }}
	s := shopOn(nothing) // any other method would panic
	for name, do := range map[string]func(w call.Action) error{
		"put": func(w call.Action) error { return call.PutItem(t.Context(), s.c, createProduct, &w) },
		"update": func(w call.Action) error {
			w.Kind = call.Update
			_, err := call.UpdateItem(t.Context(), s.c, createProduct, &w, productOf)
			return err
		},
		"delete": func(w call.Action) error {
			w.Kind = call.Delete
			return call.DeleteItem(t.Context(), s.c, createProduct, &w)
		},
		"transact": func(w call.Action) error {
			return call.Transact(t.Context(), s.c, createProduct, []call.Action{guard("x"), w})
		},
		"batch": func(w call.Action) error {
			return call.BatchWrite(t.Context(), s.c, createProduct, []call.Action{w})
		},
		"tx": func(w call.Action) error {
			tx := call.NewTx(s.c)
			tx.Add(createProduct, guard("x"), w)
			return tx.Commit(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := create(product{})
			w.Err = broken
			err := do(w)
			var key *access.KeyError
			if !errors.As(err, &key) || key != broken {
				t.Fatalf("got %v", err)
			}
			if want := "CreateProduct: create Product: " + broken.Error(); err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
		})
	}
}

func TestActionOfAnotherKindIsRefused(t *testing.T) {
	s := newShop(t)
	w := remove("1")
	err := call.PutItem(t.Context(), s.c, createProduct, &w)
	if err == nil || !strings.Contains(err.Error(), "Delete cannot be sent as Put") {
		t.Errorf("got %v", err)
	}
}

func TestOtherErrorsNameThePatternAndWrapTheSDKs(t *testing.T) {
	s := newShop(t)
	w := save(product{ID: "1"})
	w.Table = "Nowhere"
	err := call.PutItem(context.Background(), s.c, saveProducts, &w)
	var missing *types.ResourceNotFoundException
	if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), "SaveProduct: put Product: ") {
		t.Errorf("got %v", err)
	}
	if access.Refused(err) || errors.Is(err, access.ErrNotFound) {
		t.Errorf("a missing table is taken for a missing item: %v", err)
	}
}

func TestTablesHaveTheNamesTheClientGivesThem(t *testing.T) {
	db := openShop(t)
	s := shopOn(db.API(), access.WithTableNames(func(name string) string { return strings.TrimPrefix(name, "the") }))
	w := save(product{ID: "1", Name: "lamp"})
	w.Table = "theShop"
	p := &access.Pattern{Name: "SaveProduct", Table: "theShop"}
	if err := call.PutItem(t.Context(), s.c, p, &w); err != nil {
		t.Fatal(err)
	}
	w.Item = product{ID: "2", Name: "lamp"}.item()
	if err := call.Transact(t.Context(), s.c, p, []call.Action{w}); err != nil {
		t.Fatal(err)
	}
	w.Item = product{ID: "3", Name: "lamp"}.item()
	if err := call.BatchWrite(t.Context(), s.c, p, []call.Action{w}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2", "3"} {
		if _, found := s.get(t, id); !found {
			t.Errorf("product %s went elsewhere", id)
		}
	}
}
