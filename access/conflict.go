package access

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/internal/code"
	"sortkey.dev/internal/wait"
)

// Refused reports whether an error is an answer about the data rather than a failure of the
// call: the item does not exist, exists already, or an item does not satisfy the condition
// of the write.
func Refused(err error) bool {
	var tx *TxError
	if errors.As(err, &tx) {
		for _, r := range tx.Reasons {
			if r.Code != code.ConditionalCheckFailed {
				return false
			}
		}
		return true
	}
	var unmet *types.ConditionalCheckFailedException
	return errors.Is(err, ErrNotFound) || errors.As(err, &unmet)
}

// Contended reports whether a write failed because of concurrent writes to the same items: the
// version of an item has changed since it was read, or transactions conflicted for as long as
// the client retried. Reading again and deciding again may help, as RetryOnConflict does. Other
// conditions that failed together with a version may only have failed because of it, so a
// transaction with a changed version is contended, whatever else it met.
func Contended(err error) bool {
	var changed *VersionError
	if tx, ok := errors.AsType[*TxError](err); ok {
		conflicts := true
		for _, r := range tx.Reasons {
			if errors.As(r.Err, &changed) {
				return true
			}
			conflicts = conflicts && (r.Code == code.TransactionConflict || Contended(r.Err))
		}
		return conflicts
	}
	var conflict *types.TransactionConflictException
	return errors.As(err, &changed) || errors.As(err, &conflict)
}

// Unavailable reports whether an error says that DynamoDB cannot be used at the moment: it
// throttles, it is overloaded or failing, the network failed, a deadline passed, or this process may send
// no request (FencedError). The same call may succeed later, perhaps in another process. The client has retried it by then.
func Unavailable(err error) bool {
	if tx, ok := errors.AsType[*TxError](err); ok {
		throttled := false
		for _, r := range tx.Reasons {
			if !code.Unavailable(r.Code) && r.Code != code.TransactionConflict {
				return false
			}
			throttled = throttled || code.Unavailable(r.Code)
		}
		return throttled
	}
	var network net.Error
	var fenced *FencedError
	return errors.As(err, &network) || errors.As(err, &fenced) || code.Unavailable(code.Of(err))
}

const (
	conflictAttempts = 8
	conflictWait     = 40 * time.Millisecond // the longest, between two attempts
)

// RetryOnConflict calls try until it succeeds or fails for another reason than a conflict
// with concurrent writes, at most eight times, with short random waits in between. try reads
// the items that its decision depends on, decides and writes, so that every attempt decides
// on current data.
//
// Another attempt follows if the error of try is Contended, or if try returns retry: for
// example after a ConditionError of an item that it has just read. If retry comes without an
// error, the next attempt follows at once. RetryOnConflict returns the error of the last
// attempt, and ErrConflict if that has none. If ctx ends during a wait, the error wraps the
// error of ctx too.
func RetryOnConflict(ctx context.Context, try func() (retry bool, err error)) error {
	for attempt := 1; ; attempt++ {
		retry, err := try()
		if !retry && !Contended(err) {
			return err
		}
		if attempt == conflictAttempts {
			if err == nil {
				err = ErrConflict
			}
			return err
		}
		if err == nil {
			continue
		}
		if stopped := wait.For(ctx, rand.N(conflictWait)); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
}
