package access

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/internal/code"
)

// Refused reports whether an error is an answer about the data rather than a fault of the
// call: there is no such item, it exists already, or it or something else is not as the
// write needs it.
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

// Contended reports whether a write was not done for no other reason than that somebody
// wrote the same items at the same time: a version that is not the one that was read, or a
// conflict of transactions that did not end while the client tried again. Nothing is wrong
// with the write; reading again and deciding again may help.
func Contended(err error) bool {
	if tx, ok := errors.AsType[*TxError](err); ok {
		return !slices.ContainsFunc(tx.Reasons, func(r Reason) bool { return r.Code != code.TransactionConflict && !Contended(r.Err) })
	}
	var conflict *types.TransactionConflictException
	var changed *VersionError
	return errors.As(err, &changed) || errors.As(err, &conflict)
}
