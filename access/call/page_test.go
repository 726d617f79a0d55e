package call_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestPageSizes(t *testing.T) {
	notes := numbered("A", 12)
	for i := range notes {
		notes[i].Keep = i%3 == 0 // 00 03 06 09
	}
	api := openNotes(t, append(notes, numbered("B", 12)...)...)
	limited := notesOf("A")
	limited.Limit = 5
	plain := func(l access.List[note]) access.List[note] { return l }
	sized := func(n int) func(access.List[note]) access.List[note] {
		return func(l access.List[note]) access.List[note] { return l.PageSize(n) }
	}
	tests := []struct {
		name  string
		cut   int32
		query call.Query
		list  func(access.List[note]) access.List[note]
		want  []int
	}{
		{"a page is DynamoDB's", 0, notesOf("A"), plain, []int{12}},
		{"wherever it ends", 5, notesOf("A"), plain, []int{5, 5, 2}},
		{"the pattern's limit", 0, limited, plain, []int{5, 5, 2}},
		{"the limit", 0, limited, func(l access.List[note]) access.List[note] { return l.Limit(6) }, []int{6, 6, 0}},
		{"no limit", 0, limited, func(l access.List[note]) access.List[note] { return l.Limit(0) }, []int{12}},
		{"its own size", 0, limited, sized(7), []int{7, 5}},
		{"larger than DynamoDB's", 2, notesOf("A"), sized(7), []int{7, 5}},
		{"a filter reads on", 2, keptOf("A"), sized(3), []int{3, 1}},
		{"a filter that cuts an answer", 0, keptOf("A"), sized(3), []int{3, 1}},
		{"a filter that just fills the last page", 0, keptOf("A"), sized(2), []int{2, 2}},
		{"two partitions", 0, notesOf("A", "B"), sized(10), []int{10, 10, 4}},
		{"two partitions, as large as can be", 0, notesOf("A", "B"), plain, []int{24}},
		{"two partitions, wherever one ends", 5, notesOf("A", "B"), plain, []int{9, 9, 6}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := notesClient(&tap{API: api, cut: test.cut})
			got, sizes := pages(t, test.list(call.List(c, test.query, decodeNote)))
			if diff := cmp.Diff(test.want, sizes); diff != "" {
				t.Error(diff)
			}
			all, err := call.List(c, test.query, decodeNote).Limit(0).Slice(t.Context())
			if diff := cmp.Diff(all, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

// rangeOf returns the notes of a partition below a sort key.
func rangeOf(pk, below string) call.Query {
	q := notesOf(pk)
	q.KeyCondition = "PK = :PK AND SK < :below"
	q.Requests[0].Values[":below"] = &types.AttributeValueMemberS{Value: below}
	return q
}

func TestCursorIsValidForItsQueryOnly(t *testing.T) {
	api := openNotes(t, append(append(numbered("A", 9), numbered("B", 9)...), numbered("C", 9)...)...)
	page := func(c *access.Client, q call.Query, cursor string) (access.Page[note], error) {
		return call.List(c, q, decodeNote).PageSize(3).Page(t.Context(), cursor)
	}
	other := *notesByKey
	other.Name = "ListOtherNotes"
	elsewhere := notesOf("A")
	elsewhere.Pattern = &other
	key, otherKey := access.WithCursorKey(make([]byte, 32)), access.WithCursorKey([]byte("0123456789abcdef"))
	changed := access.NewClient(api, access.Design{Name: "Papers"})
	tests := []struct {
		name     string
		c, c2    *access.Client
		from, to call.Query
		want     []string // nil: ErrBadCursor
	}{
		{"the same", notesClient(api), notesClient(api), notesOf("A"), notesOf("A"), []string{"03", "04", "05"}},
		{"the same, sealed", notesClient(api, key), notesClient(api, key), notesOf("A"), notesOf("A"), []string{"03", "04", "05"}},
		{"a range whose end moved", notesClient(api), notesClient(api), rangeOf("A", "07"), rangeOf("A", "05"), []string{"03", "04"}},
		{"a range it has left", notesClient(api), notesClient(api), rangeOf("A", "07"), rangeOf("A", "01"), nil},
		{"another partition", notesClient(api), notesClient(api), notesOf("A"), notesOf("B"), nil},
		{"another partition, sealed", notesClient(api, key), notesClient(api, key), notesOf("A"), notesOf("B"), nil},
		{"a further partition", notesClient(api), notesClient(api), notesOf("A"), notesOf("A", "B"), nil},
		{"other partitions", notesClient(api), notesClient(api), notesOf("A", "B"), notesOf("A", "C"), nil},
		{"partitions in another order", notesClient(api), notesClient(api), notesOf("A", "B"), notesOf("B", "A"), []string{"01", "02", "02"}},
		{"another pattern", notesClient(api), notesClient(api), notesOf("A"), elsewhere, nil},
		{"another design", notesClient(api), changed, notesOf("A"), notesOf("A"), nil},
		{"another key", notesClient(api, key), notesClient(api, otherKey), notesOf("A"), notesOf("A"), nil},
		{"sealed, but not here", notesClient(api, key), notesClient(api), notesOf("A"), notesOf("A"), nil},
		{"sealed here only", notesClient(api), notesClient(api, key), notesOf("A"), notesOf("A"), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			first, err := page(test.c, test.from, "")
			if err != nil || first.Next == "" {
				t.Fatal(first, err)
			}
			second, err := page(test.c2, test.to, first.Next)
			if test.want == nil {
				if !errors.Is(err, access.ErrBadCursor) || second.Items != nil || second.Next != "" {
					t.Errorf("got %v, %v", second, err)
				}
				return
			}
			if diff := cmp.Diff(test.want, sortKeys(second.Items)); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

// branches asks one partition for notes whose sort key begins with one of several
// branches, each up to a leaf.
func branches(to string, names ...string) call.Query {
	q := call.Query{
		Pattern: notesByKey, KeyCondition: "#PK = :PK AND #SK BETWEEN :SK_from AND :SK_to", Partition: []string{":PK"},
		Names: map[string]string{"#PK": "PK", "#SK": "SK"},
	}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	for _, name := range names {
		q.Requests = append(q.Requests, call.Request{
			Values: access.Item{":PK": text("A"), ":SK_from": text(name + "#"), ":SK_to": text(name + "#" + to)},
			Lead:   len(name) + 1,
		})
	}
	return q
}

// A place in a cursor is that of the request for one value of the sort key. For another
// value it would leave out everything that the first had already read, or had not.
func TestCursorIsValidForItsSortKeyValues(t *testing.T) {
	var notes []note
	for _, sk := range []string{"ash#1", "ash#2", "ash#3", "fir#2", "oak#1", "oak#2"} {
		notes = append(notes, note{PK: "A", SK: sk})
	}
	c := notesClient(openNotes(t, notes...))
	first, err := call.List(c, branches("9", "ash", "elm"), decodeNote).PageSize(1).Page(t.Context(), "")
	if err != nil || first.Next == "" {
		t.Fatal(first, err)
	}
	for name, test := range map[string]struct {
		to   call.Query
		want []string // nil: ErrBadCursor
	}{
		"the same":               {branches("9", "ash", "elm"), []string{"ash#2", "ash#3"}},
		"in another order":       {branches("9", "elm", "ash"), []string{"ash#2", "ash#3"}},
		"a range that moved":     {branches("2", "ash", "elm"), []string{"ash#2"}},
		"another for an empty":   {branches("9", "ash", "oak"), nil},
		"another for a read one": {branches("9", "elm", "fir"), nil},
		"one more":               {branches("9", "ash", "elm", "oak"), nil},
	} {
		page, err := call.List(c, test.to, decodeNote).PageSize(9).Page(t.Context(), first.Next)
		if test.want == nil {
			if !errors.Is(err, access.ErrBadCursor) {
				t.Errorf("%s: got %v, %v", name, page, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, sortKeys(page.Items)); diff != "" || err != nil {
			t.Error(name, diff, err)
		}
	}
}

// A query whose code does not say what its partition is still cannot be led elsewhere.
func TestDynamoDBRefusesTheCursorOfAnotherPartition(t *testing.T) {
	db := openNotesDB(t, append(numbered("A", 9), numbered("B", 9)...)...)
	a, b := notesOf("A"), notesOf("B")
	a.Partition, b.Partition = nil, nil
	for name, api := range map[string]access.API{"api": db.API(), "client": db.Client()} {
		first, err := call.List(notesClient(api), a, decodeNote).PageSize(3).Page(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = call.List(notesClient(api), b, decodeNote).PageSize(3).Page(t.Context(), first.Next)
		if !errors.Is(err, access.ErrBadCursor) || !strings.Contains(err.Error(), "starting key") || strings.Count(err.Error(), "ListNotes") != 1 {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestOtherErrorsAreNotTheCursors(t *testing.T) {
	list := call.List(notesClient(openNotes(t, numbered("A", 9)...)), notesOf("A"), decodeNote).PageSize(3)
	first, err := list.Page(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	q := notesOf("A")
	q.Filter = "keep = :missing"
	_, err = call.List(notesClient(openNotes(t)), q, decodeNote).PageSize(3).Page(t.Context(), first.Next)
	if err == nil || errors.Is(err, access.ErrBadCursor) {
		t.Errorf("got %v", err)
	}
}

func TestBadCursorKey(t *testing.T) {
	api := openNotes(t, numbered("A", 1)...)
	for _, key := range [][]byte{nil, {}, []byte("short"), make([]byte, 33)} { // nil: a secret that was not found
		_, err := call.List(notesClient(api, access.WithCursorKey(key)), notesOf("A"), decodeNote).Page(t.Context(), "")
		if err == nil || errors.Is(err, access.ErrBadCursor) || !strings.Contains(err.Error(), "16, 24 or 32 bytes") {
			t.Errorf("a key of %d bytes: %v", len(key), err)
		}
	}
}

// TestCursorKeyIsTheClientsOwn has a caller that clears its key when the client is made.
func TestCursorKeyIsTheClientsOwn(t *testing.T) {
	api := openNotes(t, numbered("A", 9)...)
	key := []byte("0123456789abcdef")
	list := call.List(notesClient(api, access.WithCursorKey(key)), notesOf("A"), decodeNote).PageSize(3)
	first, err := list.Page(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	clear(key)
	if _, err := list.Page(t.Context(), first.Next); err != nil {
		t.Errorf("after the key was cleared: %v", err)
	}
}
