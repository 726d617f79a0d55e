package call_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// sparse returns n notes of a partition, of which a filter keeps every so many.
func sparse(pk string, n, every int) []note {
	notes := make([]note, n)
	for i := range notes {
		notes[i] = note{PK: pk, SK: fmt.Sprintf("%05d", i), Keep: every > 0 && i%every == every-1}
	}
	return notes
}

// asks returns the limits of the queries, in the order they were sent.
func (a *tap) asks() string {
	var all []string
	for _, in := range a.seen {
		if in.Limit == nil {
			all = append(all, "-")
		} else {
			all = append(all, fmt.Sprint(*in.Limit))
		}
	}
	return strings.Join(all, " ")
}

func TestAFilterAsksForMoreAndMore(t *testing.T) {
	api := openNotes(t, sparse("half", 2000, 2)...)
	putNotes(t, api, "Notes", sparse("few", 1499, 400)...)
	putNotes(t, api, "Notes", sparse("none", 1500, 0)...)
	putNotes(t, api, "Notes", sparse("small", 99, 50)...)
	type list = access.List[note]
	slice := func(ctx context.Context, l list) (int, error) { items, err := l.Slice(ctx); return len(items), err }
	page := func(ctx context.Context, l list) (int, error) { p, err := l.Page(ctx, ""); return len(p.Items), err }
	first := func(ctx context.Context, l list) (int, error) { _, err := l.First(ctx); return 1, err }
	count := func(ctx context.Context, l list) (int, error) { n, err := l.Count(ctx); return int(n), err }
	for _, test := range []struct {
		name      string
		partition string
		list      func(list) list
		read      func(context.Context, list) (int, error)
		want      int
		asks      string
	}{
		{"everything", "half", func(l list) list { return l }, slice, 1000, "-"},
		{"a page of no size", "half", func(l list) list { return l }, page, 1000, "-"},
		{"a page", "half", func(l list) list { return l.PageSize(20) }, page, 20, "200"},
		{"a small page", "half", func(l list) list { return l.PageSize(3) }, page, 3, "100"},
		{"a limit", "half", func(l list) list { return l.Limit(20) }, slice, 20, "200"},
		{"the first", "half", func(l list) list { return l }, first, 1, "100"},
		{"a count", "half", func(l list) list { return l.Limit(20) }, count, 20, "200"},
		{"pages that are filled", "half", func(l list) list { return l.PageSize(50) }, slice, 1000, "500 500 500 500 500"},
		{"the first of few", "few", func(l list) list { return l }, first, 1, "100 200 400"},
		{"a page of few", "few", func(l list) list { return l.PageSize(2) }, page, 2, "100 200 400 800"},
		{"a count of few", "few", func(l list) list { return l.Limit(3) }, count, 3, "100 200 400 800"},
		{"a limit above all", "few", func(l list) list { return l.Limit(5) }, slice, 3, "100 200 400 800"},
		{"a page of nothing", "none", func(l list) list { return l.PageSize(20) }, page, 0, "200 400 800 1600"},
		{"a small partition", "small", func(l list) list { return l.PageSize(5) }, page, 1, "100"},
		{"a huge limit", "small", func(l list) list { return l.Limit(1 << 40) }, slice, 1, "2147483640"},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen := &tap{API: api}
			got, err := test.read(t.Context(), test.list(call.List(notesClient(seen), keptOf(test.partition), decodeNote)))
			if err != nil || got != test.want {
				t.Errorf("got %d, %v, want %d", got, err, test.want)
			}
			if diff := cmp.Diff(test.asks, seen.asks()); diff != "" {
				t.Error("asked for:", diff)
			}
		})
	}
}

// Pages out of a large partition take as much together as reading it once, more or less,
// and not each of them as much.
func TestPagesWithAFilterDoNotReadEverything(t *testing.T) {
	api := openNotes(t, sparse("A", 2000, 10)...)
	var log callLog
	list := call.List(notesClient(api, access.WithObserver(&log)), keptOf("A"), decodeNote)
	if all, err := list.Slice(t.Context()); err != nil || len(all) != 200 {
		t.Fatal(len(all), err)
	}
	whole := log.only(t).Units
	log.calls = nil
	items, sizes := pages(t, list.PageSize(20))
	units := 0.0
	for _, call := range log.calls {
		units += call.Units
		if call.Units > whole/5 {
			t.Errorf("one of the pages %v takes %v units, everything takes %v", sizes, call.Units, whole)
		}
	}
	if len(items) != 200 || units > 2*whole {
		t.Errorf("%d items in pages take %v units, at once %v", len(items), units, whole)
	}
}

// Each request of a fan-out goes its own pace: one that finds nothing does not make the
// others read more.
func TestFilteredShardsHaveTheirOwnRequestSizes(t *testing.T) {
	api := openNotes(t, sparse("A", 700, 2)...)
	putNotes(t, api, "Notes", sparse("B", 699, 0)...)
	seen := &tap{API: api}
	list := call.List(notesClient(seen, access.WithConcurrency(1)), keptOf("A", "B"), decodeNote)
	p, err := list.PageSize(10).Page(t.Context(), "")
	if err != nil || len(p.Items) != 10 {
		t.Fatal(len(p.Items), err)
	}
	if diff := cmp.Diff("100 100 200 400", seen.asks()); diff != "" {
		t.Error(diff)
	}
}

func TestRequestShowsWhatAFilterAsksFor(t *testing.T) {
	list := call.List(notesClient(nil), keptOf("A"), decodeNote)
	if in := list.PageSize(25).Request(); in.Limit == nil || *in.Limit != 250 {
		t.Errorf("got %v", in.Limit)
	}
}
