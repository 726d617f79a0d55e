package call_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestGetOne(t *testing.T) {
	api := openNotes(t, note{PK: "A", SK: "1", Kind: "k", Rank: "5", Keep: true}, note{PK: "A", SK: "2", Other: true})
	get := func(sk string) *call.Get {
		return &call.Get{Pattern: notesByKey, Key: noteKeys("Notes", "A", sk)[0]}
	}
	projected := get("1")
	projected.Projection, projected.Names, projected.Consistent = "PK, SK, #k, #r", map[string]string{"#k": "kind", "#r": "rank"}, true
	tests := []struct {
		name string
		get  *call.Get
		want note
		err  error
	}{
		{"there", get("1"), note{PK: "A", SK: "1", Kind: "k", Rank: "5", Keep: true}, nil},
		{"a part of it", projected, note{PK: "A", SK: "1", Kind: "k", Rank: "5"}, nil},
		{"not there", get("3"), note{}, access.ErrNotFound},
		{"of another entity", get("2"), note{}, access.ErrNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := call.GetOne(t.Context(), notesClient(api), test.get, decodeNote)
			if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, test.err) {
				t.Error(diff, err)
			}
		})
	}
	wrong := errors.New("wrong")
	_, err := call.GetOne(t.Context(), notesClient(api), get("1"), func(access.Item) (note, error) { return note{}, wrong })
	if !errors.Is(err, wrong) || err.Error() != "ListNotes: wrong" {
		t.Errorf("got %v", err)
	}
	_, err = call.GetOne(t.Context(), notesClient(api, access.WithTablePrefix("no-")), get("1"), decodeNote)
	if err == nil || errors.Is(err, access.ErrNotFound) {
		t.Errorf("no table is not the same as no item: %v", err)
	}
}

func TestQueryOne(t *testing.T) {
	c := notesClient(openNotes(t, append(numbered("A", 3), note{PK: "B", SK: "000"})...))
	q := notesOf("A", "B", "C")
	got, err := call.QueryOne(t.Context(), c, &q, decodeNote)
	if err != nil || got.PK != "A" { // 00 is before 000
		t.Errorf("got %+v, %v", got, err)
	}
	q = notesOf("C")
	if _, err := call.QueryOne(t.Context(), c, &q, decodeNote); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// What an observer sees of reads: one call for each call, with the units of all requests.
func TestReadsAreObserved(t *testing.T) {
	api := &tap{API: openNotes(t, append(numbered("A", 5), numbered("B", 3)...)...)}
	var seen []access.Call
	c := notesClient(api, access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { seen = append(seen, call) })))
	list := call.List(c, notesOf("A", "B"), decodeNote)
	tests := []struct {
		name string
		call func(context.Context) error
		want access.Call
	}{
		{"a get", func(ctx context.Context) error {
			_, err := call.GetOne(ctx, c, &call.Get{Pattern: notesByKey, Key: noteKeys("Notes", "A", "01")[0]}, decodeNote)
			return err
		}, access.Call{Operation: "GetItem", Units: 0.5, Requests: 1, Items: 1}},
		{"a slice", func(ctx context.Context) error { _, err := list.Slice(ctx); return err },
			access.Call{Operation: "Query", Units: 1, Requests: 2, Items: 8}},
		{"a page", func(ctx context.Context) error { _, err := list.PageSize(2).Page(ctx, ""); return err },
			access.Call{Operation: "Query", Units: 1, Requests: 2, Items: 4}},
		{"a loop that is left", func(ctx context.Context) error {
			for _, err := range call.List(c, notesOf("A"), decodeNote).PageSize(2).All(ctx) {
				return err
			}
			return nil
		}, access.Call{Operation: "Query", Units: 0.5, Requests: 1, Items: 2}},
		{"a loop over pages", func(ctx context.Context) error {
			for _, err := range call.List(c, notesOf("A"), decodeNote).PageSize(2).All(ctx) {
				if err != nil {
					return err
				}
			}
			return nil
		}, access.Call{Operation: "Query", Units: 1.5, Requests: 3, Items: 5}},
		{"a count", func(ctx context.Context) error { _, err := list.Count(ctx); return err },
			access.Call{Operation: "Query", Units: 1, Requests: 2, Items: 8}},
		{"a batch", func(ctx context.Context) error {
			_, err := call.BatchGet(ctx, c, notesByKey, noteKeys("Notes", "A", "00", "01", "none"), false, decodeNote)
			return err
		}, access.Call{Operation: "BatchGetItem", Estimated: 7.5, Units: 1.5, Requests: 1, Items: 2}},
		{"a batch with a key twice", func(ctx context.Context) error {
			_, err := call.BatchGet(ctx, c, notesByKey, noteKeys("Notes", "A", "00", "00"), false, decodeNote)
			return err
		}, access.Call{Operation: "BatchGetItem", Units: 0.5, Requests: 1, Items: 1}},
		{"a scan", func(ctx context.Context) error {
			return call.Scan(c, call.Sweep{Pattern: notesByKey}, decodeNote).Each(ctx, func(context.Context, note) error { return nil })
		}, access.Call{Operation: "Scan", Units: 2, Requests: 1, Items: 8}},
		{"nothing", func(ctx context.Context) error {
			_, err := call.List(c, notesOf("nobody"), decodeNote).First(ctx)
			return err
		}, access.Call{Operation: "Query", Units: 0.5, Requests: 1, Err: access.ErrNotFound}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen = nil
			err := test.call(t.Context())
			if !errors.Is(err, test.want.Err) {
				t.Fatal(err)
			}
			if len(seen) != 1 {
				t.Fatalf("%d calls were observed", len(seen))
			}
			want, got := test.want, seen[0]
			want.Pattern, want.Table, want.Estimated, want.Err = "ListNotes", "Notes", max(want.Estimated, 2.5), err
			want.Start, want.Duration = got.Start, got.Duration
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
