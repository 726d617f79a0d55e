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
	case s.known != nil && (!repeated || writesWhole(w.Step.Verb)):
		all := slices.Clone(s.known)
		for i := range all {
			all[i].Of, all[i].Repeated = w, repeated
		}
		return all
	case ofCaller(s.param, counter):
		return []Term{{Param: s.param}}
	case repeated && s.param != "" && !writesWhole(w.Step.Verb):
		return []Term{{Param: unknown(counter, true, true).param}}
	}
	return []Term{{By: s.by, Param: s.param, Of: w, Repeated: repeated}}
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

// amount is by how much a counter changes with one item that is counted before an action,
// or after it, or perhaps.
func amount(step *model.Step, counter *model.Counter, before, after answer) shift {
	if counter.Sum != nil {
		return summed(step, counter, before, after)
	}
	if before == no && after == maybe && writesWhole(step.Verb) {
		return fromItem(step, counter, Term{By: exact.One})
	}
	rises, falls := before != yes && after != no, before != no && after != yes
	switch {
	case before == no && after == yes:
		return fixed(exact.One)
	case before == yes && after == no:
		return fixed(exact.Int(-1))
	case rises || falls:
		return unknown(counter, rises, falls)
	}
	return shift{}
}

// summed is the same for what is summed. Numbers may be negative, so that a sum of what
// is not known can rise and fall.
func summed(step *model.Step, counter *model.Counter, before, after answer) shift {
	old, hasOld := constant(sumBefore(step, counter.Sum))
	value := sumAfter(step, counter.Sum)
	fresh, hasFresh := constant(value)
	switch {
	case before == no && after == no:
		return shift{}
	case before == no && after == yes && hasFresh:
		return fixed(fresh)
	case before == no && after == yes && value != nil && value.Param != "":
		return shift{param: value.Param, rises: true, falls: true}
	case before == no && after == maybe && writesWhole(step.Verb) && value != nil:
		return fromItem(step, counter, termOf(value, false))
	case before == yes && after == no && hasOld:
		return fixed(exact.Zero.Sub(old))
	case before == yes && after == yes && hasOld && hasFresh:
		return fixed(fresh.Sub(old))
	case before == yes && after == no && sumBefore(step, counter.Sum) != nil:
		return knowing(counter, termOf(sumBefore(step, counter.Sum), true))
	case before == yes && after == yes && sumBefore(step, counter.Sum) != nil && value != nil && addition(step, counter.Sum) == nil:
		return knowing(counter, termOf(value, false), termOf(sumBefore(step, counter.Sum), true))
	case before == yes && after == yes:
		if add := addition(step, counter.Sum); add != nil {
			if add.Param != "" {
				return shift{param: add.Param, rises: true, falls: true}
			}
			return fixed(add.By)
		}
	}
	return unknown(counter, true, true)
}

// fromItem is what an item that is given whole contributes, if it fulfils what its values
// decide.
func fromItem(step *model.Step, counter *model.Counter, t Term) shift {
	for _, c := range counter.Where {
		if holdsAfter(step, c) == maybe {
			t.Only = append(t.Only, c)
		}
	}
	s := knowing(counter, t)
	s.falls = counter.Sum != nil
	return s
}

// knowing is a change whose parts the action tells.
func knowing(counter *model.Counter, terms ...Term) shift {
	s := unknown(counter, true, true)
	s.known = terms
	return s
}

// termOf is a value as a part of a sum.
func termOf(v *model.Operand, minus bool) Term {
	n, _ := constant(v)
	return Term{By: n, Param: v.Param, Minus: minus}
}

// sumBefore is what is known of a number before an action, or nil.
func sumBefore(step *model.Step, a *model.Attribute) *model.Operand {
	if c := equality(beforehand(step), a); c != nil {
		return &c.Values[0]
	}
	return nil
}

// sumAfter is what is known of a number after an action, or nil.
func sumAfter(step *model.Step, a *model.Attribute) *model.Operand {
	if v := assigned(step, a); v != nil {
		return v
	}
	switch {
	case writesWhole(step.Verb) && equality(step.Where, a) == nil:
		return &model.Operand{Param: a.Name}
	case slices.Contains(changedBy(step), a):
		return nil
	}
	return sumBefore(step, a)
}

// addition is what an action adds to a number, or nil.
func addition(step *model.Step, a *model.Attribute) *model.Addition {
	for _, add := range step.Add {
		if add.Attribute == a {
			return add
		}
	}
	return nil
}

// Digits is a number of a design with all its digits, as a request holds it. Designs have
// none of more than 60.
func Digits(n exact.Number) string {
	return strings.TrimSuffix(strings.TrimRight(n.Fixed(60), "0"), ".")
}

func constant(v *model.Operand) (exact.Number, bool) {
	if v == nil || !v.IsConstant() {
		return exact.Zero, false
	}
	n, err := exact.Parse(v.Constant)
	return n, err == nil
}
