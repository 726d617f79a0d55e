package call_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// everyNote returns the scan of all notes in a number of segments.
func everyNote(segments int) call.Query {
	return call.Query{Pattern: notesByKey, Segments: segments, Requests: []call.Request{{}}}
}

// spread returns notes of several partitions.
func spread(partitions, each int) []note {
	var all []note
	for p := range partitions {
		all = append(all, numbered(fmt.Sprint("P", p), each)...)
	}
	return all
}

// places returns the keys of notes, sorted, each as often as it occurs.
func places(notes []note) []string {
	var all []string
	for _, n := range notes {
		all = append(all, n.PK+" "+n.SK)
	}
	slices.Sort(all)
	return all
}

func TestScanListReadsEverythingOnce(t *testing.T) {
	notes := spread(9, 7)
	c := notesClient(openNotes(t, notes...))
	for _, segments := range []int{0, 1, 3, 8} {
		list := call.List(c, everyNote(segments), decodeNote)
		all, err := list.Slice(t.Context())
		if err != nil || !slices.Equal(places(all), places(notes)) {
			t.Errorf("%d segments: got %v, %v", segments, places(all), err)
		}
		for _, size := range []int{0, 1, 4, 100} {
			if paged := allPages(t, list.PageSize(size)); !slices.Equal(places(paged), places(notes)) {
				t.Errorf("%d segments in pages of %d: got %v", segments, size, places(paged))
			}
		}
		if n, err := list.Count(t.Context()); n != int64(len(notes)) || err != nil {
			t.Errorf("%d segments: counted %d, %v", segments, n, err)
		}
		if some, err := list.Limit(5).Slice(t.Context()); len(some) != 5 || err != nil {
			t.Errorf("%d segments: the limit gives %d, %v", segments, len(some), err)
		}
		if requests := list.Requests(); requests != nil {
			t.Errorf("a scan shows queries: %v", requests)
		}
	}
}

// allPages reads a list page by page, each from the cursor of the page before.
func allPages(t *testing.T, list access.List[note]) []note {
	t.Helper()
	var all []note
	for cursor := ""; ; {
		page, err := list.Page(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}

func TestScanListFilters(t *testing.T) {
	notes := spread(6, 5)
	var kept []note
	for i := range notes {
		if notes[i].Keep = i%4 == 0; notes[i].Keep {
			kept = append(kept, notes[i])
		}
	}
	q := everyNote(2)
	q.Filter, q.Names = "#keep = :keep", map[string]string{"#keep": "keep"}
	q.Requests[0].Values = access.Item{":keep": &types.AttributeValueMemberBOOL{Value: true}}
	list := call.List(notesClient(openNotes(t, notes...)), q, decodeNote)
	got, err := list.Slice(t.Context())
	if err != nil || !slices.Equal(places(got), places(kept)) {
		t.Errorf("got %v, %v", places(got), err)
	}
	if n, err := list.Count(t.Context()); n != int64(len(kept)) || err != nil {
		t.Errorf("counted %d, %v", n, err)
	}
	q.Requests = nil // a filter by a list without values
	if none, err := call.List(notesClient(openNotes(t, notes...)), q, decodeNote).Slice(t.Context()); len(none) != 0 || err != nil {
		t.Errorf("got %v, %v", none, err)
	}
}

func TestScanListIsObserved(t *testing.T) {
	var seen []access.Call
	c := notesClient(openNotes(t, spread(2, 3)...), access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { seen = append(seen, call) })))
	list := call.List(c, everyNote(2), decodeNote)
	if _, err := list.Slice(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := list.Count(t.Context()); err != nil {
		t.Fatal(err)
	}
	operations := map[string]int{}
	for _, call := range seen {
		operations[call.Operation] += call.Requests
	}
	if !maps.Equal(operations, map[string]int{"Scan": 4}) {
		t.Errorf("observed %v", operations)
	}
}

// A cursor of one number of segments says nothing about another.
func TestScanCursorBelongsToItsSegments(t *testing.T) {
	c := notesClient(openNotes(t, spread(9, 7)...))
	page, err := call.List(c, everyNote(3), decodeNote).PageSize(2).Page(t.Context(), "")
	if err != nil || page.Next == "" {
		t.Fatal(page, err)
	}
	if _, err := call.List(c, everyNote(4), decodeNote).Page(t.Context(), page.Next); err == nil {
		t.Error("the cursor of three segments is taken for one of four")
	}
}
