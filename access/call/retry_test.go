package call_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestSendRetriesWhenDynamoDBIsBusy(t *testing.T) {
	for _, test := range []struct {
		err   error
		again bool
	}{
		{&types.ProvisionedThroughputExceededException{}, true},
		{&types.RequestLimitExceeded{}, true},
		{&types.ThrottlingException{}, true},
		{&types.InternalServerError{}, true},
		{&types.TransactionConflictException{}, true},
		{&smithy.OperationError{OperationName: "PutItem", Err: &types.ThrottlingException{}}, true},
		{&retry.MaxAttemptsError{Attempt: 3, Err: &types.ThrottlingException{}}, false}, // the SDK did
		{&types.ResourceNotFoundException{}, false},
		{&types.ItemCollectionSizeLimitExceededException{}, false},
		{context.DeadlineExceeded, false},
	} {
		sent := 0
		api := moody{API: openShop(t).API(), put: func(*dynamodb.PutItemInput) error {
			if sent++; sent < 3 {
				return test.err
			}
			return nil
		}}
		log := &callLog{}
		s := shopOn(api, patient, access.WithObserver(log))
		w := save(product{ID: "1"})
		err := call.PutItem(t.Context(), s.c, saveProducts, &w)
		if (err == nil) != test.again || err != nil && !errors.Is(err, test.err) {
			t.Errorf("after %T: %v", test.err, err)
		}
		want := access.Call{Pattern: "SaveProduct", Table: "Shop", Operation: "PutItem", Estimated: 1, Requests: 1}
		if test.again {
			want.Requests, want.Retries, want.Units, want.Items = 3, 2, 1, 1
		}
		if got := log.only(t); got != want {
			t.Errorf("after %T\ngot  %+v\nwant %+v", test.err, got, want)
		}
	}
}

func TestSendStopsAfterItsAttempts(t *testing.T) {
	sent := 0
	api := moody{API: openShop(t).API(), put: func(*dynamodb.PutItemInput) error {
		sent++
		return &types.ThrottlingException{Message: aws.String("slow down")}
	}}
	s := shopOn(api, access.WithRetries(4, time.Microsecond, time.Microsecond))
	w := save(product{ID: "1"})
	err := call.PutItem(t.Context(), s.c, saveProducts, &w)
	var throttled *types.ThrottlingException
	if !errors.As(err, &throttled) || sent != 4 {
		t.Fatalf("sent %d times: %v", sent, err)
	}
	if want := "SaveProduct: put Product: gave up after 4 attempts: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestRetryWaitEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	api := moody{API: openShop(t).API(), put: func(*dynamodb.PutItemInput) error {
		stop()
		return &types.ThrottlingException{}
	}}
	s := shopOn(api, access.WithRetries(4, time.Hour, time.Hour))
	w := save(product{ID: "1"})
	err := call.PutItem(ctx, s.c, saveProducts, &w)
	var throttled *types.ThrottlingException
	if !errors.Is(err, context.Canceled) || !errors.As(err, &throttled) {
		t.Errorf("got %v", err)
	}
}

func TestSendDoesNotRepeatRetriesOfTheSDK(t *testing.T) {
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sent.Add(1)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}`))
	}))
	defer server.Close()
	client := sdkClient(server.URL, func(o *dynamodb.Options) {
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 3
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		})
	})
	w := save(product{ID: "1"})
	err := call.PutItem(t.Context(), shopOn(client, patient).c, saveProducts, &w)
	var busy *types.ProvisionedThroughputExceededException
	if !errors.As(err, &busy) || sent.Load() != 3 {
		t.Errorf("sent %d times, want 3: %v", sent.Load(), err)
	}
}
