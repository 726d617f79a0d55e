package call_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func saves(n int) (writes []call.Action) {
	for i := range n {
		writes = append(writes, save(product{ID: fmt.Sprint(i), Name: "lamp", Stock: int64(i)}))
	}
	return writes
}

func (s shop) found(t *testing.T, n int) (ids []int) {
	t.Helper()
	for i := range n {
		if p, found := s.get(t, fmt.Sprint(i)); found {
			if p.Stock != int64(i) {
				t.Errorf("product %d is %+v", i, p)
			}
			ids = append(ids, i)
		}
	}
	return ids
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestBatchWrite(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		for _, n := range []int{0, 1, 25, 26, 130} {
			if err := call.BatchWrite(t.Context(), s.c, saveProducts, saves(n)); err != nil {
				t.Fatalf("%d puts: %v", n, err)
			}
			if diff := cmp.Diff(upTo(n), s.found(t, 130)); diff != "" {
				t.Fatalf("%d puts: %s", n, diff)
			}
		}
		var deletes []call.Action
		for i := range 130 {
			w := remove(fmt.Sprint(i))
			w.Condition = ""
			deletes = append(deletes, w)
		}
		if err := call.BatchWrite(t.Context(), s.c, saveProducts, deletes); err != nil {
			t.Fatal(err)
		}
		if left := s.found(t, 130); left != nil {
			t.Errorf("%v were not deleted", left)
		}
	})
}

// keepSome takes some writes out of a batch and leaves them unprocessed.
func keepSome(in *dynamodb.BatchWriteItemInput, keep func(types.WriteRequest) bool) map[string][]types.WriteRequest {
	kept := map[string][]types.WriteRequest{}
	for table, requests := range in.RequestItems {
		var done []types.WriteRequest
		for _, r := range requests {
			if keep(r) {
				kept[table] = append(kept[table], r)
			} else {
				done = append(done, r)
			}
		}
		if in.RequestItems[table] = done; len(done) == 0 {
			delete(in.RequestItems, table)
		}
	}
	return kept
}

