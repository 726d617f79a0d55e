package access

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// FaultOf makes the Fault of writes to an entity: it says what was in the way of a failed
// condition.
//
//   - On a row that keeps a value unique it is the write's TakenError.
//   - If the item has another version than the caller saw, a VersionError; with ErrRequired
//     if the write only requires something of the item.
//   - On a write that only requires something of another item, a ConditionError with
//     ErrRequired.
//   - If there is no item and the write needs one, a ConditionError with ErrNotFound.
//   - If there is an item and the write needs none, a ConditionError with ErrExists.
//   - Else a ConditionError that holds the item.
//
// An item that cannot be decoded leaves Current nil and adds the error of decode. Some
// services that speak DynamoDB's protocol never return the item; then a write that needs
// one cannot be told from one whose other conditions failed, and ErrNotFound it is.
func FaultOf[T any](decode func(Item) (T, error)) func(Failure) error {
	return func(f Failure) error {
		w := f.Write
		if w.Taken != nil {
			return &TakenError{Pattern: f.Pattern, Entity: w.Taken.Entity, Attributes: w.Taken.Attributes, cause: f.Cause}
		}
		current, cause := currentOf(f, decode)
		if f.Current != nil && w.Version != "" && w.Expects != Absent {
			if have, known := versionOf(f.Current[w.Version]); known && have != w.Seen {
				e := &VersionError{Pattern: f.Pattern, Action: w.Name, Seen: w.Seen, Have: have, cause: cause}
				if w.Required {
					e.reason = ErrRequired
				}
				if current != nil { // a nil *T in an interface would not be nil
					e.Current = current
				}
				return e
			}
		}
		return &ConditionError[T]{
			Pattern: f.Pattern, Action: w.Name, Needs: w.Needs, Current: current,
			reason: reasonOf(f), implied: w.Expects != Present, cause: cause,
		}
	}
}

// rawFault is the fault of writes that bring none.
var rawFault = FaultOf(func(item Item) (Item, error) { return item, nil })

// fault is the error of a write whose condition did not hold.
func fault(pattern string, w *Write, current Item, cause error) error {
	f := Failure{Pattern: pattern, Write: w, Cause: cause}
	if len(current) > 0 {
		f.Current = current
	}
	if w.Fault == nil {
		return rawFault(f)
	}
	return w.Fault(f)
}

// failed is the error of a write that is a request of its own.
func failed(p *Pattern, w *Write, err error) error {
	var unmet *types.ConditionalCheckFailedException
	if errors.As(err, &unmet) {
		return fault(p.Name, w, unmet.Item, err)
	}
	return named(p.Name, w.Name, err)
}

// named says which action of which pattern met an error.
func named(pattern, action string, err error) error {
	if action == "" {
		return fmt.Errorf("%s: %w", pattern, err)
	}
	return fmt.Errorf("%s: %s: %w", pattern, action, err)
}

func currentOf[T any](f Failure, decode func(Item) (T, error)) (*T, error) {
	if f.Current == nil {
		return nil, f.Cause
	}
	current, err := decode(f.Current)
	switch {
	case errors.Is(err, Skip): // an item of another entity has the key
		return nil, f.Cause
	case err != nil:
		return nil, errors.Join(f.Cause, err)
	}
	return &current, f.Cause
}

func reasonOf(f Failure) error {
	switch {
	case f.Write.Required:
		return ErrRequired
	case f.Write.Expects == Absent:
		return ErrExists
	case f.Current == nil && needsItem(f.Write):
		return ErrNotFound
	}
	return nil
}

// needsItem reports whether a condition that failed needs an item. No item at all fails the
// condition of a put or a delete only if that asks something of one. An update that does not
// say so makes the item it is about, such as a row of a counter that is spread.
func needsItem(w *Write) bool {
	return w.Expects == Present || w.Version != "" || w.Action == Put || w.Action == Delete
}

// versionOf is the version an item has; one without the attribute has version 0.
func versionOf(v types.AttributeValue) (version int64, known bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case *types.AttributeValueMemberN:
		version, err := strconv.ParseInt(v.Value, 10, 64)
		return version, err == nil
	}
	return 0, false
}

// Refused reports whether an error is an answer about the data rather than a fault of the
// call: there is no such item, it exists already, or it or something else is not as the
// write needs it.
func Refused(err error) bool {
	var tx *TxError
	if errors.As(err, &tx) {
		for _, r := range tx.Reasons {
			if r.Code != conditionFailed {
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
		return !slices.ContainsFunc(tx.Reasons, func(r Reason) bool { return r.Code != conflicted && !Contended(r.Err) })
	}
	var conflict *types.TransactionConflictException
	var changed *VersionError
	return errors.As(err, &changed) || errors.As(err, &conflict)
}
