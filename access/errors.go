package access

import (
	"errors"
	"fmt"
	"strings"
)

// The errors of calls, for errors.Is.
var (
	// ErrNotFound says that there is no such item.
	ErrNotFound = errors.New("access: no such item")
	// ErrExists says that there is such an item already.
	ErrExists = errors.New("access: the item exists already")
	// ErrRequired says that a write requires something of another item that does not hold: the
	// other item does not exist, exists, or is in another state. It says nothing about the item
	// that the write is about.
	ErrRequired = errors.New("access: something the write requires does not hold")
	// ErrNothingGiven says that the caller of a patch left out every value that it sets. Nothing
	// was sent.
	ErrNothingGiven = errors.New("access: no value to change is given")
	// ErrTruncated says that a pattern that collects found more items than its limit. The
	// result that is returned with it holds the items up to the limit.
	ErrTruncated = errors.New("access: there is more than the pattern's limit")
	// ErrBadCursor says that a cursor was not made by this pattern, this design and these
	// arguments.
	ErrBadCursor = errors.New("access: the cursor belongs to something else, or is damaged")
	// ErrTwice says that one call would write one item twice, or name one item twice in a
	// snapshot, which DynamoDB refuses.
	ErrTwice = errors.New("access: one call touches one item twice")
	// ErrSealed says that an attribute is sealed and the client has no sealer.
	ErrSealed = errors.New("access: the attribute is sealed and the client has no sealer")
	// ErrNotOpened is the error of a Sealer for a value that was sealed with another key or for
	// another attribute, or that is damaged. Reading such a value is a *DecodeError.
	ErrNotOpened = errors.New("does not open: it was sealed with another key or for another attribute, or it is damaged")
	// ErrUsed says that a transaction was committed before. Whether that succeeded or not, a
	// retry needs a new transaction.
	ErrUsed = errors.New("access: the transaction was committed before")
	// ErrNotYet says that only the new version of the design serves the pattern, and that its migration has not got so far.
	ErrNotYet = errors.New("access: the migration has not reached the phase in which this is served")
	// ErrConflict says that RetryOnConflict gave up, because every attempt asked for a retry.
	ErrConflict = errors.New("access: concurrent writes changed the same items at every attempt")
)

// A ConditionError says that an item does not satisfy the condition of a write. errors.Is
// finds ErrNotFound in it if there is no item, ErrExists if there must be none, and
// ErrRequired if it is another item than the one written, which the pattern requires
// something of.
type ConditionError[T any] struct {
	Pattern string
	Action  string // the action that failed: update Attempt
	Needs   string // the condition in the design's words; "" if the design states none
	Current *T     // the item as it is; nil if there is none
	Kind    error  // ErrNotFound, ErrExists, ErrRequired or an error that wraps one of them; else nil
	Cause   error  // the SDK's error
}

func (e *ConditionError[T]) Error() string {
	why := "the item is not in a state that allows it"
	switch {
	case e.Kind != nil:
		why = e.Kind.Error()
	case e.Needs != "":
		why = "it needs " + e.Needs
	}
	return fmt.Sprintf("%s: %s: %s", e.Pattern, e.Action, why)
}

// Unwrap returns Kind and Cause.
func (e *ConditionError[T]) Unwrap() []error { return both(e.Kind, e.Cause) }

// A VersionError says that the item has changed since it was read. errors.Is finds
// ErrRequired in it if it is another item than the one written, which the pattern requires
// something of.
type VersionError struct {
	Pattern    string
	Action     string
	Seen, Have int64 // the version the caller read, and the current version
	Current    any   // the item as it is, a *T of its entity
	Kind       error // ErrRequired or nil
	Cause      error // the SDK's error
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: %s: it was changed since it was read: version %d is now %d", e.Pattern, e.Action, e.Seen, e.Have)
}

// Unwrap returns Kind and Cause.
func (e *VersionError) Unwrap() []error { return both(e.Kind, e.Cause) }

// A TakenError says that another item has a value that must be unique.
type TakenError struct {
	Pattern    string
	Entity     string
	Attributes []string
	Cause      error // the SDK's error
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("%s: another %s has this %s", e.Pattern, e.Entity, strings.Join(e.Attributes, ", "))
}

// Unwrap returns Cause.
func (e *TakenError) Unwrap() error { return e.Cause }

// A TxError says why a transaction failed. A transaction that failed has changed nothing.
// errors.Is and errors.As look into every reason.
type TxError struct {
	Pattern string
	Reasons []Reason // one for each action that failed
	Cause   error    // the SDK's error
}