func TestBatchWriteRetriesUnprocessedItems(t *testing.T) {
	var under, most, sent atomic.Int64
	api := moody{API: openShop(t).API()}
	api.batch = func(_ context.Context, in *dynamodb.BatchWriteItemInput) (map[string][]types.WriteRequest, error) {
		sent.Add(1)
		now := under.Add(1)
		defer under.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		if rand.N(4) == 0 {
			return nil, &types.ProvisionedThroughputExceededException{}
		}
		return keepSome(in, func(types.WriteRequest) bool { return rand.N(3) > 0 }), nil
	}
	log := &callLog{}
	s := shopOn(api, patient, access.WithConcurrency(3), access.WithObserver(log))
	if err := call.BatchWrite(t.Context(), s.c, saveProducts, saves(300)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(upTo(300), s.found(t, 300)); diff != "" {
		t.Error(diff)
	}
	if most.Load() > 3 {
		t.Errorf("%d requests at once", most.Load())
	}
	want := access.Call{Pattern: "SaveProduct", Table: "Shop", Operation: "BatchWriteItem", Estimated: 300, Units: 300,
		Requests: int(sent.Load()), Items: 300, Retries: int(sent.Load()) - 12}
	if got := log.only(t); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestBatchErrorListsFailedWrites(t *testing.T) {
	stubborn := map[string]bool{"3": true, "28": true}
	api := moody{API: openShop(t).API()}
	api.batch = func(_ context.Context, in *dynamodb.BatchWriteItemInput) (map[string][]types.WriteRequest, error) {
		return keepSome(in, func(r types.WriteRequest) bool {
			return stubborn[r.PutRequest.Item["id"].(*types.AttributeValueMemberS).Value]
		}), nil
	}
	s := shopOn(api, access.WithRetries(3, 0, 0), access.WithConcurrency(2))
	err := call.BatchWrite(t.Context(), s.c, saveProducts, saves(50))
	var partly *access.BatchError
	if !errors.As(err, &partly) {
		t.Fatal(err)
	}
	// Both chunks are under way or the second never was, as it goes.
	found := s.found(t, 50)
	if diff := cmp.Diff(upTo(50), merged(found, partly.Left)); diff != "" {
		t.Errorf("done %v and left %v: %s", found, partly.Left, diff)
	}
	want := fmt.Sprintf("SaveProduct: %d of 50 writes were not done: ProvisionedThroughputExceededException: DynamoDB left them unprocessed 3 times in a row", len(partly.Left))
	var throttled *types.ProvisionedThroughputExceededException
	if err.Error() != want || !errors.As(err, &throttled) {
		t.Errorf("got %q, want %q", err, want)
	}
}

// TestOneItemIsOneHoweverItsKeyIsListed has writes that name the attributes of the key in
// different orders, or leave it to the key.
func TestOneItemIsOneHoweverItsKeyIsListed(t *testing.T) {
	put, listed, bare := save(product{ID: "1"}), remove("1"), remove("1")
	put.KeyNames, listed.KeyNames, bare.KeyNames = []string{"SK", "PK"}, []string{"PK", "SK"}, nil
	listed.Condition, bare.Condition = "", ""
	for _, writes := range [][]call.Action{{put, listed}, {put, bare}, {listed, bare}} {
		if err := call.BatchWrite(t.Context(), shopOn(nil).c, saveProducts, writes); !errors.Is(err, access.ErrTwice) {
			t.Errorf("%v and %v: %v", writes[0].KeyNames, writes[1].KeyNames, err)
		}
	}
	left := 1
	api := moody{API: openShop(t).API()}
	api.batch = func(_ context.Context, in *dynamodb.BatchWriteItemInput) (map[string][]types.WriteRequest, error) {
		left--
		return keepSome(in, func(types.WriteRequest) bool { return left >= 0 }), nil
	}
	other := remove("2")
	other.KeyNames, other.Condition = nil, ""
	if err := call.BatchWrite(t.Context(), shopOn(api, patient).c, saveProducts, []call.Action{put, other}); err != nil {
		t.Error(err)
	}
}

// merged returns the union of two sorted lists that have nothing in common.
func merged(a, b []int) (all []int) {
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] < b[0] {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return all
}

func TestBatchWriteStopsAtAnError(t *testing.T) {
	var once sync.Once
	ctx, stop := context.WithCancel(t.Context())
	api := moody{API: openShop(t).API()}
	api.batch = func(ctx context.Context, in *dynamodb.BatchWriteItemInput) (kept map[string][]types.WriteRequest, err error) {
		once.Do(func() {
			stop()
			kept = keepSome(in, func(r types.WriteRequest) bool {
				return r.PutRequest.Item["id"].(*types.AttributeValueMemberS).Value < "2"
			})
		})
		return kept, nil
	}
	// The engine is called with a context that lives on: only the pause sees the end.
	s := shopOn(outliving{api}, access.WithConcurrency(1))
	err := call.BatchWrite(ctx, s.c, saveProducts, saves(30))
	var partly *access.BatchError
	if !errors.As(err, &partly) || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(upTo(30), merged(s.found(t, 30), partly.Left)); diff != "" {
		t.Errorf("left %v: %s", partly.Left, diff)
	}
	if len(partly.Left) != 2+10+5 { // 0, 1, 10 to 19, and the second chunk
		t.Errorf("left %v", partly.Left)
	}
}

// outliving does what it is asked even if nobody waits.
type outliving struct{ moody }

func (o outliving) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return o.moody.BatchWriteItem(context.WithoutCancel(ctx), in, options...)
}

func TestBatchWriteRefusesWhatABatchCannotDo(t *testing.T) {
	for _, test := range []struct {
		name   string
		writes []call.Action
		want   string
	}{
		{"condition", []call.Action{save(product{ID: "1"}), create(product{ID: "2"})}, "SaveProduct: access: write 2 (create Product) of a batch has a condition"},
		{"update", []call.Action{sell("1", 1)}, "neither Put nor Delete but Update"},
		{"twice", []call.Action{save(product{ID: "1"}), save(product{ID: "1"})}, "action 1 (put Product) and action 2 (put Product) on table Shop"},
		{"no key names", []call.Action{{Kind: call.Put, Name: "put Product", Table: "Shop", Item: productKey("1")}}, "the key attributes of table Shop are not known"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := call.BatchWrite(t.Context(), shopOn(nil).c, saveProducts, test.writes)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
			if errors.Is(err, access.ErrTwice) != (test.name == "twice") {
				t.Errorf("errors.Is(ErrTwice) is wrong for %v", err)
			}
		})
	}
}

func TestBatchWriteDoesNotTrustAnUnknownLeftover(t *testing.T) {
	api := moody{API: openShop(t).API()}
	api.batch = func(context.Context, *dynamodb.BatchWriteItemInput) (map[string][]types.WriteRequest, error) {
		return map[string][]types.WriteRequest{"Shop": {{PutRequest: &types.PutRequest{Item: productKey("else")}}}}, nil
	}
	err := call.BatchWrite(t.Context(), shopOn(api).c, saveProducts, saves(2))
	var partly *access.BatchError
	if !errors.As(err, &partly) || !cmp.Equal(partly.Left, []int{0, 1}) {
		t.Errorf("got %v", err)
	}
}
