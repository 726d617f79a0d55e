package plan

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
)

// A PlannedWrite is one action of a write pattern. A plan of several is one transaction.
type PlannedWrite struct {
	Pattern   *model.Pattern
	Step      *model.Step
	Operation Operation           // PutItem, UpdateItem, DeleteItem or ConditionCheck
	Item      *model.Item         // for a guard row or a shard an item of its own that no table lists
	Primary   []*model.Attribute  // the attributes that the primary key of the item is made of
	Guard     *model.Guard        // the guard whose row it is, or nil
	Key       []keytext.Condition // the primary key; for create and put made from the item itself
	Checks    []*model.Condition  // surplus equalities and if, as a condition on the write
	Indexes   []*IndexWrite       // the effect on each index that the entity has an entry in
	// Requirement is the requirement of the pattern that this write enforces, or nil.
	Requirement *model.Requirement
	// Origin is the action that this one is implied by, or nil: parameters mean those of
	// that action.
	Origin *PlannedWrite
	// Agree are values that must be the same as those of other actions: this one also keeps a
	// counter of what they write.
	Agree []Agreement
	// Implied is "" or the rules that add the write: "guard User.email", "counter Project.question_count".
	Implied string
	// Shards is the number of rows that the counter is spread over of which this write takes
	// one; 0 for all other writes. The row has the key of the item that has the counter, with
	// the name of the counter and the number of the row, from 0, behind it: POST#likes#3.
	Shards int64
	// Statement is the request. In a transaction it is one of its actions.
	Statement *Statement

	facts Facts
}

// Facts are the properties of a write that follow from its pattern and the layout. The
// planner works them out once, when the plan is complete.
type Facts struct {
	Expects     Expectation
	Locked      bool
	Transitions []Transition
	Unheld      []*model.Attribute                // whose lifecycle the write may break
	Bounds      map[*model.Condition]exact.Number // of the checks that keep a counter within its bounds
	Stored      map[*model.Attribute]model.Operand
}

// Complete gives a write its statement and its facts.
func (w *PlannedWrite) Complete(s *Statement, f Facts) { w.Statement, w.facts = s, f }

// Expects returns what the condition says about the presence of the item.
func (w *PlannedWrite) Expects() Expectation { return w.facts.Expects }

// Locked reports whether the condition compares the version that the caller saw.
func (w *PlannedWrite) Locked() bool { return w.facts.Locked }

// Transitions returns the changes of state to check before a request is sent.
func (w *PlannedWrite) Transitions() []Transition { return w.facts.Transitions }

// HoldsLifecycle reports whether a write makes no transition that the lifecycle of an
// attribute lacks, whatever the caller gives: the design states the new state, or the old
// one is known.
func (w *PlannedWrite) HoldsLifecycle(a *model.Attribute) bool {
	return !slices.Contains(w.facts.Unheld, a)
}

// Bound returns the limit that a condition keeps a counter within, and whether it is
// there for that.
func (w *PlannedWrite) Bound(c *model.Condition) (exact.Number, bool) {
	limit, ok := w.facts.Bounds[c]
	return limit, ok
}

// Stored returns the value that an item written whole gets for an attribute.
func (w *PlannedWrite) Stored(a *model.Attribute) model.Operand { return w.facts.Stored[a] }

// Request returns the request of the write as DynamoDB takes it, as a value for JSON. In
// a transaction it is one of its actions.
//
// DynamoDB does not decide what the design leaves to the values of the caller. OnlyIf says
// of a key attribute when the request sets it, or else removes it; of the primary key of a
// guard row, when there is such a row; of an attribute with a guard, when its old value is
// the condition; and of the version of an item that is put, when it is the condition. The
// condition that applies otherwise stands with it.
func (w *PlannedWrite) Request() any { return w.Statement.request() }

// An Expectation says whether the item of a write must be present.
type Expectation int

// The expectations.
const (
	Anything Expectation = iota
	Present
	Absent
)

// A Transition is a change of state of which the caller gives both ends, or one of them
// where the pattern gives the other. No condition can compare it with a lifecycle, so the
// code that makes the request does.
type Transition struct {
	Attribute *model.Attribute
	From, To  model.Operand // a constant or a parameter
	Keeps     bool          // a whole item is written, which may keep its state
}

// Allows reports whether the lifecycle has a change of state, or none is made.
func (t Transition) Allows(from, to string) bool {
	return t.Keeps && from == to || t.Attribute.Lifecycle.Allows(from, to)
}

// An IndexWrite is the effect of one write on one index.
type IndexWrite struct {
	Entry  *layout.Entry
	Change IndexChange
	Stale  []*model.Attribute // attributes the new key needs and the write does not know
}

// IndexChange is the effect of a write on an index entry.
type IndexChange string

// The changes, with their cost: 0, 1 or 2 index writes.
const (
	Untouched IndexChange = "untouched" // no projected attribute changes
	Written   IndexChange = "written"   // the entry appears, changes in place, or goes
	Moved     IndexChange = "moved"     // its key changes: one delete and one put
)
