package resolve

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/counter"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// The vocabulary of plans. Each name is documented in the room that declares it.
type (
	Agreement    = plan.Agreement
	Clause       = plan.Clause
	Collision    = layout.Collision
	Count        = plan.Count
	Entry        = layout.Entry
	Expectation  = plan.Expectation
	Field        = plan.Field
	Held         = plan.Held
	IndexChange  = plan.IndexChange
	IndexWrite   = plan.IndexWrite
	KeyCondition = keytext.Condition
	Mark         = plan.Mark
	Member       = plan.Member
	Name         = plan.Name
	Object       = plan.Object
	Operation    = plan.Operation
	Path         = layout.Path
	Plan         = plan.Plan
	PlannedWrite = plan.PlannedWrite
	Problem      = plan.Problem
	Read         = plan.Read
	Refusal      = plan.Refusal
	Service      = plan.Service
	Statement    = plan.Statement
	Span         = keytext.Span
	Sum          = counter.Sum
	Tell         = layout.Tell
	Term         = plan.Term
	Text         = keytext.Text
	TextPart     = keytext.TextPart
	Transition   = plan.Transition
	Value        = plan.Value
)

// The operations that patterns use.
const (
	GetItem            = plan.GetItem
	BatchGetItem       = plan.BatchGetItem
	Query              = plan.Query
	Scan               = plan.Scan
	PutItem            = plan.PutItem
	UpdateItem         = plan.UpdateItem
	DeleteItem         = plan.DeleteItem
	ConditionCheck     = plan.ConditionCheck
	TransactGetItems   = plan.TransactGetItems
	TransactWriteItems = plan.TransactWriteItems
)

// How a layout serves a pattern.
const (
	NotServed = plan.NotServed
	ByKey     = plan.ByKey
	ByScan    = plan.ByScan
)

// The effects of a write on an index entry.
const (
	Untouched = plan.Untouched
	Written   = plan.Written
	Moved     = plan.Moved
)

// The expectations of a write about the presence of its item.
const (
	Anything = plan.Anything
	Present  = plan.Present
	Absent   = plan.Absent
)

// PrimaryAttributes returns the attributes that the primary key of an item is made of,
// each once.
func PrimaryAttributes(item *model.Item) []*model.Attribute { return layout.PrimaryAttributes(item) }

// KeyNames returns the key attributes that an item seen through a path always has.
func KeyNames(path Path) []model.KeyName { return layout.KeyNames(path) }

// Tells returns the tests of the primary key by which the items of an entity are told from the
// other rows of their table, none if every key passes.
func Tells(item *model.Item) []Tell { return layout.Tells(item) }

// ToldApart reports whether code that knows only the first of two items tells the other from it by the literals
// and widths of its primary key.
func ToldApart(known, other *model.Item) bool { return layout.ToldApart(known, other) }

// NarrowestFirst returns the items of a table, those first whose keys leave the least open, so that
// a wider form does not match the keys of a narrower one.
func NarrowestFirst(t *model.Table) []*model.Item { return layout.NarrowestFirst(t) }

// Sharded returns the counters of an entity that are spread over rows of their own.
func Sharded(e *model.Entity) []*model.Counter { return layout.Sharded(e) }

// HeldBy returns the name under which an item seen through a path gives the value of an
// attribute: its own, or that of the composed key that holds it.
func HeldBy(path Path, item *model.Item, a *model.Attribute) string {
	return layout.HeldBy(path, item, a)
}

// CanEqual reports whether two keys can have the same value. It treats the holes of a
// template as independent of each other.
func CanEqual(a, b *model.Key) bool { return keytext.CanEqual(a, b) }

// RoundsUp reports whether the i-th value of a condition is an instant that is rounded up
// to the precision that is stored.
func RoundsUp(c *model.Condition, i int) bool { return keytext.RoundsUp(c, i) }

// ComparesSet reports whether a condition compares an attribute with a set of the caller,
// which may be empty.
func ComparesSet(c *model.Condition) bool { return logic.ComparesSet(c) }

// NeedsAbsence reports whether an action succeeds only if there is no such item.
func NeedsAbsence(step *model.Step) bool { return action.NeedsAbsence(step) }

// FirstState returns the value that an attribute with a lifecycle begins with.
func FirstState(a *model.Attribute) string { return logic.FirstState(a) }

// StatesLeft returns the values of an enum or a bool that conditions leave, nil if they
// leave all. named reports whether any of the conditions is about the attribute.
func StatesLeft(a *model.Attribute, conditions []*model.Condition) (left map[string]bool, named bool) {
	return logic.StatesLeft(a, conditions)
}

// SnapshotRequest returns the request of the parts of a snapshot, as a value for JSON.
func SnapshotRequest(parts []*Read) any { return plan.SnapshotRequest(parts) }

// Cancels reports whether two updates of counters have no effect together.
func Cancels(a, b *Statement) bool { return plan.Cancels(a, b) }

// OnlyAdds reports whether an update does nothing but add to numbers. It neither compares nor
// increments the version.
func OnlyAdds(step *model.Step) bool { return action.OnlyAdds(step) }

// Digits returns a number of a design with all its digits, as a request holds it.
func Digits(n exact.Number) string { return plan.Digits(n) }