// A Reason says why one action of a transaction failed.
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

// Unwrap returns the errors of the reasons, and Cause.
func (e *TxError) Unwrap() []error {
	var all []error
	for _, r := range e.Reasons {
		all = append(all, r.Err)
	}
	return append(all, e.Cause)
}

// A FencedError says that a request was not sent because the process may not send any: it has not read the state row of the design
// lately, its code has a version that may not run, or the phase has changed since the call began.
type FencedError struct {
	Design    string
	Reason    string // with what to do about it
	Overtaken bool   // another epoch began after the call did; the call may begin again unless Sent
	// Sent says that the same request was sent before, without a final answer: it may have been carried out.
	Sent  bool
	Cause error // why the state row could not be read, or the endpoint's refusal; else nil
}

func (e *FencedError) Error() string {
	text := fmt.Sprintf("access: design %s: no request is sent: %s", e.Design, e.Reason)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Sent {
		text += " (an earlier attempt may have been carried out)"
	}
	return text
}

// Unwrap returns Cause.
func (e *FencedError) Unwrap() error { return e.Cause }

// A DoneError says that a write succeeded but the returned item cannot be decoded: it holds
// a value that the design does not allow, or one that was sealed with a key that the client
// does not have. All other errors of a write mean that it changed nothing. A caller that
// repeats the write does it twice.
type DoneError struct {
	Pattern string
	Action  string // the action that succeeded: update Attempt
	Item    Item   // the item as it is now
	Cause   error  // why it cannot be decoded
}

func (e *DoneError) Error() string {
	return fmt.Sprintf("%s: %s: it was done, but the item cannot be read: %v", e.Pattern, e.Action, e.Cause)
}

// Unwrap returns Cause, most often a *DecodeError.
func (e *DoneError) Unwrap() error { return e.Cause }

// A KeyError says that a value cannot be part of a key.
type KeyError struct {
	Entity    string
	Attribute string
	Reason    string // is empty; holds the delimiter #; ...
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot be part of a key: it %s", e.Attribute, e.Entity, e.Reason)
}

// A SpanError says that a range of a time spans more partitions than the pattern reads. Nothing
// was sent.
type SpanError struct {
	Entity    string
	Attribute string
	Units     string // years, months, days or hours
	Spans     int    // the number of partitions of the range
	Most      int    // the number that the pattern reads
}

func (e *SpanError) Error() string {
	return fmt.Sprintf("access: the range of %s of %s spans %d %s, and the pattern reads at most %d", e.Attribute, e.Entity, e.Spans, e.Units, e.Most)
}

// A LifecycleError says that a write would move an item from one state to another that does
// not follow it in the design. Nothing was sent.
type LifecycleError struct {
	Entity    string
	Attribute string
	From, To  string
}

func (e *LifecycleError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot go from %q to %q: its lifecycle has no such step", e.Attribute, e.Entity, e.From, e.To)
}

// A ValueError says that a value cannot be stored.
type ValueError struct {
	Entity    string
	Attribute string
	Reason    string // is not a date; ...
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot be stored: it %s", e.Attribute, e.Entity, e.Reason)
}

// A DecodeError says that a stored item does not match the design.
type DecodeError struct {
	Entity    string
	Attribute string // its name in DynamoDB
	Reason    string // holds N, not S
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("access: %s of a stored %s cannot be read: it %s", e.Attribute, e.Entity, e.Reason)
}

// An UnreadError says that a batch could not be read completely. The batch returns no items
// with it.
type UnreadError struct {
	Pattern string
	Left    int   // keys that DynamoDB has not answered
	Cause   error // the context's error, or DynamoDB's; keys left unprocessed count as throttled
}

func (e *UnreadError) Error() string {
	return fmt.Sprintf("%s: %d keys of the batch were not read: %v", e.Pattern, e.Left, e.Cause)
}

// Unwrap returns Cause.
func (e *UnreadError) Unwrap() error { return e.Cause }

// A BatchError says that some writes of a batch failed. All others succeeded.
type BatchError struct {
	Pattern string
	Left    []int // indexes of the writes that failed or may have failed
	Of      int   // writes of the batch
	Err     error // why; writes left unprocessed count as throttled
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("%s: %d of %d writes were not done: %v", e.Pattern, len(e.Left), e.Of, e.Err)
}

// Unwrap returns Err.
func (e *BatchError) Unwrap() error { return e.Err }

func both(a, b error) []error {
	var all []error
	for _, err := range []error{a, b} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}
