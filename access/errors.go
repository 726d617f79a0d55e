package access

import (
	"errors"
	"fmt"
	"strings"
)

// What calls report, for errors.Is.
var (
	// ErrNotFound says that there is no such item.
	ErrNotFound = errors.New("access: no such item")
	// ErrExists says that there is such an item already.
	ErrExists = errors.New("access: the item exists already")
	// ErrRequired says that something else which a write requires does not hold: another item
	// is not there, is there, or is not in the state it must have. The item that the write is
	// about has not been looked at, so nothing follows for it.
	ErrRequired = errors.New("access: something the write requires does not hold")
	// ErrTruncated says that a pattern which collects has found more than its limit. The
	// result that comes with it is what there is up to the limit.
	ErrTruncated = errors.New("access: there is more than the pattern's limit")
	// ErrBadCursor says that a cursor is not one of this pattern, this design and these
	// arguments.
	ErrBadCursor = errors.New("access: the cursor belongs to something else, or is damaged")
	// ErrTwice says that one call would touch one item twice, which DynamoDB refuses.
	ErrTwice = errors.New("access: one call touches one item twice")
	// ErrSealed says that an attribute is sealed and the client has no sealer.
	ErrSealed = errors.New("access: the attribute is sealed and the client has no sealer")
)

// A ConditionError says that an item is not as a write needs it. errors.Is finds
// ErrNotFound in it if there is no item, ErrExists if there must be none, and ErrRequired
// if it is another item than the one written, which the pattern requires something of.
type ConditionError[T any] struct {
	Pattern string
	Action  string // what failed: update Attempt
	Needs   string // what the item must be like, in the design's words; "" if they say nothing
	Current *T     // the item as it is; nil: there is none
	reason  error  // ErrNotFound, ErrExists, ErrRequired or nil
	implied bool   // there must be an item only because of what Needs says
	cause   error  // the SDK's error
}

func (e *ConditionError[T]) Error() string {
	why := "the item is not in a state that allows it"
	switch {
	case (e.reason == ErrRequired || e.reason == ErrNotFound && e.implied) && e.Needs != "":
		why = fmt.Sprintf("%v: it needs %s", e.reason, e.Needs)
	case e.reason != nil: // there being an item or none says more than what it should be like
		why = e.reason.Error()
	case e.Needs != "":
		why = "it needs " + e.Needs
	}
	return fmt.Sprintf("%s: %s: %s", e.Pattern, e.Action, why)
}

// Unwrap gives the reason and the SDK's error.
func (e *ConditionError[T]) Unwrap() []error { return both(e.reason, e.cause) }

// A VersionError says that somebody else changed the item since it was read. errors.Is finds
// ErrRequired in it if it is another item than the one written, which the pattern requires
// something of.
type VersionError struct {
	Pattern    string
	Action     string
	Seen, Have int64 // the version the caller saw, and the one it has now
	Current    any   // the item as it is, a *T of its entity
	reason     error // ErrRequired or nil
	cause      error
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: %s: it was changed since it was read: version %d is now %d", e.Pattern, e.Action, e.Seen, e.Have)
}

// Unwrap gives the reason and the SDK's error.
func (e *VersionError) Unwrap() []error { return both(e.reason, e.cause) }

// A TakenError says that another item has a value that must be unique.
type TakenError struct {
	Pattern    string
	Entity     string
	Attributes []string
	cause      error
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("%s: another %s has this %s", e.Pattern, e.Entity, strings.Join(e.Attributes, ", "))
}

// Unwrap gives the SDK's error.
func (e *TakenError) Unwrap() error { return e.cause }

// A TxError says why a transaction was not done: nothing of it was. errors.Is and
// errors.As look into every reason.
type TxError struct {
	Pattern string
	Reasons []Reason // one for each action that stood in the way
	cause   error
}

// A Reason is why one action of a transaction could not be done.
type Reason struct {
	Action string // update ExamSession
	Code   string // DynamoDB's: ConditionalCheckFailed, TransactionConflict, ...
	Err    error  // a ConditionError, VersionError or TakenError; else DynamoDB's message
}

func (e *TxError) Error() string {
	texts := make([]string, len(e.Reasons))
	for i, r := range e.Reasons {
		texts[i] = strings.TrimPrefix(r.Err.Error(), e.Pattern+": ")
	}
	return fmt.Sprintf("%s: the transaction was not done: %s", e.Pattern, strings.Join(texts, "; "))
}

// Unwrap gives the reasons and the SDK's error.
func (e *TxError) Unwrap() []error {
	var all []error
	for _, r := range e.Reasons {
		all = append(all, r.Err)
	}
	return append(all, e.cause)
}

// A DoneError says that a write was done, but the item that DynamoDB answered with cannot
// be read: somebody stored what the design does not allow, or sealed it under a key that
// the client has not. So it tells such a write from one that was refused, which changed
// nothing. Who sends the write again does it twice.
type DoneError struct {
	Pattern string
	Action  string // what was done: update Attempt
	Item    Item   // the item as it is now
	cause   error  // why it cannot be read
}

func (e *DoneError) Error() string {
	return fmt.Sprintf("%s: %s: it was done, but the item cannot be read: %v", e.Pattern, e.Action, e.cause)
}

// Unwrap gives why the item cannot be read, most often a *DecodeError.
func (e *DoneError) Unwrap() error { return e.cause }

// A KeyError says that a value cannot be part of a key.
type KeyError struct {
	Entity    string
	Attribute string
	Reason    string // is empty; holds the delimiter #; ...
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot be part of a key: it %s", e.Attribute, e.Entity, e.Reason)
}

// A LifecycleError says that a write would take an item from a state to one that does not
// follow it in the design. Nothing was sent.
type LifecycleError struct {
	Entity    string
	Attribute string
	From, To  string
}

func (e *LifecycleError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot go from %q to %q: its lifecycle has no such step", e.Attribute, e.Entity, e.From, e.To)
}

// A DecodeError says that an item does not hold what the design says.
type DecodeError struct {
	Entity    string
	Attribute string // its name in DynamoDB
	Reason    string // holds N, not S
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("access: %s of a stored %s cannot be read: it %s", e.Attribute, e.Entity, e.Reason)
}

func both(a, b error) []error {
	var all []error
	for _, err := range []error{a, b} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}
