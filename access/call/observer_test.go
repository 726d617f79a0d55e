package call_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestAnObserverSeesEveryWrite(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "mine")
	var log callLog
	seen := access.ObserverFunc(func(ctx context.Context, call access.Call) {
		if ctx.Value(key{}) != "mine" {
			t.Error("the observer got another context")
		}
		log.Observe(ctx, call)
	})
	s := newShop(t, access.WithObserver(access.Observers(seen, &access.Meter{})))
	first, again, sold, gone := create(product{ID: "1", Name: "lamp", Stock: 1, Version: 1}), create(product{ID: "1"}), sell("1", 1), remove("1")
	_ = call.PutItem(ctx, s.c, createProduct, &first)
	exists := call.PutItem(ctx, s.c, createProduct, &again)
	_, _ = call.UpdateItem(ctx, s.c, sellProduct, &sold, productOf)
	_ = call.DeleteItem(ctx, s.c, deleteProduct, &gone)
	_ = call.Transact(ctx, s.c, registerByName, []call.Action{create(product{ID: "2"}), guard("chair")})
	_ = call.BatchWrite(ctx, s.c, saveProducts, saves(26))

	type row struct {
		Pattern, Operation string
		Estimated, Units   float64
		Requests, Items    int
		Err                bool
	}
	var got []row
	for _, c := range log.calls {
		got = append(got, row{c.Pattern, c.Operation, c.Estimated, c.Units, c.Requests, c.Items, c.Err != nil})
	}
	want := []row{
		{"CreateProduct", "PutItem", 1, 1, 1, 1, false},
		{"CreateProduct", "PutItem", 1, 0, 1, 0, true},
		{"SellProduct", "UpdateItem", 1, 1, 1, 1, false},
		{"DeleteProduct", "DeleteItem", 1, 1, 1, 1, false},
		{"RegisterProduct", "TransactWriteItems", 4, 4, 1, 2, false},
		{"SaveProduct", "BatchWriteItem", 26, 26, 2, 26, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(log.calls[1].Err, exists) {
		t.Errorf("the observer was told %v, the caller %v", log.calls[1].Err, exists)
	}
}

func TestOnlyWithAnObserverUnitsAreAskedFor(t *testing.T) {
	for _, observed := range []bool{false, true} {
		asked := ""
		api := moody{API: openShop(t).API(), put: func(in *dynamodb.PutItemInput) error {
			asked = string(in.ReturnConsumedCapacity)
			return nil
		}}
		var options []access.Option
		want := ""
		if observed {
			options, want = append(options, access.WithObserver(&access.Meter{})), "TOTAL"
		}
		w := save(product{ID: "1"})
		if err := call.PutItem(t.Context(), shopOn(api, options...).c, saveProducts, &w); err != nil {
			t.Fatal(err)
		}
		if asked != want {
			t.Errorf("observed %t: asked for %q, want %q", observed, asked, want)
		}
	}
}

func TestABatchOfNoKeysIsObserved(t *testing.T) {
	log := &callLog{}
	got, err := call.BatchGet(t.Context(), shopOn(nil, access.WithObserver(log)).c, saveProducts, nil, false, productOf)
	if err != nil || got == nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if want := (access.Call{Pattern: "SaveProduct", Table: "Shop", Operation: "BatchGetItem"}); log.only(t) != want {
		t.Errorf("got  %+v\nwant %+v", log.only(t), want)
	}
}

func TestMeterOfManyGoroutines(t *testing.T) {
	var m access.Meter
	s := newShop(t, access.WithObserver(&m))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				w := save(product{ID: string(rune('a'+i)) + string(rune('a'+j%5)), Name: "lamp"})
				if err := call.PutItem(context.Background(), s.c, saveProducts, &w); err != nil {
					t.Error(err)
				}
				_ = m.Report()
			}
		})
	}
	all.Wait()
	r := m.Report()
	if len(r) != 1 || r[0].Calls != 400 || r[0].Units != 400 || r[0].Ratio != 1 || r[0].P50 <= 0 || r[0].P99 < r[0].P50 {
		t.Errorf("got %+v", r)
	}
}
