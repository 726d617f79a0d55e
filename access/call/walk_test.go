package call_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestOneRequestDoesNotReadAhead(t *testing.T) {
	onCallersGoroutine := true
	api := &tap{API: openNotes(t, numbered("A", 9)...)}
	api.enter = func(context.Context, string) error {
		stack := make([]byte, 1<<16)
		stack = stack[:runtime.Stack(stack, false)]
		onCallersGoroutine = onCallersGoroutine && strings.Contains(string(stack), "TestOneRequestDoesNotReadAhead")
		return nil
	}
	seen := 0
	for _, err := range call.List(notesClient(api), notesOf("A"), decodeNote).PageSize(3).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen++; api.sent() != (seen+2)/3 {
			t.Errorf("%d requests for %d items", api.sent(), seen)
		}
	}
	if !onCallersGoroutine || seen != 9 {
		t.Errorf("a request was sent from elsewhere, or %d items were seen", seen)
	}
}

func TestLeavingALoopStopsItsRequests(t *testing.T) {
	api := &tap{API: openNotes(t, append(append(numbered("A", 9), numbered("B", 9)...), numbered("C", 9)...)...)}
	synctest.Test(t, func(t *testing.T) { // which fails if a goroutine stays behind
		list := call.List(notesClient(api), notesOf("A", "B", "C"), decodeNote).PageSize(2)
		for n, err := range list.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if n.SK == "03" {
				break
			}
		}
		if api.underWay() != 0 || api.sent() > 9 {
			t.Errorf("%d requests are under way, %d were sent", api.underWay(), api.sent())
		}
	})
}

func TestOneFailedRequestStopsTheOthers(t *testing.T) {
	broken := errors.New("broken")
	notes := append(append(numbered("A", 9), numbered("B", 9)...), numbered("C", 9)...)
	for name, read := range map[string]func(context.Context, access.List[note]) error{
		"Slice": func(ctx context.Context, l access.List[note]) error { _, err := l.Slice(ctx); return err },
		"Page":  func(ctx context.Context, l access.List[note]) error { _, err := l.Page(ctx, ""); return err },
		"First": func(ctx context.Context, l access.List[note]) error { _, err := l.First(ctx); return err },
		"Count": func(ctx context.Context, l access.List[note]) error { _, err := l.Count(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			api := &tap{API: openNotes(t, notes...)}
			synctest.Test(t, func(t *testing.T) {
				api.enter = func(ctx context.Context, partition string) error {
					if partition == "B" {
						return broken
					}
					<-ctx.Done() // as a request that takes long
					return ctx.Err()
				}
				err := read(t.Context(), call.List(notesClient(api), notesOf("A", "B", "C"), decodeNote))
				if !errors.Is(err, broken) || api.underWay() != 0 {
					t.Errorf("got %v, %d under way", err, api.underWay())
				}
			})
		})
	}
}

func TestCancelledContextStopsReading(t *testing.T) {
	for name, partitions := range map[string][]string{"one request": {"A"}, "several": {"A", "B", "C"}} {
		t.Run(name, func(t *testing.T) {
			api := &tap{API: openNotes(t, append(append(numbered("A", 9), numbered("B", 9)...), numbered("C", 9)...)...)}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				seen, last := 0, error(nil)
				for _, err := range call.List(notesClient(api), notesOf(partitions...), decodeNote).All(ctx) {
					if last = err; err == nil {
						seen++
						cancel() // with items left that were read already
					}
				}
				if seen != 1 || !errors.Is(last, context.Canceled) || api.sent() != len(partitions) {
					t.Errorf("%d items, %v, %d requests", seen, last, api.sent())
				}
				if _, err := call.List(notesClient(api), notesOf(partitions...), decodeNote).Page(ctx, ""); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				ctx, cancel = context.WithCancel(t.Context())
				api.enter = func(ctx context.Context, _ string) error {
					cancel() // while requests are under way
					<-ctx.Done()
					return ctx.Err()
				}
				_, err := call.List(notesClient(api), notesOf(partitions...), decodeNote).Slice(ctx)
				if !errors.Is(err, context.Canceled) || api.underWay() != 0 {
					t.Errorf("%v, %d under way", err, api.underWay())
				}
			})
		})
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	api := &tap{API: openNotes(t)}
	synctest.Test(t, func(t *testing.T) {
		most, gate := 0, make(chan struct{})
		api.enter = func(context.Context, string) error {
			<-gate
			return nil
		}
		done := make(chan error)
		go func() {
			_, err := call.List(notesClient(api, access.WithConcurrency(3)), notesOf("A", "B", "C", "D", "E", "F", "G"), decodeNote).Slice(t.Context())
			done <- err
		}()
		for range 7 {
			synctest.Wait()
			most = max(most, api.underWay())
			gate <- struct{}{}
		}
		if err := <-done; err != nil || most != 3 || api.sent() != 7 {
			t.Errorf("%v, %d at once, %d in all", err, most, api.sent())
		}
	})
}

// Shards of like size run dry together, and are read on together.
func TestShardsThatRunLowAreFilledTogether(t *testing.T) {
	var notes []note
	for i, n := range append(append(numbered("A", 40), numbered("B", 40)...), numbered("C", 40)...) {
		n.SK += string(rune('a' + i/40))
		notes = append(notes, n)
	}
	api := &tap{API: openNotes(t, notes...)}
	rounds, sent := 0, 0
	for _, err := range call.List(notesClient(api), notesOf("A", "B", "C"), decodeNote).PageSize(10).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if now := api.sent(); now != sent {
			rounds, sent = rounds+1, now
		}
	}
	if rounds > 5 { // one after the other it would be 1 for the first three and 1 for each other
		t.Errorf("waited %d times for %d requests", rounds, sent)
	}
}
