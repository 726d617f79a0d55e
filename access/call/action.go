package call

import (
	"fmt"

	"sortkey.dev/access"
)

// A Kind says what an action does to its item.
type Kind uint8

// The kinds of actions.
const (
	Put Kind = iota
	Update
	Delete
	Check
)

// String returns the kind as DynamoDB names it in a transaction.
func (k Kind) String() string {
	switch k {
	case Put:
		return "Put"
	case Update:
		return "Update"
	case Delete:
		return "Delete"
	case Check:
		return "ConditionCheck"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// An Action writes or checks one item. It is the whole of a pattern, or a part of its
// transaction.
type Action struct {
	Kind      Kind
	Name      string      // as errors name it: create Attempt, guard User.email, counter Project.question_count
	Table     string      // as the design names it
	Key       access.Item // of all kinds but Put
	Item      access.Item // of Put; holds its key
	KeyNames  []string    // the primary key attributes of the table
	Update    string
	Condition string
	Names     map[string]string
	Values    access.Item
	// Part names the part of the item in which the two versions of the design differ that the package holds; "": in none. Known holds
	// attributes of the item that the call knows besides those that it sets.
	Part  string
	Known access.Item
	// Counted names the parts of new counters that count the item of the action, and Counters those of new counters that the item keeps: see
	// count_phase.go.
	Counted, Counters []string
	// Renamed maps the stored names of attributes to those that they have in the new version of the design. It is set
	// on updates of the old version that change such attributes, and on its puts; see WriteInPhase.
	Renamed map[string]string
	// Expects says whether the condition requires an item or none, so that failures can be
	// told apart.
	Expects Expectation
	// Required is set on an action that only requires something of another item than those the
	// pattern is about. Its failure is access.ErrRequired, whatever Expects says: ErrExists or
	// ErrNotFound would be read as an answer about the item that is written.
	Required bool
	// Needs is the condition in the design's words, for errors:
	// status = STARTED and current_position = $previous_position.
	Needs string
	// Version is "" or the attribute of the optimistic lock that the condition compares, and
	// Seen the version that the caller read.
	Version string
	Seen    int64
	// Taken is set on the row that keeps a value unique.
	Taken *access.TakenError
	// Fault makes the error of a failed condition; generated code has one for each entity.
	// Nil: an access.ConditionError that holds the item as the SDK does.
	Fault     func(Failure) error
	Err       error          // of making the action; the call returns it
	places    *access.Places // of a write of the old version to an item that lies elsewhere in the new one
	elsewhere *elsewhere     // the same change in the other place, while a migration moves the item; nil: there is none
	// otherwise is sent instead if the condition fails, during a migration; nil: the call fails.
	otherwise *Action
	// asRead is the item as it was read to make the write, during a migration; nil: it was not read.
	asRead *access.Item
	// freedBy is the key of an item of the same call that frees the unique value of the row; nil: there is none.
	freedBy access.Item
	// client names the table of an action that was added to the transaction of another
	// package; nil: the client of the call.
	client *access.Client
}

// tableName returns the name that the action's table has in DynamoDB.
func (w *Action) tableName(c *access.Client) string {
	if w.client != nil {
		c = w.client
	}
	return c.Table(w.Table)
}

// An Expectation says whether a condition requires an item or none.
type Expectation uint8

// The expectations.
const (
	Anything Expectation = iota
	Present              // attribute_exists: the item must exist
	Absent               // attribute_not_exists: the item must not exist
)

// A Failure describes a condition that did not hold.
type Failure struct {
	Pattern string
	Action  *Action
	Current access.Item // the item as it is; nil if there is none
	Cause   error       // the SDK's error
}
