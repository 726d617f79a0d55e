package resolve

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// An answer is what a design tells about the items of a request before it is sent.
type answer int

const (
	no answer = iota
	maybe
	yes
)

// membership is whether an item fulfils a counter's where before an action and after it.
//
// A put may replace an item that was counted already, which one request cannot know. It
// is taken for a new item, and the checker refuses puts of what a counter counts (W809).
func membership(step *model.Step, counter *model.Counter) (before, after answer) {
	before, after = yes, yes
	for _, c := range counter.Where {
		before, after = min(before, holdsBefore(step, c)), min(after, holdsAfter(step, c))
	}
	switch step.Verb {
	case model.Create, model.Put:
		before = no
	case model.Delete:
		after = no
	}
	return before, after
}

// crosses reports whether an update can take an item over the border of a condition.
func crosses(step *model.Step, c *model.Condition) bool {
	if !slices.Contains(changedBy(step), c.Attribute) {
		return false
	}
	before, after := holdsBefore(step, c), holdsAfter(step, c)
	return before == maybe || before != after
}

// holdsBefore reports whether the item fulfils a condition before an action.
func holdsBefore(step *model.Step, c *model.Condition) answer {
	switch known := beforehand(step); {
	case implied(known, c):
		return yes
	case contradicted(known, c):
		return no
	}
	return judged(c, valuesBefore(step, c.Attribute), false)
}

// holdsAfter reports whether the item fulfils a condition after an action.
func holdsAfter(step *model.Step, c *model.Condition) answer {
	a := c.Attribute
	switch {
	case slices.Contains(step.Remove, a) && c.Op != model.Missing && c.Op != model.Ne:
		return no
	case slices.Contains(step.Remove, a):
		return yes // what is not there differs from everything
	case step.Verb == model.Update && !slices.Contains(changedBy(step), a):
		return holdsBefore(step, c)
	}
	_, given := givenValue(step, a)
	return judged(c, valuesAfter(step, a), given)
}

// judged compares all values an attribute can have with a condition. Of values not
// known, or one that may be absent, it is not sure; one that is given is there. What is
// absent differs from everything.
func judged(c *model.Condition, values []string, given bool) answer {
	if len(values) == 0 || !comparesConstants(c) {
		return maybe
	}
	fits, present := 0, given || !c.Attribute.Type.Optional
	for _, v := range values {
		if fulfils(v, c) {
			fits++
		}
	}
	switch {
	case fits == 0 && c.Op != model.Missing && (present || c.Op != model.Ne):
		return no
	case fits == len(values) && (present || c.Op == model.Ne):
		return yes
	}
	return maybe
}

// valuesBefore are the values an attribute can have before an action; nil: not known. A
// lifecycle leaves those from which the value it is set to can be reached.
func valuesBefore(step *model.Step, a *model.Attribute) []string {
	from, _ := StatesLeft(a, beforehand(step))
	to := valuesAfter(step, a)
	var values []string
	for _, value := range domain(a) {
		reaches := a.Lifecycle == nil || len(to) != 1 || step.Verb != model.Update || a.Lifecycle.Allows(value, to[0])
		if (from == nil || from[value]) && reaches {
			values = append(values, value)
		}
	}
	return values
}

// valuesAfter are the values an attribute can have after an action; nil: not known.
func valuesAfter(step *model.Step, a *model.Attribute) []string {
	if v, ok := givenValue(step, a); ok {
		return []string{v}
	}
	return domain(a)
}

// givenValue is the constant an action gives an attribute, and whether it does.
func givenValue(step *model.Step, a *model.Attribute) (string, bool) {
	if v := assigned(step, a); v != nil && v.IsConstant() {
		return v.Constant, true
	}
	if c := equality(step.Where, a); writesWhole(step.Verb) && c != nil && c.Values[0].IsConstant() {
		return c.Values[0].Constant, true
	}
	if step.Verb == model.Create && a.Lifecycle != nil && assigned(step, a) == nil {
		return FirstState(a), true
	}
	return "", false
}

// domain are all values of an enum or a flag; nil for everything else.
func domain(a *model.Attribute) []string {
	if a.Type.Base == model.Bool {
		return []string{"true", "false"}
	}
	return a.Type.Values
}

// FirstState is the value an attribute with a lifecycle begins with: the one said, or
// the first of the enum.
func FirstState(a *model.Attribute) string {
	if a.Lifecycle != nil && a.Lifecycle.Start != "" {
		return a.Lifecycle.Start
	}
	if len(a.Type.Values) == 0 {
		return ""
	}
	return a.Type.Values[0]
}

// StatesLeft are the values of an enum or a flag that conditions leave; nil if all.
// Named says whether one of the conditions is about it at all.
func StatesLeft(a *model.Attribute, conditions []*model.Condition) (left map[string]bool, named bool) {
	for _, c := range conditions {
		if c.Attribute != a || c.Op.IsRange() {
			continue
		}
		named = true
		if !comparesConstants(c) || len(c.Values) == 0 {
			continue
		}
		still := map[string]bool{}
		for _, state := range domain(a) {
			listed := slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Constant == state })
			if listed != (c.Op == model.Ne) && (left == nil || left[state]) {
				still[state] = true
			}
		}
		left = still
	}
	return left, named
}
