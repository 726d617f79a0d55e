package call

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// FaultOf returns the Fault of actions on an entity, which makes the error of a failed
// condition.
//
//   - On a row that keeps a value unique it is the action's TakenError.
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
func FaultOf[T any](decode func(access.Item) (T, error)) func(Failure) error {
	return func(f Failure) error {
		w := f.Action
		if w.Taken != nil {
			return &access.TakenError{Pattern: f.Pattern, Entity: w.Taken.Entity, Attributes: w.Taken.Attributes, Cause: f.Cause}
		}
		current, cause := currentOf(f, decode)
		if f.Current != nil && w.Version != "" && w.Expects != Absent {
			if have, known := versionOf(f.Current[w.Version]); known && have != w.Seen {
				e := &access.VersionError{Pattern: f.Pattern, Action: w.Name, Seen: w.Seen, Have: have, Cause: cause}
				if w.Required {
					e.Kind = access.ErrRequired
				}
				if current != nil { // a nil *T in an interface would not be nil
					e.Current = current
				}
				return e
			}
		}
		return &access.ConditionError[T]{
			Pattern: f.Pattern, Action: w.Name, Needs: w.Needs, Current: current,
			Kind: kindOf(f), Cause: cause,
		}
	}
}

// rawFault is the fault of writes that bring none.
var rawFault = FaultOf(func(item access.Item) (access.Item, error) { return item, nil })

// fault returns the error of a write whose condition did not hold.
func fault(pattern string, w *Action, current access.Item, cause error) error {
	f := Failure{Pattern: pattern, Action: w, Cause: cause}
	if len(current) > 0 {
		f.Current = current
	}
	if w.Fault == nil {
		return rawFault(f)
	}
	return w.Fault(f)
}

// failed returns the error of a write that is a request of its own.
func failed(p *access.Pattern, w *Action, err error) error {
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

func currentOf[T any](f Failure, decode func(access.Item) (T, error)) (*T, error) {
	if f.Current == nil {
		return nil, f.Cause
	}
	current, err := decode(f.Current)
	switch {
	case errors.Is(err, marshal.Skip): // an item of another entity has the key
		return nil, f.Cause
	case err != nil:
		return nil, errors.Join(f.Cause, err)
	}
	return &current, f.Cause
}

// kindOf returns what errors.Is finds in the error of a failed condition. Where the design's
// words say more than that, it wraps them in.
func kindOf(f Failure) error {
	w := f.Action
	kind, more := error(nil), false
	switch {
	case w.Required:
		kind, more = access.ErrRequired, true
	case w.Expects == Absent:
		kind = access.ErrExists
	case f.Current == nil && needsItem(w):
		kind, more = access.ErrNotFound, w.Expects != Present
	}
	if more && w.Needs != "" {
		return fmt.Errorf("%w: it needs %s", kind, w.Needs)
	}
	return kind
}

// needsItem reports whether a condition that failed needs an item. No item at all fails the
// condition of a put or a delete only if that asks something of one. An update that does not
// say so makes the item it is about, such as a row of a counter that is spread.
func needsItem(w *Action) bool {
	return w.Expects == Present || w.Version != "" || w.Kind == Put || w.Kind == Delete
}

// versionOf returns the version an item has; one without the attribute has version 0.
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
