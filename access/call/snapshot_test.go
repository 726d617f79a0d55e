package call_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

var compareProducts = &access.Pattern{Name: "CompareProducts", Table: "Shop", Units: 4}

// pair is the result of a snapshot of two products.
type pair struct{ Left, Right *product }

// snapshot returns the request of a pattern that reads two products.
func snapshot(found *pair, left, right string) *call.Snapshot {
	return &call.Snapshot{Pattern: compareProducts, Parts: []call.Part{
		{Name: "left", Table: "Shop", Key: productKey(left), Into: call.Into(&found.Left, productOf)},
		{Name: "right", Table: "Shop", Key: productKey(right), Into: call.Into(&found.Right, productOf)},
	}}
}

func TestReadSnapshotLeavesMissingItemsNil(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		lamp := product{ID: "1", Name: "lamp", Stock: 1, Version: 1}
		s.mustCreate(t, lamp)
		var found pair
		if err := call.ReadSnapshot(t.Context(), s.c, snapshot(&found, "1", "2")); err != nil {
			t.Fatal(err)
		}
		if found.Left == nil || *found.Left != lamp || found.Right != nil {
			t.Errorf("got %+v, %+v", found.Left, found.Right)
		}
	})
}

func TestReadSnapshotIsObservedAsOneCall(t *testing.T) {
	log := &callLog{}
	s := shopOn(openShop(t).API(), access.WithObserver(log))
	s.mustCreate(t, product{ID: "1"}, product{ID: "2"})
	log.calls = nil
	var found pair
	if err := call.ReadSnapshot(t.Context(), s.c, snapshot(&found, "1", "2")); err != nil {
		t.Fatal(err)
	}
	want := access.Call{Pattern: "CompareProducts", Table: "Shop", Operation: "TransactGetItems", Estimated: 4, Units: 4, Requests: 1, Items: 2}
	if got := log.only(t); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadSnapshotRejectsOneItemTwice(t *testing.T) {
	s := shopOn(nil) // nothing may be sent
	var found pair
	err := call.ReadSnapshot(t.Context(), s.c, snapshot(&found, "1", "1"))
	if want := "CompareProducts: access: one call touches one item twice: left and right"; !errors.Is(err, access.ErrTwice) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A reader is a real API that refuses snapshots at first.
type reader struct {
	access.API
	refuse func() error
}

func (r reader) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	if err := r.refuse(); err != nil {
		return nil, err
	}
	return r.API.TransactGetItems(ctx, in, options...)
}

func TestReadSnapshotRetriesOnlyConflictsAndThrottling(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		again bool
	}{
		{"conflict", cancel("None", "TransactionConflict"), true},
		{"throttled", cancel("ThrottlingError", "None"), true},
		{"internal", &types.InternalServerError{}, true},
		{"invalid", cancel("ValidationError", "None"), false},
		{"no table", &types.ResourceNotFoundException{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			sent := 0
			s := shopOn(reader{openShop(t).API(), func() error {
				if sent++; sent < 4 {
					return test.err
				}
				return nil
			}}, patient)
			var found pair
			err := call.ReadSnapshot(t.Context(), s.c, snapshot(&found, "1", "2"))
			if want := map[bool]int{true: 4, false: 1}[test.again]; sent != want || (err == nil) != test.again {
				t.Fatalf("sent %d times, want %d: %v", sent, want, err)
			}
			if !test.again && !errors.Is(err, test.err) {
				t.Errorf("the SDK's error is not in %v", err)
			}
		})
	}
}

func TestReadSnapshotStoresWhatDecodeKeeps(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1"}, product{ID: "2"})
	read := func(problem error) (pair, error) {
		var found pair
		request := snapshot(&found, "1", "2")
		request.Parts[0].Into = call.Into(&found.Left, func(access.Item) (product, error) { return product{}, problem })
		err := call.ReadSnapshot(t.Context(), s.c, request)
		return found, err
	}
	if found, err := read(marshal.Skip); err != nil || found.Left != nil {
		t.Errorf("a skipped item: %+v, %v", found.Left, err)
	}
	wrong := errors.New("wrong")
	if _, err := read(wrong); !errors.Is(err, wrong) || err.Error() != "CompareProducts: wrong" {
		t.Errorf("got %v", err)
	}
	request := snapshot(&pair{}, "1", "2")
	request.Err = wrong
	if err := call.ReadSnapshot(t.Context(), shopOn(nil).c, request); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
}

func TestReadSnapshotSelects(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp"})
	var names *int
	err := call.ReadSnapshot(t.Context(), s.c, &call.Snapshot{Pattern: compareProducts, Parts: []call.Part{{
		Name: "name", Table: "Shop", Key: productKey("1"), Projection: "#n", Names: map[string]string{"#n": "name"},
		Into: call.Into(&names, func(item access.Item) (int, error) { return len(item), nil }),
	}}})
	if err != nil || names == nil || *names != 1 {
		t.Errorf("got %v, %v", names, err)
	}
}
