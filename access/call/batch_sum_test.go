package call_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

// A seenBatch notes what is asked for of the items.
type seenBatch struct {
	access.API
	asked []string // the attributes, of each request
}

func (a *seenBatch) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	ask := in.RequestItems["Notes"]
	var names []string
	for _, placeholder := range strings.Split(*ask.ProjectionExpression, ", ") {
		names = append(names, ask.ExpressionAttributeNames[placeholder])
	}
	a.asked = append(a.asked, fmt.Sprint(names, len(ask.Keys), ask.ConsistentRead != nil && *ask.ConsistentRead))
	return a.API.BatchGetItem(ctx, in, options...)
}

func ranked(ranks ...string) []note {
	var all []note
	for i, rank := range ranks {
		all = append(all, note{PK: "A", SK: fmt.Sprint(i), Kind: "x", Rank: rank})
	}
	return all
}

// Numbers are added exactly, and nothing but them is read. What is not there, or has no
// number, adds nothing.
func TestBatchSum(t *testing.T) {
	api := &seenBatch{API: openNotes(t, append(ranked("0.1", "0.2", "-7"), note{PK: "A", SK: "bare"})...)}
	keys := noteKeys("Notes", "A", "0", "1", "none", "2", "bare")
	var calls []access.Call
	observer := access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { calls = append(calls, call) }))
	got, err := call.BatchSum(t.Context(), notesClient(api, observer), notesByKey, keys, "rank", true, access.ParseDecimal)
	if err != nil || got != "-6.7" {
		t.Errorf("got %v, %v", got, err)
	}
	if len(calls) != 1 || calls[0].Operation != "BatchGetItem" || calls[0].Estimated != notesByKey.Units || calls[0].Units != 5 {
		t.Errorf("observed %+v", calls)
	}
	if none, err := call.BatchSum(t.Context(), notesClient(api), notesByKey, noteKeys("Notes", "B", "0", "1"), "rank", false, marshal.ParseInt); none != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	if diff := cmp.Diff([]string{"[rank PK SK] 5 true", "[rank PK SK] 2 false"}, api.asked); diff != "" {
		t.Error(diff)
	}
}

// What DynamoDB leaves out is asked for again, and counted once.
func TestBatchSumOfMany(t *testing.T) {
	var notes []note
	for i := range 250 {
		notes = append(notes, note{PK: "A", SK: fmt.Sprint(i), Kind: "x", Rank: fmt.Sprint(i)})
	}
	api := &lazyAPI{API: openNotes(t, notes...), answers: 30}
	got, err := call.BatchSum(t.Context(), notesClient(api, access.WithRetries(2, 0, 0)), notesByKey, noteKeys("Notes", "A", sortKeys(notes)...), "rank", false, marshal.ParseInt)
	if err != nil || got != 250*249/2 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBatchSumRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		ranks     []string
		attribute string
		want      string
	}{
		"no number":       {[]string{"1"}, "kind", `ListNotes: the item with PK = "A", SK = "0": access: kind of a stored counter cannot be read: it holds S, not N`},
		"not whole":       {[]string{"1", "0.5"}, "rank", "ListNotes: the sum of rank: is not a whole number of 64 bits"},
		"too large":       {[]string{"9223372036854775807", "1"}, "rank", "ListNotes: the sum of rank: is not a whole number of 64 bits"},
		"too many digits": {[]string{"1e60", "1"}, "rank", "ListNotes: the sum of rank: is not a decimal number of at most 38 digits"},
	} {
		keys := noteKeys("Notes", "A", sortKeys(ranked(test.ranks...))...)
		got, err := call.BatchSum(t.Context(), notesClient(openNotes(t, ranked(test.ranks...)...)), notesByKey, keys, test.attribute, false, marshal.ParseInt)
		if got != 0 || err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := call.BatchSum(ctx, notesClient(openNotes(t)), notesByKey, noteKeys("Notes", "A", "0"), "rank", false, marshal.ParseInt); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
