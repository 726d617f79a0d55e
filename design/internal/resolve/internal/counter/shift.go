package counter

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A shift is the change of a counter by an action.
type shift struct {
	by           exact.Number // if there is no parameter
	param        string       // the parameter of a change that only the caller knows
	rises, falls bool         // the directions in which it can change the counter
	// leaves says that the counter is the one that the item belonged to before the action,
	// which differs from the one after it if an update moves the item.
	leaves bool
	// known are the parts of a change that is more than one number or one parameter, if the
	// action gives them all: the caller does not have to compute it then.
	known []plan.Term
	// lacks are the attributes that the action says too little of to know the change.
	lacks []*model.Attribute
}

// none reports whether nothing changes.
func (s shift) none() bool { return s.param == "" && s.by.IsZero() }

// fixed returns a change by a number.
func fixed(n exact.Number) shift { return shift{by: n, rises: n.Sign() > 0, falls: n.Sign() < 0} }

// unknown returns a change that the caller computes: one parameter for each counter,
// however many actions of a pattern contribute to it.
func unknown(counter *model.Counter, rises, falls bool) shift {
	return shift{param: counter.Attribute.Name + "_change", rises: rises, falls: falls}
}

// leaving returns the shift of the item that what is counted belonged to before. A change
// that only the caller knows is another number than for the item it goes to.
func (s shift) leaving(counter *model.Counter) shift {
	s.leaves = true
	if s.param == unknown(counter, true, true).param {
		s.param += leftBehind
	}
	return s
}

// leftBehind is the suffix of the parameter of a counter that an item leaves.
const leftBehind = "_left"

// ofCaller reports whether a parameter is a change that the caller computes.
func ofCaller(param string, counter *model.Counter) bool {
	change := unknown(counter, true, true).param
	return param == change || param == change+leftBehind
}

// and returns the sum of two shifts of a counter.
func (s shift) and(other shift, counter *model.Counter) shift {
	switch {
	case s.none():
		return other
	case other.none():
		return s
	case s.param == "" && other.param == "":
		return fixed(s.by.Add(other.by))
	}
	return unknown(counter, s.rises || other.rises, s.falls || other.falls)
}

// times returns the shift of n actions of the same kind.
func (s shift) times(n int64, counter *model.Counter) shift {
	if n <= 1 {
		return s
	}
	if s.param == "" {
		return fixed(s.by.Times(n))
	}
	return unknown(counter, s.rises, s.falls)
}

// terms returns the shift of n actions of one kind as parts of a sum. Their number is
// known when the call is made.
func (s shift) terms(w *plan.PlannedWrite, n int64, counter *model.Counter) []plan.Term {
	repeated := n > 1
	switch {
	case s.known != nil:
		all := slices.Clone(s.known)
		for i := range all {
			all[i].Of, all[i].Repeated = w, repeated
		}
		return all
	case ofCaller(s.param, counter):
		return []plan.Term{{Param: s.param}}
	}
	t := plan.Term{By: s.by, Param: s.param, Of: w, Repeated: repeated}
	if s.param != "" {
		t.Attribute = counter.Sum
	}
	return []plan.Term{t}
}

// shifts returns the changes that an action can make to a counter of what it writes: none,
// one, or two if an update moves an item from one counter to another.
func shifts(step *model.Step, counter *model.Counter) []shift {
	if step.Entity != counter.Of || step.Verb == model.Check || step.Verb == model.Upsert { // no upsert of what is counted is planned
		return nil
	}
	before, after := membership(step, counter)
	moves := step.Verb == model.Update && slices.ContainsFunc(counter.Match, func(m model.Match) bool {
		return action.Changes(step, m.Theirs)
	})
	var all []shift
	switch {
	case moves:
		if slices.ContainsFunc(counter.Match, func(m model.Match) bool { return slices.Contains(step.Remove, m.Theirs) }) {
			after = action.No // it belongs to no counter any more
		}
		all = []shift{amount(step, counter, before, action.No).leaving(counter), amount(step, counter, action.No, after)}
	case step.Verb == model.Update && !changesCounted(step, counter):
		return nil
	default:
		all = []shift{amount(step, counter, before, after)}
	}
	return slices.DeleteFunc(all, shift.none)
}

// changesCounted reports whether an update can change what one item contributes.
func changesCounted(step *model.Step, counter *model.Counter) bool {
	return counter.Sum != nil && action.Changes(step, counter.Sum) ||
		slices.ContainsFunc(counter.Where, func(c *model.Condition) bool { return crosses(step, c) })
}

// membership returns whether an item fulfils the where of a counter before an action and
// after it.
//
// A put may replace an item that was counted already, which one request cannot know. It
// is taken for a new item, and the checker refuses puts of what a counter counts (W809).
func membership(step *model.Step, counter *model.Counter) (before, after action.Answer) {
	before, after = action.Yes, action.Yes
	for _, c := range counter.Where {
		before, after = min(before, action.HoldsBefore(step, c)), min(after, action.HoldsAfter(step, c))
	}
	switch step.Verb {
	case model.Create, model.Put:
		before = action.No
	case model.Delete:
		after = action.No
	}
	return before, after
}

// crosses reports whether an update can change whether an item fulfils a condition.
func crosses(step *model.Step, c *model.Condition) bool {
	if !action.Changes(step, c.Attribute) {
		return false
	}
	before, after := action.HoldsBefore(step, c), action.HoldsAfter(step, c)
	return before == action.Maybe || before != after
}
