package call_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

// Callers give sets, such as the keys of a map: their order must not matter.
func TestTheOrderOfRequestsDoesNotMatter(t *testing.T) {
	var notes []note
	var partitions []string
	for i := range 8 {
		partitions = append(partitions, fmt.Sprint("P", i*i))
		notes = append(notes, numbered(partitions[i], 4)...) // the same sort keys in all
	}
	c := notesClient(openNotes(t, notes...))
	want, err := call.List(c, notesOf(partitions...), decodeNote).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		shuffled := func() access.List[note] {
			given := append([]string(nil), partitions...)
			r.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
			q := notesOf(append(given, given[0])...)
			below := fmt.Sprint("9", r.IntN(1000))
			for i := range q.Requests { // what is read may move from page to page, as time does
				q.Requests[i].Values[":below"] = &types.AttributeValueMemberS{Value: below}
			}
			q.KeyCondition += " AND SK < :below"
			return call.List(c, q, decodeNote).PageSize(5)
		}
		var got []note
		for cursor, more := "", true; more; more = cursor != "" {
			page, err := shuffled().Page(t.Context(), cursor)
			if err != nil {
				t.Fatal(err)
			}
			got, cursor = append(got, page.Items...), page.Next
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Nothing lies in a range that ends before it begins. DynamoDB refuses to look.
func TestARangeThatEndsBeforeItBegins(t *testing.T) {
	c := notesClient(openNotes(t, numbered("A", 4)...))
	between := func(from, to string) access.List[note] {
		q := notesOf("A")
		q.KeyCondition += " AND SK BETWEEN :from AND :to"
		q.Between = [2]string{":from", ":to"}
		q.Requests[0].Values[":from"], q.Requests[0].Values[":to"] = marshal.S(from), marshal.S(to)
		return call.List(c, q, decodeNote)
	}
	all, err := between("!", "~").Slice(t.Context())
	if err != nil || len(all) != 4 {
		t.Fatalf("found %d, %v", len(all), err)
	}
	none, err := between("~", "!").Slice(t.Context())
	if err != nil || len(none) != 0 {
		t.Errorf("the wrong way round: found %d, %v", len(none), err)
	}
	if n, err := between("~", "!").Count(t.Context()); n != 0 || err != nil {
		t.Errorf("the wrong way round: counted %d, %v", n, err)
	}
	page, err := between("~", "!").Page(t.Context(), "")
	if err != nil || len(page.Items) != 0 || page.Next != "" {
		t.Errorf("the wrong way round: the page is %+v, %v", page, err)
	}
	if _, err := between("~", "!").First(t.Context()); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("the wrong way round: the first is %v", err)
	}
}

func TestListDoesNotChangeTheQuery(t *testing.T) {
	q := notesOf("B", "A", "B")
	call.List(notesClient(nil), q, decodeNote)
	for i, want := range []string{"B", "A", "B"} {
		if got := q.Requests[i].Values[":PK"].(*types.AttributeValueMemberS).Value; got != want {
			t.Errorf("request %d is now that of %s", i, got)
		}
	}
}

// The requests that have not begun and those that have ended take no room, and no key
// repeats its partition.
func TestCursorsOfManyRequestsAreShort(t *testing.T) {
	var partitions []string
	var notes []note
	for i := range 300 {
		partitions = append(partitions, fmt.Sprintf("a-partition-with-a-long-name-%03d", i))
		if i >= 100 && i < 110 { // the others are empty
			notes = append(notes, numbered(partitions[i], 4)...)
		}
	}
	list := call.List(notesClient(openNotes(t, notes...)), notesOf(partitions...), decodeNote).PageSize(15)
	page, err := list.Page(t.Context(), "")
	if err != nil || len(page.Items) != 15 {
		t.Fatal(len(page.Items), err)
	}
	if len(page.Next) > 110 {
		t.Errorf("the cursor has %d characters", len(page.Next))
	}
	if items, _ := pages(t, list); len(items) != 40 {
		t.Errorf("%d items in pages", len(items))
	}
	fewer := call.List(notesClient(openNotes(t, notes...)), notesOf(partitions[1:]...), decodeNote)
	if _, err := fewer.Page(t.Context(), page.Next); !errors.Is(err, access.ErrBadCursor) {
		t.Errorf("got %v", err)
	}
}
