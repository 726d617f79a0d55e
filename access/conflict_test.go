package access_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sortkey.dev/access"
)

func TestRetryOnConflictRetriesOnlyConflicts(t *testing.T) {
	broken := errors.New("broken")
	changed := &access.VersionError{Seen: 1, Have: 2}
	for name, test := range map[string]struct {
		retry []bool  // of each attempt; the last one repeats
		errs  []error // of each attempt; the last one repeats
		calls int
		want  error
	}{
		"success":                   {[]bool{false}, []error{nil}, 1, nil},
		"another error":             {[]bool{false}, []error{broken}, 1, broken},
		"a conflict that ends":      {[]bool{false}, []error{changed, changed, nil}, 3, nil},
		"a conflict that stays":     {[]bool{false}, []error{changed}, 8, changed},
		"a retry with an error":     {[]bool{true, false}, []error{broken, nil}, 2, nil},
		"a retry without an error":  {[]bool{true, true, false}, []error{nil}, 3, nil},
		"retries without an end":    {[]bool{true}, []error{nil}, 8, access.ErrConflict},
		"an error after a conflict": {[]bool{false}, []error{changed, broken}, 2, broken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				err := access.RetryOnConflict(t.Context(), func() (bool, error) {
					n := calls
					calls++
					return test.retry[min(n, len(test.retry)-1)], test.errs[min(n, len(test.errs)-1)]
				})
				if calls != test.calls || !errors.Is(err, test.want) {
					t.Errorf("%d calls, %v; want %d, %v", calls, err, test.calls, test.want)
				}
			})
		})
	}
}

func TestRetryOnConflictStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := access.RetryOnConflict(ctx, func() (bool, error) {
			calls++
			cancel()
			return false, &access.VersionError{}
		})
		var changed *access.VersionError
		if calls != 1 || !errors.Is(err, context.Canceled) || !errors.As(err, &changed) {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}

func TestRetryOnConflictWaitsBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_ = access.RetryOnConflict(t.Context(), func() (bool, error) { return false, &access.VersionError{} })
		if waited := time.Since(start); waited <= 0 || waited > 7*40*time.Millisecond {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestUnavailable(t *testing.T) {
	tx := func(codes ...string) error {
		e := &access.TxError{Cause: &types.TransactionCanceledException{}}
		for _, c := range codes {
			e.Reasons = append(e.Reasons, access.Reason{Code: c, Err: errors.New(c)})
		}
		return e
	}
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("broken"), false},
		{access.ErrNotFound, false},
		{context.Canceled, false},
		{context.DeadlineExceeded, true},
		{&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		{&types.ThrottlingException{}, true},
		{fmt.Errorf("GetOrder: %w", &retry.MaxAttemptsError{Attempt: 3, Err: &types.ProvisionedThroughputExceededException{}}), true},
		{&smithy.GenericAPIError{Code: "ServiceUnavailable"}, true},
		{&types.InternalServerError{}, true},
		{&types.ConditionalCheckFailedException{}, false},
		{&types.TransactionConflictException{}, false},
		{&access.BatchError{Err: &types.ThrottlingException{}}, true},
		{tx("ThrottlingError"), true},
		{tx("ProvisionedThroughputExceeded", "TransactionConflict"), true},
		{tx("TransactionConflict"), false},
		{tx("ThrottlingError", "ConditionalCheckFailed"), false},
	} {
		if got := access.Unavailable(test.err); got != test.want {
			t.Errorf("%v: %t", test.err, got)
		}
	}
}
