package write

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// holdLifecycle adds the states from which the lifecycle leads to the state that an update
// sets, where the pattern does not name them: counters rely on it.
func (d *Draft) holdLifecycle() {
	if d.Step.Verb != model.Update {
		return
	}
	for _, s := range d.Step.Set {
		a, to := s.Attribute, action.Assigned(d.Step, s.Attribute)
		if a.Lifecycle == nil || !to.IsConstant() {
			continue
		}
		if named, _ := logic.StatesLeft(a, action.Known(d.Step)); named != nil {
			continue
		}
		if from := statesBefore(a, to.Constant); len(from) > 0 {
			d.Checks = append(d.Checks, &model.Condition{Attribute: a, Op: model.In, Values: from, Place: d.Step.Place})
		}
	}
}

// statesBefore returns the states from which a lifecycle leads to another one.
func statesBefore(a *model.Attribute, to string) []model.Operand {
	var from []model.Operand
	for _, state := range a.Type.Values {
		if a.Lifecycle.Allows(state, to) {
			from = append(from, model.Operand{Constant: state})
		}
	}
	return from
}

// transitions returns the changes of state to check before a request is sent: those of a
// write that knows the current state of the item.
func (d *Draft) transitions() []plan.Transition {
	var all []plan.Transition
	for _, a := range d.Item.Entity.Attributes {
		to := stateSet(d.Step, a)
		from := logic.Equality(d.Checks, a)
		if a.Lifecycle == nil || to == nil || from == nil || from.Values[0].Attribute != nil || to.Attribute != nil {
			continue
		}
		t := plan.Transition{Attribute: a, From: from.Values[0], To: *to, Keeps: d.Step.Verb == model.Put}
		if !t.From.IsConstant() || !t.To.IsConstant() { // else the checker has judged it
			all = append(all, t)
		}
	}
	return all
}

// unheld returns the attributes whose lifecycle the write may break: neither does the
// design state the new state and the possible old ones, nor is there a transition to
// check.
func (d *Draft) unheld(transitions []plan.Transition) []*model.Attribute {
	var all []*model.Attribute
	for _, a := range d.Item.Entity.Attributes {
		to := stateSet(d.Step, a)
		if a.Lifecycle == nil || to == nil || slices.ContainsFunc(transitions, func(t plan.Transition) bool { return t.Attribute == a }) {
			continue
		}
		if named, _ := logic.StatesLeft(a, d.Checks); !to.IsConstant() || named == nil {
			all = append(all, a)
		}
	}
	return all
}

// stateSet returns the state that a write sets, or nil.
func stateSet(step *model.Step, a *model.Attribute) *model.Operand {
	switch to := action.Assigned(step, a); {
	case step.Verb == model.Update:
		return to
	case step.Verb == model.Put && to == nil:
		return &model.Operand{Param: a.Name}
	case step.Verb == model.Put:
		return to
	}
	return nil
}
