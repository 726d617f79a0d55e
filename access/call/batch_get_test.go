package call_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func noteKeys(table, pk string, sks ...string) []access.Item {
	var keys []access.Item
	for _, sk := range sks {
		keys = append(keys, access.Item{"PK": &types.AttributeValueMemberS{Value: pk}, "SK": sortValue(table, sk)})
	}
	return keys
}

// A lazyAPI answers only some keys of a batch at a time.
type lazyAPI struct {
	access.API
	answers int // keys a request answers; 0: none
	mu      sync.Mutex
	asked   int // keys in all
	sizes   []int
	before  func()
}

func (a *lazyAPI) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if a.before != nil {
		a.before()
	}
	keys := in.RequestItems["Notes"].Keys
	a.mu.Lock()
	a.asked += len(keys)
	a.sizes = append(a.sizes, len(keys))
	a.mu.Unlock()
	n := min(a.answers, len(keys))
	left := map[string]types.KeysAndAttributes{}
	if n < len(keys) {
		left["Notes"] = types.KeysAndAttributes{Keys: keys[n:], ConsistentRead: in.RequestItems["Notes"].ConsistentRead}
	}
	if n == 0 {
		return &dynamodb.BatchGetItemOutput{UnprocessedKeys: left}, nil
	}
	out, err := a.API.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"Notes": {Keys: keys[:n]}}}, options...)
	if err == nil {
		out.UnprocessedKeys = left
	}
	return out, err
}

func TestBatchGet(t *testing.T) {
	api := openNotes(t, append(numbered("A", 5), note{PK: "A", SK: "other", Other: true})...)
	c := notesClient(api)
	got, err := call.BatchGet(t.Context(), c, notesByKey, noteKeys("Notes", "A", "03", "01", "none", "04", "01", "other"), true, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"03", "01", "04", "01"}, sortKeys(got)); diff != "" {
		t.Error(diff)
	}
	got, err = call.BatchGet(t.Context(), c, notesByKey, nil, false, decodeNote)
	if err != nil || got == nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBatchGetKnowsNumbersByValue(t *testing.T) {
	api := openNotes(t)
	putNotes(t, api, "NotesN", note{PK: "A", SK: "1"}, note{PK: "A", SK: "100"}, note{PK: "A", SK: "2.5"})
	p := &access.Pattern{Name: "GetNotes", Table: "NotesN"}
	got, err := call.BatchGet(t.Context(), notesClient(api), p, noteKeys("NotesN", "A", "2.50", "1.0", "1e2", "1"), false, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2.5", "1", "100", "1"}, sortKeys(got)); diff != "" {
		t.Error(diff)
	}
}

func TestBatchGetOfMany(t *testing.T) {
	var notes []note
	var sks []string
	for i := range 450 {
		sks = append(sks, fmt.Sprintf("%03d", i))
		if i%3 > 0 {
			notes = append(notes, note{PK: "A", SK: sks[i]})
		}
	}
	api := &lazyAPI{API: openNotes(t, notes...), answers: 30}
	keys := append(noteKeys("Notes", "A", sks...), noteKeys("Notes", "A", sks...)...)
	got, err := call.BatchGet(t.Context(), notesClient(api, access.WithRetries(2, 0, 0)), notesByKey, keys, false, decodeNote)
	if err != nil {
		t.Fatal(err)
	}
	want := append(sortKeys(notes), sortKeys(notes)...)
	if diff := cmp.Diff(want, sortKeys(got)); diff != "" {
		t.Error(diff)
	}
	for _, size := range api.sizes {
		if size > 100 {
			t.Errorf("a request asked for %d keys", size)
		}
	}
	// Each key once, and again as long as it was left: 100+70+40+10 four times, 50+20.
	if api.asked != 4*220+70 {
		t.Errorf("asked for %d keys", api.asked)
	}
}

func TestBatchGetGivesUp(t *testing.T) {
	api := &lazyAPI{API: openNotes(t)}
	var calls []access.Call
	observer := access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { calls = append(calls, call) }))
	_, err := call.BatchGet(t.Context(), notesClient(api, access.WithRetries(3, 0, 0), observer), notesByKey, noteKeys("Notes", "A", firstKeys(7)...), false, decodeNote)
	var unread *access.UnreadError
	var throttled *types.ProvisionedThroughputExceededException
	if !errors.As(err, &unread) || unread.Left != 7 || unread.Pattern != "ListNotes" || !errors.As(err, &throttled) || len(api.sizes) != 3 {
		t.Errorf("got %v after %v", err, api.sizes)
	}
	if !strings.HasPrefix(err.Error(), "ListNotes: 7 keys of the batch were not read: ") {
		t.Errorf("got %q", err)
	}
	if len(calls) != 1 || calls[0].Requests != 3 || calls[0].Retries != 2 || calls[0].Err != err {
		t.Errorf("observed %+v", calls)
	}
}

func TestBatchGetEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	api := &lazyAPI{API: openNotes(t, numbered("A", 9)...), answers: 2, before: cancel}
	_, err := call.BatchGet(ctx, notesClient(api, access.WithRetries(9, 1<<40, 1<<40)), notesByKey, noteKeys("Notes", "A", firstKeys(7)...), false, decodeNote)
	var unread *access.UnreadError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &unread) {
		t.Errorf("got %v", err)
	}
}
