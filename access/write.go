package access

// An Action is what a write does to one item.
type Action uint8

// The actions.
const (
	Put Action = iota
	Update
	Delete
	Check
)

// A Write is one action on one item: the whole of a pattern, or a part of its
// transaction.
type Write struct {
	Action    Action
	Name      string   // as errors name it: create Attempt, guard User.email, counter Project.question_count
	Table     string   // as the design names it
	Key       Item     // of all but puts
	Item      Item     // of puts; holds its key
	KeyNames  []string // the primary key attributes of the table
	Update    string
	Condition string
	Names     map[string]string
	Values    Item
	// Expects is what the condition says about the item being there, so that a failure
	// can be told apart.
	Expects Expectation
	// Required is set on a write that only asks something of another item than those the
	// pattern is about. Its failure is ErrRequired, whatever Expects says: ErrExists or
	// ErrNotFound would be read as an answer about the item that is written.
	Required bool
	// Needs is what the condition asks of the item, in the design's words, for errors:
	// status = STARTED and current_position = $previous_position.
	Needs string
	// Version is "" or the attribute of the optimistic lock that the condition compares,
	// and Seen the version the caller saw.
	Version string
	Seen    int64
	// Taken is set on the row that keeps a value unique.
	Taken *TakenError
	// Fault makes the error of a failed condition; generated code has one for each entity.
	// Nil: a ConditionError that holds the item as the SDK does.
	Fault func(Failure) error
	Err   error // what went wrong when the write was made; the call returns it
}

// An Expectation is what a condition says about an item being there.
type Expectation uint8

// The expectations.
const (
	Anything Expectation = iota
	Present              // attribute_exists: else there is nothing to change
	Absent               // attribute_not_exists: else it exists already
)

// A Failure is a condition that did not hold.
type Failure struct {
	Pattern string
	Write   *Write
	Current Item  // the item as it is; nil: there is none
	Cause   error // the SDK's error
}
