package resolve

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A shift is by how much an action changes a counter.
type shift struct {
	by           exact.Number // if there is no parameter
	param        string       // what only the caller knows
	rises, falls bool         // what it can do
	// leaves says that the counter is the one the item belonged to before the action,
	// which differs from the one after it if an update moves the item.
	leaves bool
	// known are the parts of a change that is more than one number or one parameter, if the
	// action tells them all: nobody has to compute it then.
	known []Term
	// lacks are the attributes of which the action does not tell enough to know the change.
	lacks []*model.Attribute
}

// none reports whether nothing changes.
func (s shift) none() bool { return s.param == "" && s.by.IsZero() }

func fixed(n exact.Number) shift { return shift{by: n, rises: n.Sign() > 0, falls: n.Sign() < 0} }

// unknown is a change the caller computes: one parameter for each counter, however many
// actions of a pattern contribute to it.
func unknown(counter *model.Counter, rises, falls bool) shift {
	return shift{param: counter.Attribute.Name + "_change", rises: rises, falls: falls}
}

// leaving is the shift as that of the item that what is counted belonged to before. What
// only the caller knows of it is another number than for the one it goes to.
func (s shift) leaving(counter *model.Counter) shift {
	s.leaves = true
	if s.param == unknown(counter, true, true).param {
		s.param += leftBehind
	}
	return s
}

// leftBehind is what the parameter of a counter that loses something ends with.
const leftBehind = "_left"

// ofCaller reports whether a parameter is a change that the caller computes.
func ofCaller(param string, counter *model.Counter) bool {
	change := unknown(counter, true, true).param
	return param == change || param == change+leftBehind
}

// and is the sum of two shifts of a counter.
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

// times is the shift of n actions of the same kind.
func (s shift) times(n int64, counter *model.Counter) shift {
	if n <= 1 {
		return s
	}
	if s.param == "" {
		return fixed(s.by.Times(n))
	}
	return unknown(counter, s.rises, s.falls)
}

// terms are the shift of n actions of one kind as parts of a sum. How many there are is
// known when the call is made.
func (s shift) terms(w *Write, n int64, counter *model.Counter) []Term {
	repeated := n > 1
	switch {
	case s.known != nil:
		all := slices.Clone(s.known)
		for i := range all {
			all[i].Of, all[i].Repeated = w, repeated
		}
		return all
	case ofCaller(s.param, counter):
		return []Term{{Param: s.param}}
	}
	t := Term{By: s.by, Param: s.param, Of: w, Repeated: repeated}
	if s.param != "" {
		t.Attribute = counter.Sum
	}
	return []Term{t}
}

// shifts are the changes an action can make to a counter of what it writes: none, one, or
// two if an update takes an item from one counter to another.
func shifts(step *model.Step, counter *model.Counter) []shift {
	if step.Entity != counter.Of || step.Verb == model.Check {
		return nil
	}
	before, after := membership(step, counter)
	moves := step.Verb == model.Update && slices.ContainsFunc(counter.Match, func(m model.Match) bool {
		return slices.Contains(changedBy(step), m.Theirs)
	})
	var all []shift
	switch {
	case moves:
		if slices.ContainsFunc(counter.Match, func(m model.Match) bool { return slices.Contains(step.Remove, m.Theirs) }) {
			after = no // it belongs to nobody any more
		}
		all = []shift{amount(step, counter, before, no).leaving(counter), amount(step, counter, no, after)}
	case step.Verb == model.Update && !changesCounted(step, counter):
		return nil
	default:
		all = []shift{amount(step, counter, before, after)}
	}
	return slices.DeleteFunc(all, shift.none)
}

// changesCounted reports whether an update can change what one item contributes.
func changesCounted(step *model.Step, counter *model.Counter) bool {
	return counter.Sum != nil && slices.Contains(changedBy(step), counter.Sum) ||
		slices.ContainsFunc(counter.Where, func(c *model.Condition) bool { return crosses(step, c) })
}

// Digits is a number of a design with all its digits, as a request holds it. Designs have
// none of more than 60.
func Digits(n exact.Number) string {
	return strings.TrimSuffix(strings.TrimRight(n.Fixed(60), "0"), ".")
}
