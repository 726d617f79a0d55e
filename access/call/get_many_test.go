package call_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// found returns the sort keys of notes, - where there is none.
func found(notes []*note) []string {
	all := make([]string, len(notes))
	for i, n := range notes {
		if all[i] = "-"; n != nil {
			all[i] = n.SK
		}
	}
	return all
}

func TestGetManyKeepsThePlacesOfKeys(t *testing.T) {
	c := notesClient(openNotes(t, append(numbered("A", 5), note{PK: "A", SK: "other", Other: true})...))
	get := func(sks ...string) []*note {
		t.Helper()
		got, err := call.GetMany(t.Context(), c, &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", sks...), Consistent: true}, decodeNote)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff([]string{"03", "-", "01", "-", "04"}, found(get("03", "none", "01", "other", "04"))); diff != "" {
		t.Error(diff)
	}
	twice := get("01", "none", "02", "01", "none")
	if diff := cmp.Diff([]string{"01", "-", "02", "01", "-"}, found(twice)); diff != "" || twice[0] != twice[3] {
		t.Error(diff, "a key that is given twice is read once")
	}
	if none := get(); len(none) != 0 {
		t.Errorf("got %v", none)
	}
}

func TestGetManySelects(t *testing.T) {
	c := notesClient(openNotes(t, note{PK: "A", SK: "1", Kind: "k", Rank: "5", Keep: true}))
	got, err := call.GetMany(t.Context(), c, &call.Gets{
		Pattern: notesByKey, Keys: noteKeys("Notes", "A", "2", "1"), Projection: "#k, PK, SK", Names: map[string]string{"#k": "kind"},
	}, func(item access.Item) (int, error) { return len(item), nil })
	if err != nil || got[0] != nil || *got[1] != 3 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestGetManyFails(t *testing.T) {
	c := notesClient(openNotes(t, numbered("A", 1)...))
	wrong := errors.New("wrong")
	_, err := call.GetMany(t.Context(), c, &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", "00"), Err: wrong}, decodeNote)
	if !errors.Is(err, wrong) || err.Error() != "ListNotes: wrong" {
		t.Errorf("got %v", err)
	}
	_, err = call.GetMany(t.Context(), c, &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", "00")}, func(access.Item) (note, error) { return note{}, wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	lazy := notesClient(&lazyAPI{API: openNotes(t)}, access.WithRetries(2, 0, 0))
	_, err = call.GetMany(t.Context(), lazy, &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", "00")}, decodeNote)
	if unread := new(access.UnreadError); !errors.As(err, &unread) || unread.Left != 1 {
		t.Errorf("got %v", err)
	}
}

// More keys than a request may have, of which DynamoDB answers some at a time.
func TestGetManyAsksAgain(t *testing.T) {
	var sks, want []string
	var notes []note
	for i := range 250 {
		sks, want = append(sks, fmt.Sprintf("%03d", i)), append(want, "-")
		if i%3 > 0 {
			notes, want[i] = append(notes, note{PK: "A", SK: sks[i]}), sks[i]
		}
	}
	api := &lazyAPI{API: openNotes(t, notes...), answers: 30}
	got, err := call.GetMany(t.Context(), notesClient(api, access.WithRetries(2, 0, 0)), &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", sks...)}, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, found(got)); diff != "" {
		t.Error(diff)
	}
}

// An answer ends at 16 MB, and the keys that are left are asked for again.
func TestGetManyOfLargeItems(t *testing.T) {
	api := openNotes(t)
	table, text := "Notes", strings.Repeat("x", 390<<10)
	var sks []string
	for i := range 60 {
		sks = append(sks, fmt.Sprintf("%02d", i))
		item := noteItem(table, note{PK: "A", SK: sks[i]})
		item["text"] = &types.AttributeValueMemberS{Value: text}
		if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	var seen []access.Call
	c := notesClient(api, access.WithRetries(3, 0, 0), access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { seen = append(seen, call) })))
	got, err := call.GetMany(t.Context(), c, &call.Gets{Pattern: notesByKey, Keys: noteKeys("Notes", "A", sks...)}, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sks, found(got)); diff != "" {
		t.Error(diff)
	}
	if len(seen) != 1 || seen[0].Operation != "BatchGetItem" || seen[0].Requests != 2 || seen[0].Items != 60 {
		t.Errorf("observed %+v", seen)
	}
}

// Numbers are keys by their value.
func TestGetManyKnowsNumbersByValue(t *testing.T) {
	api := openNotes(t)
	putNotes(t, api, "NotesN", note{PK: "A", SK: "1"}, note{PK: "A", SK: "2.5"})
	keys := []access.Item{}
	for _, text := range []string{"2.50", "1.0", "3"} {
		keys = append(keys, access.Item{"PK": &types.AttributeValueMemberS{Value: "A"}, "SK": &types.AttributeValueMemberN{Value: text}})
	}
	got, err := call.GetMany(t.Context(), notesClient(api), &call.Gets{Pattern: &access.Pattern{Name: "GetNotes", Table: "NotesN"}, Keys: keys}, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2.5", "1", "-"}, found(got)); diff != "" {
		t.Error(diff)
	}
}
