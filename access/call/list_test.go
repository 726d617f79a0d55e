package call_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestListLimits(t *testing.T) {
	api := openNotes(t, numbered("A", 10)...)
	limited := notesOf("A")
	limited.Limit = 4
	tests := []struct {
		name  string
		query call.Query
		list  func(access.List[note]) access.List[note]
		want  int
		asked []string
	}{
		{"no limit", notesOf("A"), func(l access.List[note]) access.List[note] { return l }, 10, []string{"-"}},
		{"the pattern's", limited, func(l access.List[note]) access.List[note] { return l }, 4, []string{"4"}},
		{"another", limited, func(l access.List[note]) access.List[note] { return l.Limit(7) }, 7, []string{"7"}},
		{"none", limited, func(l access.List[note]) access.List[note] { return l.Limit(0) }, 10, []string{"-"}},
		{"below nothing is none", limited, func(l access.List[note]) access.List[note] { return l.Limit(-1) }, 10, []string{"-"}},
		{"small pages", notesOf("A"), func(l access.List[note]) access.List[note] { return l.Limit(5).PageSize(2) }, 5, []string{"1", "2", "2"}},
		{"pages larger than the limit", limited, func(l access.List[note]) access.List[note] { return l.PageSize(8) }, 4, []string{"4"}},
		{"a filter counts behind the limit", keptOf("A"), func(l access.List[note]) access.List[note] { return l.Limit(3) }, 0, []string{"100"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen := &tap{API: api}
			got, err := test.list(call.List(notesClient(seen), test.query, decodeNote)).Slice(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(firstKeys(test.want), sortKeys(got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.asked, seen.limits()); diff != "" {
				t.Error("asked for:", diff)
			}
		})
	}
}

func TestListIsAValue(t *testing.T) {
	c := notesClient(openNotes(t, numbered("A", 5)...))
	list := call.List(c, notesOf("A"), decodeNote)
	list.Limit(1).PageSize(1)
	for range 2 {
		got, err := list.Slice(t.Context())
		if err != nil || len(got) != 5 {
			t.Errorf("a list changed by what was made of it: %d %v", len(got), err)
		}
	}
}

func TestListFirst(t *testing.T) {
	api := openNotes(t, numbered("A", 5)...)
	putNotes(t, api, "Notes", note{PK: "B", SK: "00", Other: true}, note{PK: "B", SK: "01", Other: true}, note{PK: "B", SK: "02", Other: true}, note{PK: "B", SK: "03"})
	seen := &tap{API: api}
	first, err := call.List(notesClient(seen), notesOf("A"), decodeNote).Limit(3).First(t.Context())
	if err != nil || first.SK != "00" {
		t.Errorf("got %+v, %v", first, err)
	}
	if diff := cmp.Diff([]string{"1"}, seen.limits()); diff != "" {
		t.Error(diff)
	}
	seen = &tap{API: api}
	first, err = call.List(notesClient(seen), notesOf("B"), decodeNote).First(t.Context())
	if err != nil || first.SK != "03" {
		t.Errorf("got %+v, %v", first, err)
	}
	if diff := cmp.Diff([]string{"1", "2", "4"}, seen.limits()); diff != "" {
		t.Error("what is skipped is asked for in larger and larger pieces:", diff)
	}
	_, err = call.List(notesClient(api), notesOf("nobody"), decodeNote).First(t.Context())
	if !errors.Is(err, access.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestListOfNothing(t *testing.T) {
	c := notesClient(openNotes(t, numbered("A", 5)...))
	list := call.List(c, notesOf(), decodeNote) // an empty list of values was asked for
	all, err := list.Slice(t.Context())
	if err != nil || all == nil || len(all) != 0 {
		t.Errorf("slice: %v %v", all, err)
	}
	page, err := list.Page(t.Context(), "")
	if err != nil || len(page.Items) != 0 || page.Next != "" {
		t.Errorf("page: %v %v", page, err)
	}
	if n, err := list.Count(t.Context()); n != 0 || err != nil {
		t.Errorf("count: %v %v", n, err)
	}
	if list.Request() != nil {
		t.Error("there is a request")
	}
}

func TestListDropsRepeatedRequests(t *testing.T) {
	c := notesClient(openNotes(t, append(numbered("A", 3), numbered("B", 2)...)...))
	got, err := call.List(c, notesOf("A", "B", "A", "B"), decodeNote).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"00", "00", "01", "01", "02"}, sortKeys(got)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryTerminalReturnsTheErrorOfTheQuery(t *testing.T) {
	q := notesOf("A")
	wrong := &access.KeyError{Entity: "Note", Attribute: "id", Reason: "is empty"}
	q.Err = wrong
	var log callLog
	c := notesClient(nil, access.WithObserver(&log)) // nil: nothing may be sent
	list := call.List(c, q, decodeNote)
	terminals := map[string]func(context.Context) error{
		"All": func(ctx context.Context) error {
			var last error
			for _, err := range list.All(ctx) {
				last = err
			}
			return last
		},
		"Slice": func(ctx context.Context) error { _, err := list.Slice(ctx); return err },
		"First": func(ctx context.Context) error { _, err := list.First(ctx); return err },
		"Page":  func(ctx context.Context) error { _, err := list.Page(ctx, ""); return err },
		"Count": func(ctx context.Context) error { _, err := list.Count(ctx); return err },
		"QueryOne": func(ctx context.Context) error {
			_, err := call.QueryOne(ctx, c, &q, decodeNote)
			return err
		},
		"CollectAll": func(ctx context.Context) error { return call.CollectAll(ctx, c, &q, nil) },
		"GetOne": func(ctx context.Context) error {
			_, err := call.GetOne(ctx, c, &call.Get{Pattern: notesByKey, Err: wrong}, decodeNote)
			return err
		},
		"Scan": func(ctx context.Context) error {
			return call.Scan(c, call.Sweep{Pattern: notesByKey, Err: wrong}, decodeNote).Each(ctx, nil)
		},
	}
	for name, terminal := range terminals {
		log.calls = nil
		err := terminal(t.Context())
		if !errors.Is(err, wrong) {
			t.Errorf("%s returns %v", name, err)
		}
		if len(log.calls) != 1 || log.calls[0].Err == nil || log.calls[0].Err.Error() != err.Error() || log.calls[0].Requests != 0 {
			t.Errorf("%s: the observer was told %+v", name, log.calls)
		}
	}
	if list.Request() != nil {
		t.Error("there is a request")
	}
}

func TestListRequest(t *testing.T) {
	q := keptOf("A", "B")
	q.Names, q.Projection, q.Descending, q.Consistent = map[string]string{"#k": "keep"}, "PK, SK, #k", true, true
	list := call.List(notesClient(nil, access.WithTablePrefix("test-")), q, decodeNote)
	in := list.Request()
	if *in.TableName != "test-Notes" || *in.KeyConditionExpression != "PK = :PK" || *in.FilterExpression != "keep = :keep" ||
		*in.ProjectionExpression != "PK, SK, #k" || *in.ScanIndexForward || !*in.ConsistentRead || in.IndexName != nil || in.Limit != nil {
		t.Errorf("got %+v", in)
	}
	in.ExpressionAttributeValues[":PK"] = nil
	all := list.Requests()
	if len(all) != 2 || all[0].ExpressionAttributeValues[":PK"] == nil {
		t.Error("a request is the list's own, and can be spoilt")
	}
	q = notesOf("A")
	q.Pattern = &access.Pattern{Name: "ByPair", Table: "Notes", Index: "Pair"}
	q.AllAttributes, q.Limit = true, 20
	in = call.List(notesClient(nil), q, decodeNote).Request()
	if *in.IndexName != "Pair" || in.Select != types.SelectAllAttributes || *in.Limit != 20 || in.ReturnConsumedCapacity != "" {
		t.Errorf("got %+v", in)
	}
}

func TestDecodeErrorEndsAList(t *testing.T) {
	c := notesClient(openNotes(t, numbered("A", 5)...))
	wrong := &access.DecodeError{Entity: "Note", Attribute: "SK", Reason: "holds S, not N"}
	list := call.List(c, notesOf("A"), func(item access.Item) (note, error) {
		n, err := decodeNote(item)
		if n.SK == "02" {
			return n, wrong
		}
		return n, err
	})
	var got []note
	var last error
	for n, err := range list.All(t.Context()) {
		if err != nil {
			last = err
			continue
		}
		got = append(got, n)
	}
	if diff := cmp.Diff(firstKeys(2), sortKeys(got)); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(last, wrong) || last.Error() != `ListNotes: the item with PK = "A", SK = "02": access: SK of a stored Note cannot be read: it holds S, not N` {
		t.Errorf("got %v", last)
	}
	if page, err := list.Page(t.Context(), ""); !errors.Is(err, wrong) || page.Items != nil || page.Next != "" {
		t.Errorf("got %v %v", page, err)
	}
}
