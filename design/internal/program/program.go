// Package program turns the plans of a design into calls: for every pattern that is
// served, the inputs of its caller, its statements, and where each value of them comes
// from.
//
// Package gogen prints a program as Go and package verify runs it, so that verification covers
// the generated code. Package program knows nothing of Go and sends nothing. It reads
// plans and asks resolve nothing again: a plan carries its statements and facts.
package program

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Program is a design as calls.
type Program struct {
	Layout *resolve.Layout
	Calls  []*Call // of the patterns that are served, in the order of the design
}

// New returns the calls of a layout.
func New(l *resolve.Layout) *Program {
	p := &Program{Layout: l}
	for _, plan := range l.Plans() {
		if plan.Served() {
			p.Calls = append(p.Calls, newCall(plan))
		}
	}
	return p
}

// Call returns the call of a pattern, or nil if the pattern is not served.
func (p *Program) Call(pattern *model.Pattern) *Call {
	for _, c := range p.Calls {
		if c.Pattern == pattern {
			return c
		}
	}
	return nil
}

// A Call is one pattern.
type Call struct {
	Pattern *model.Pattern
	Plan    *resolve.Plan
	Read    *Read        // of a read of one request; nil for a snapshot
	Parts   []*Call      // of a snapshot: the gets of its parts, with the inputs of the whole
	Writes  []*WriteStep // of a write: the actions of the pattern and the writes that they imply
	// Inputs are the arguments of the caller: the key of the item to change first, then items
	// given whole, then values of index keys the call writes, then all others.
	Inputs []*Input
	// Agreements are values of different inputs that must be the same.
	Agreements []Agreement

	uses map[use]*Input
}

// Reads returns the calls that read: the call itself, or the parts of a snapshot; none if it
// writes.
func (c *Call) Reads() []*Call {
	if c.Read != nil {
		return []*Call{c}
	}
	return c.Parts
}

// Transaction reports whether the call is a transaction of writes: more than one action, or one
// that is repeated.
func (c *Call) Transaction() bool {
	return len(c.Writes) > 1 || slices.ContainsFunc(c.Writes, func(w *WriteStep) bool { return w.Repeats != nil }) || c.Pattern.Verb == model.Transact
}

// An Input is an argument of a call.
type Input struct {
	Kind      InputKind
	Name      string                // of the parameter, or of the entity
	Attribute *model.Attribute      // of a Value or List: what it is a value of
	Type      model.Type            // of a Value, or of each value of a List; Optional if it may be left out
	Entity    *model.Entity         // of a Key or Whole
	Repeated  bool                  // of a Whole or Group: any number of them, as the pattern's each says
	Most      int64                 // of a repeated one: how many
	Members   []*Input              // of a Group: the values of one action
	Of        *resolve.PlannedWrite // of a Value that the pattern does not name: the action whose item has it
	Composes  bool                  // of a Value: a key of an index that the call writes is made of it
	Patched   bool                  // of a Value: the attribute stays as it is if the caller leaves the value out
}

// InputKind is the kind of an input.
type InputKind int

// The kinds of input.
const (
	Value InputKind = iota // one value
	List                   // several values, of which each is asked for
	Key                    // the attributes of an entity's primary key
	Whole                  // an item, all of it
	Group                  // the values of a repeated action
)

// An Agreement is two values that must be the same: one of every counted item, and one of
// the item that counts it.
type Agreement struct {
	Theirs, Mine Ref
	Entity       *model.Entity    // the counted one
	Attribute    *model.Attribute // of the counted entity
}

// A Ref is the source of a value: an input, or a part of one.
type Ref struct {
	Input     *Input
	Attribute *model.Attribute // of a Key or Whole
	Member    *Input           // of a Group
	// First says that the input is repeated and the use is not: the value is that of the
	// first item, and all others must have the same.
	First bool
}

// IsZero reports whether there is no such value.
func (r Ref) IsZero() bool { return r.Input == nil }

// Of returns the attribute whose value it is.
func (r Ref) Of() *model.Attribute {
	switch {
	case r.Attribute != nil:
		return r.Attribute
	case r.Member != nil:
		return r.Member.Attribute
	}
	return r.Input.Attribute
}

// Optional reports whether the value may be absent.
func (r Ref) Optional() bool {
	switch {
	case r.Attribute != nil:
		return r.Attribute.Type.Optional
	case r.Member != nil:
		return r.Member.Type.Optional
	}
	return r.Input.Type.Optional
}

// Patches returns the values of which the caller of an action must give at least one.
func (w *WriteStep) Patches() []*model.Attribute {
	var all []*model.Attribute
	for _, s := range w.Step.Set {
		if s.Patch && w.Origin == nil {
			all = append(all, s.Attribute)
		}
	}
	return all
}

// Patched reports whether the caller may leave the value out of a patch.
func (r Ref) Patched() bool {
	if r.Member != nil {
		return r.Member.Patched
	}
	return r.Input.Patched
}

// A Read is a read of a call.
type Read struct {
	*resolve.Read
	// Fans are the parts of the keys that have several values: there is one request for each
	// combination.
	Fans []*Fan
	// Sort are the sort key attributes that answers of several requests are merged by, from
	// the first one that differs within a request.
	Sort []string
}

// A Fan is one part of the keys of a read that has several values.
type Fan struct {
	Attribute *model.Attribute
	Shards    int64           // numbers below it; 0: values
	Values    []model.Operand // that the design lists; nil: those of the parameter
	Param     string
	Span      *resolve.Span // periods of a range; nil: numbers or values
}

// A Held is a selected attribute and where the item has it.
type Held = resolve.Held

// A WriteStep is a write of a call.
type WriteStep struct {
	*resolve.PlannedWrite
	Name    string // create Attempt, guard User.email
	Given   *Input // of a create or put: the item
	Repeats *Input // there is one such write for each of these items or groups; nil: one
}

// givesWhole reports whether the caller gives the whole item that is written.
func givesWhole(w *resolve.PlannedWrite) bool {
	return w.Guard == nil && w.Origin == nil && (w.Step.Verb == model.Create || w.Step.Verb == model.Put)
}

// actionName returns the name of a write in messages.
func actionName(w *resolve.PlannedWrite) string {
	if w.Implied != "" {
		return w.Implied
	}
	return fmt.Sprintf("%s %s", w.Step.Verb, w.Item.Entity.Name)
}

// root returns the action of the pattern that a write belongs to.
func root(w *resolve.PlannedWrite) *resolve.PlannedWrite {
	for w.Origin != nil {
		w = w.Origin
	}
	return w
}
