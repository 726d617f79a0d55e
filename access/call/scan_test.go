package call_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// manyNotes returns notes of 40 partitions; every fourth is of another entity.
func manyNotes() (all []note, mine []string) {
	for p := range 40 {
		for _, n := range numbered(fmt.Sprintf("P%02d", p), 5) {
			n.Other, n.Keep = len(all)%4 == 0, len(all)%3 == 0
			if all = append(all, n); !n.Other {
				mine = append(mine, n.PK+n.SK)
			}
		}
	}
	return all, mine
}

// A scanTap is an API that stands in the way of scans.
type scanTap struct {
	access.API
	enter func(context.Context, *dynamodb.ScanInput) error
	mu    sync.Mutex
	sent  int
}

func (a *scanTap) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	a.mu.Lock()
	a.sent++
	a.mu.Unlock()
	if a.enter != nil {
		if err := a.enter(ctx, in); err != nil {
			return nil, err
		}
	}
	return a.API.Scan(ctx, in, options...)
}

func TestScanReadsEverythingOnce(t *testing.T) {
	notes, mine := manyNotes()
	api := openNotes(t, notes...)
	for _, workers := range []int{0, 1, 2, 7, 50} {
		for _, size := range []int{0, 3} {
			t.Run(fmt.Sprintf("%d workers, pages of %d", workers, size), func(t *testing.T) {
				scan := call.Scan(notesClient(api), call.Sweep{Pattern: notesByKey}, decodeNote).Workers(workers).PageSize(size)
				var got []string
				for n, err := range scan.All(t.Context()) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, n.PK+n.SK)
				}
				slices.Sort(got)
				if diff := cmp.Diff(mine, got); diff != "" {
					t.Error(diff)
				}
				var mu sync.Mutex
				var handled []string
				err := scan.Each(t.Context(), func(_ context.Context, n note) error {
					mu.Lock()
					defer mu.Unlock()
					handled = append(handled, n.PK+n.SK)
					return nil
				})
				slices.Sort(handled)
				if diff := cmp.Diff(mine, handled); diff != "" || err != nil {
					t.Error(diff, err)
				}
			})
		}
	}
}

func TestScanFilters(t *testing.T) {
	notes, _ := manyNotes()
	sweep := call.Sweep{
		Pattern: notesByKey, Filter: "#keep = :keep", Projection: "PK, SK, #keep", Names: map[string]string{"#keep": "keep"},
		Values: access.Item{":keep": &types.AttributeValueMemberBOOL{Value: true}}, Consistent: true,
	}
	n := 0
	for _, err := range call.Scan(notesClient(openNotes(t, notes...)), sweep, decodeNote).Workers(3).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 67 { // every third of 200
		t.Errorf("got %d", n)
	}
}

func TestLeavingAScanStopsItsWorkers(t *testing.T) {
	notes, _ := manyNotes()
	for _, workers := range []int{1, 8} {
		api := &scanTap{API: openNotes(t, notes...)}
		synctest.Test(t, func(t *testing.T) {
			var calls []access.Call
			c := notesClient(api, access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { calls = append(calls, call) })))
			for _, err := range call.Scan(c, call.Sweep{Pattern: notesByKey}, decodeNote).Workers(workers).PageSize(2).All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if api.sent > 3*workers {
				t.Errorf("%d workers sent %d requests for one item", workers, api.sent)
			}
			if len(calls) != 1 || calls[0].Err != nil || calls[0].Requests == 0 {
				t.Errorf("observed %+v", calls)
			}
		})
	}
}

func TestScanStopsAtTheFirstError(t *testing.T) {
	notes, _ := manyNotes()
	broken := errors.New("broken")
	for _, workers := range []int{1, 4} {
		api := &scanTap{API: openNotes(t, notes...)}
		synctest.Test(t, func(t *testing.T) {
			scan := call.Scan(notesClient(api), call.Sweep{Pattern: notesByKey}, decodeNote).Workers(workers)
			err := scan.Each(t.Context(), func(ctx context.Context, n note) error {
				if n.PK == "P07" {
					return broken
				}
				return nil
			})
			if !errors.Is(err, broken) {
				t.Errorf("%d workers: got %v", workers, err)
			}
			var calls atomic.Int32
			err = scan.Each(t.Context(), func(ctx context.Context, n note) error {
				if calls.Add(1) == 1 {
					return broken
				}
				<-ctx.Done() // the error of one worker reaches the handlers of the others
				return nil
			})
			if !errors.Is(err, broken) || int(calls.Load()) > workers {
				t.Errorf("%d workers: got %v after %d calls", workers, err, calls.Load())
			}
		})
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	notes, _ := manyNotes()
	for _, workers := range []int{1, 4} {
		api := &scanTap{API: openNotes(t, notes...)}
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			api.enter = func(ctx context.Context, in *dynamodb.ScanInput) error {
				if in.ExclusiveStartKey == nil {
					return nil
				}
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
			var last error
			for _, err := range call.Scan(notesClient(api), call.Sweep{Pattern: notesByKey}, decodeNote).Workers(workers).PageSize(2).All(ctx) {
				last = err
			}
			if !errors.Is(last, context.Canceled) {
				t.Errorf("%d workers: got %v", workers, last)
			}
		})
	}
}
