package main

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/bench/internal/exams/examsdb"
	"sortkey.dev/engine"
)

func TestWaysReturnAndStoreTheSame(t *testing.T) {
	if err := verifyWays(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDifferentTablesAreNoticed(t *testing.T) {
	one, two := access.Item{"n": marshal.N(1)}, access.Item{"n": marshal.N(2)}
	for name, got := range map[string]map[string]access.Item{
		"an item is missing":   {},
		"an item is different": {"key": two},
		"an item is too much":  {"key": one, "other": one},
	} {
		if err := sameTable(got, map[string]access.Item{"key": one}); err == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// A recorder keeps the requests that it passes on.
type recorder struct {
	*engine.API
	requests []any
}

func (r *recorder) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	r.requests = append(r.requests, in)
	return r.API.GetItem(ctx, in, options...)
}

func (r *recorder) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	r.requests = append(r.requests, in)
	return r.API.Query(ctx, in, options...)
}

func (r *recorder) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	r.requests = append(r.requests, in)
	return r.API.PutItem(ctx, in, options...)
}

func (r *recorder) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	r.requests = append(r.requests, in)
	return r.API.UpdateItem(ctx, in, options...)
}

func (r *recorder) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	r.requests = append(r.requests, in)
	return r.API.TransactWriteItems(ctx, in, options...)
}

// requestsOf returns the requests a way sends for one call of each kind.
func requestsOf(t *testing.T, make func(*recorder) way) []any {
	t.Helper()
	db, err := openExams(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r := &recorder{API: db.API()}
	for _, kind := range callKinds {
		c, err := callsSystem{owner: kind.id[:1], way: make(r), store: db.API()}.caller(workload{id: kind.id + doorAPI}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.do(true); err != nil {
			t.Fatalf("%s: %v", kind.title, err)
		}
	}
	return r.requests
}

// TestGeneratedCodeSendsWhatIsWrittenByHand compares all requests but for the random
// tokens of transactions.
func TestGeneratedCodeSendsWhatIsWrittenByHand(t *testing.T) {
	hand := requestsOf(t, func(r *recorder) way { return handWay{r} })
	generated := requestsOf(t, func(r *recorder) way { return generatedWay{examsdb.New(r)} })
	if len(hand) != len(callKinds) {
		t.Errorf("%d requests for %d calls", len(hand), len(callKinds))
	}
	tokens := cmpopts.IgnoreFields(dynamodb.TransactWriteItemsInput{}, "ClientRequestToken")
	unexported := cmp.FilterPath(func(p cmp.Path) bool {
		field, ok := p.Last().(cmp.StructField)
		return ok && strings.ToLower(field.Name()[:1]) == field.Name()[:1]
	}, cmp.Ignore())
	if diff := cmp.Diff(hand, generated, tokens, unexported); diff != "" {
		t.Errorf("requests differ (-hand-written +generated):\n%s", diff)
	}
}

// TestGureguSendsAsManyRequests finds a library call that needs more than one.
func TestGureguSendsAsManyRequests(t *testing.T) {
	if sent := requestsOf(t, func(r *recorder) way { return newGureguWay(r) }); len(sent) != len(callKinds) {
		t.Errorf("%d requests for %d calls", len(sent), len(callKinds))
	}
}

func TestUnknownCallIsRefused(t *testing.T) {
	if _, err := (callsSystem{}).caller(workload{id: "guess-api"}, 1); err == nil {
		t.Error("a caller was made")
	}
}
