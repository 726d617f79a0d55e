package call_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestCollectAll(t *testing.T) {
	api := &tap{API: openNotes(t, append(numbered("A", 7), numbered("B", 5)...)...), cut: 3}
	var got []note
	q := notesOf("A", "B")
	collect := func(item access.Item) error {
		n, err := decodeNote(item)
		got = append(got, n)
		return err
	}
	if err := call.CollectAll(t.Context(), notesClient(api), &q, collect); err != nil {
		t.Fatal(err)
	}
	want := []string{"00", "00", "01", "01", "02", "02", "03", "03", "04", "04", "05", "06"}
	if diff := cmp.Diff(want, sortKeys(got)); diff != "" {
		t.Error(diff)
	}
	enough := errors.New("enough")
	err := call.CollectAll(t.Context(), notesClient(api), &q, func(access.Item) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

func TestCollectAllReturnsErrTruncated(t *testing.T) {
	notes := append(numbered("A", 6), numbered("B", 4)...)
	for i := range notes {
		notes[i].Keep = true
	}
	api := openNotes(t, append(notes, note{PK: "C", SK: "00"}, note{PK: "C", SK: "01", Other: true}, note{PK: "C", SK: "02"})...)
	for _, test := range []struct {
		name      string
		query     call.Query
		limit     int
		cut       int32
		want      int
		truncated bool
		requests  int
	}{
		{"it fits", notesOf("A"), 7, 0, 6, false, 1},
		{"it just fits", notesOf("A"), 6, 0, 6, false, 1},
		{"one more", notesOf("A"), 5, 0, 5, true, 1},
		{"many more", notesOf("A"), 1, 0, 1, true, 1},
		{"no limit", notesOf("A"), 0, 0, 6, false, 1},
		{"it just fits, in pages", notesOf("A"), 6, 4, 6, false, 2},
		{"one more, in pages", notesOf("A"), 5, 5, 5, true, 2},
		{"two partitions just fit", notesOf("A", "B"), 10, 0, 10, false, 2},
		{"two partitions and one more", notesOf("A", "B"), 9, 0, 9, true, 2},
		{"a filter, just", keptOf("A"), 6, 0, 6, false, 1},
		{"a filter, one more", keptOf("A"), 5, 0, 5, true, 1},
		{"what is skipped does not count", notesOf("C"), 2, 0, 2, false, 2},
		{"nothing", notesOf("nobody"), 1, 0, 0, false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log callLog
			seen := &tap{API: api, cut: test.cut}
			test.query.Limit = test.limit
			got := 0
			err := call.CollectAll(t.Context(), notesClient(seen, access.WithObserver(&log)), &test.query, func(item access.Item) error {
				_, err := decodeNote(item)
				if err == nil {
					got++
				}
				return err
			})
			if got != test.want || errors.Is(err, access.ErrTruncated) != test.truncated || !test.truncated && err != nil {
				t.Errorf("got %d, %v", got, err)
			}
			if test.truncated && err.Error() != "ListNotes: access: there is more than the pattern's limit" {
				t.Errorf("got %v", err)
			}
			if units := log.only(t).Units; seen.sent() != test.requests || units != 0.5*float64(test.requests) {
				t.Errorf("%d requests took %v units", seen.sent(), units)
			}
		})
	}
}
