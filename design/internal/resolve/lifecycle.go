package resolve

import "sortkey.dev/design/internal/model"

// holdsLifecycle adds from which states there is a step to the one an update sets, where
// the pattern does not name them: counters count on it.
func (w *Write) holdsLifecycle() {
	for _, s := range w.Step.Set {
		a, to := s.Attribute, assigned(w.Step, s.Attribute)
		if w.Step.Verb != model.Update || a.Lifecycle == nil || !to.IsConstant() {
			continue
		}
		if named, _ := StatesLeft(a, beforehand(w.Step)); named != nil {
			continue
		}
		from := &model.Condition{Attribute: a, Op: model.In, Place: w.Step.Place}
		for _, state := range a.Type.Values {
			if a.Lifecycle.Allows(state, to.Constant) {
				from.Values = append(from.Values, model.Operand{Constant: state})
			}
		}
		if len(from.Values) > 0 {
			w.Checks = append(w.Checks, from)
		}
	}
}

// A Transition is a change of state of which the caller says both ends, or one of them
// where the pattern says the other. No condition can compare it with a lifecycle, so the
// code that makes the request does.
type Transition struct {
	Attribute *model.Attribute
	From, To  model.Operand // a constant or a parameter
	Keeps     bool          // a whole item is written, whose state may be the one it has
}

// Allows reports whether the lifecycle has a change of state, or none is made.
func (t Transition) Allows(from, to string) bool {
	return t.Keeps && from == to || t.Attribute.Lifecycle.Allows(from, to)
}

// Transitions are the changes of state to compare before a request is sent: those of a
// write that knows the state the item has.
func (w *Write) Transitions() []Transition {
	var all []Transition
	for _, a := range w.Item.Entity.Attributes {
		to := stateSet(w.Step, a)
		from := equality(w.Checks, a)
		if a.Lifecycle == nil || to == nil || from == nil || from.Values[0].Attribute != nil || to.Attribute != nil {
			continue
		}
		t := Transition{Attribute: a, From: from.Values[0], To: *to, Keeps: w.Step.Verb == model.Put}
		if !t.From.IsConstant() || !t.To.IsConstant() { // else the checker has judged it
			all = append(all, t)
		}
	}
	return all
}

// stateSet is what a write changes the state of an item to, or nil.
func stateSet(step *model.Step, a *model.Attribute) *model.Operand {
	switch to := assigned(step, a); {
	case step.Verb == model.Update:
		return to
	case step.Verb == model.Put && to == nil:
		return &model.Operand{Param: a.Name}
	case step.Verb == model.Put:
		return to
	}
	return nil
}

// HoldsLifecycle reports whether a write makes no step that the lifecycle of an attribute
// does not have, whatever the caller gives: the new state is one the design names, or the
// old one is known.
func (w *Write) HoldsLifecycle(a *model.Attribute) bool {
	to := stateSet(w.Step, a)
	if a.Lifecycle == nil || to == nil {
		return true
	}
	for _, t := range w.Transitions() {
		if t.Attribute == a {
			return true
		}
	}
	named, _ := StatesLeft(a, w.Checks)
	return to.IsConstant() && named != nil
}
