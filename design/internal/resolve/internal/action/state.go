package action

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/logic"
)

// An Answer says whether something holds of an item, as far as the design shows it before
// a request is sent.
type Answer int

// The answers, ordered so that the minimum answers whether two things hold together.
const (
	No Answer = iota
	Maybe
	Yes
)

// HoldsBefore returns whether the item fulfils a condition before an action. It relies on
// lifecycles: a state is one from which the new state can be reached.
func HoldsBefore(step *model.Step, c *model.Condition) Answer {
	if answer, known := stated(step, c); known {
		return answer
	}
	return judged(c, valuesBefore(step, c.Attribute), false)
}

// HoldsAfter returns whether the item fulfils a condition after an action. It relies on
// lifecycles as HoldsBefore does.
func HoldsAfter(step *model.Step, c *model.Condition) Answer {
	a := c.Attribute
	switch {
	case slices.Contains(step.Remove, a) && c.Op != model.Missing && c.Op != model.Ne:
		return No
	case slices.Contains(step.Remove, a):
		return Yes // an absent attribute differs from every value
	case step.Verb == model.Update && !Changes(step, a):
		return HoldsBefore(step, c)
	}
	_, given := givenConstant(step, a)
	return judged(c, valuesAfter(step, a), given)
}

// SurelyBefore returns whether the request itself makes sure of a condition on the item
// as it finds it: a lifecycle refuses nothing.
func SurelyBefore(step *model.Step, c *model.Condition) Answer {
	if answer, known := stated(step, c); known {
		return answer
	}
	left, _ := logic.StatesLeft(c.Attribute, Known(step))
	if left == nil {
		return Maybe
	}
	var values []string
	for _, v := range logic.Domain(c.Attribute) {
		if left[v] {
			values = append(values, v)
		}
	}
	return judged(c, values, false)
}

// SurelyAfter returns whether the request itself makes sure of a condition on the item as
// it leaves it.
func SurelyAfter(step *model.Step, c *model.Condition) Answer {
	a := c.Attribute
	switch {
	case logic.AlwaysHolds(c):
		return Yes
	case step.Verb == model.Update && !Touches(step, logic.Compared(c)):
		return SurelyBefore(step, c)
	case !logic.ComparesConstants(c), Patches(step, a):
		return Maybe
	case c.Op != model.Exists && c.Op != model.Missing || slices.Contains(step.Remove, a):
		return HoldsAfter(step, c)
	case Assigned(step, a) == nil && Addition(step, a) == nil || MayClear(step, a):
		return Maybe
	case c.Op == model.Exists:
		return Yes
	}
	return No
}

// stated returns whether an item fulfils a condition before an action, and whether the
// conditions of the action alone decide it.
func stated(step *model.Step, c *model.Condition) (answer Answer, decided bool) {
	known := Known(step)
	switch {
	case logic.Implied(known, c):
		return Yes, true
	case logic.Contradicted(known, c):
		return No, true
	}
	return Maybe, false
}

// judged compares all values that an attribute can have with a condition. It is not sure
// of values that are not known, or of an optional attribute unless its value is given. An
// absent attribute differs from every value.
func judged(c *model.Condition, values []string, given bool) Answer {
	if len(values) == 0 || !logic.ComparesConstants(c) {
		return Maybe
	}
	fits, present := 0, given || !c.Attribute.Type.Optional
	for _, v := range values {
		if logic.Fulfils(v, c) {
			fits++
		}
	}
	switch {
	case fits == 0 && c.Op != model.Missing && (present || c.Op != model.Ne):
		return No
	case fits == len(values) && (present || c.Op == model.Ne):
		return Yes
	}
	return Maybe
}

// valuesBefore returns the values that an attribute can have before an action; nil: not
// known. A lifecycle leaves those from which the value it is set to can be reached.
func valuesBefore(step *model.Step, a *model.Attribute) []string {
	from, _ := logic.StatesLeft(a, Known(step))
	to := valuesAfter(step, a)
	var values []string
	for _, value := range logic.Domain(a) {
		reaches := a.Lifecycle == nil || len(to) != 1 || step.Verb != model.Update || a.Lifecycle.Allows(value, to[0])
		if (from == nil || from[value]) && reaches {
			values = append(values, value)
		}
	}
	return values
}

// valuesAfter returns the values that an attribute can have after an action; nil: not
// known.
func valuesAfter(step *model.Step, a *model.Attribute) []string {
	if v, ok := givenConstant(step, a); ok {
		return []string{v}
	}
	return logic.Domain(a)
}

// givenConstant returns the constant that an action gives an attribute, and whether it
// gives one.
func givenConstant(step *model.Step, a *model.Attribute) (string, bool) {
	v := Assigned(step, a)
	if v != nil && v.IsConstant() {
		return v.Constant, true
	}
	if c := logic.Equality(step.Where, a); WritesWhole(step.Verb) && c != nil && c.Values[0].IsConstant() {
		return c.Values[0].Constant, true
	}
	if step.Verb == model.Create && a.Lifecycle != nil && v == nil {
		return logic.FirstState(a), true
	}
	return "", false
}
