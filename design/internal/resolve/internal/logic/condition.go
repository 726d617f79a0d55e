package logic

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// Equality returns the condition that gives an attribute its value, or nil.
func Equality(conditions []*model.Condition, a *model.Attribute) *model.Condition {
	for _, c := range conditions {
		if c.Attribute == a && c.Op == model.Eq {
			return c
		}
	}
	return nil
}

// Absent reports whether the conditions say that an item lacks an attribute.
func Absent(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool { return c.Attribute == a && c.Op == model.Missing })
}

// Exists returns the condition that an item has an attribute.
func Exists(a *model.Attribute) *model.Condition {
	return &model.Condition{Attribute: a, Op: model.Exists}
}

// Compared returns all attributes that a condition compares.
func Compared(c *model.Condition) []*model.Attribute {
	var all []*model.Attribute
	for _, c := range model.Comparisons([]*model.Condition{c}) {
		all = append(all, c.Attribute)
		for _, v := range c.Values {
			if v.Attribute != nil {
				all = append(all, v.Attribute)
			}
		}
	}
	return all
}

// HeldByNothing reports whether an absent item fulfils the condition: it differs from every
// value, and lacks every attribute, also that of an empty set.
func HeldByNothing(c *model.Condition) bool {
	if c.Op != model.Or {
		return c.Op == model.Ne || c.Op == model.Missing || ComparesSet(c)
	}
	return slices.ContainsFunc(c.Any, func(alternative []*model.Condition) bool {
		return !slices.ContainsFunc(alternative, func(c *model.Condition) bool { return !HeldByNothing(c) })
	})
}

// ComparesSet reports whether a condition compares an attribute with a set of the caller,
// which may be empty.
func ComparesSet(c *model.Condition) bool {
	return c.Attribute.Type.Base == model.SetOf && (c.Op == model.Eq || c.Op == model.Ne) && c.Values[0].Param != ""
}

// Domain returns all values of an enum or a bool, and nil for every other type.
func Domain(a *model.Attribute) []string {
	if a.Type.Base == model.Bool {
		return []string{"true", "false"}
	}
	return a.Type.Values
}

// FirstState returns the value that an attribute with a lifecycle begins with: the
// declared start, or the first value of the enum.
func FirstState(a *model.Attribute) string {
	if a.Lifecycle != nil && a.Lifecycle.Start != "" {
		return a.Lifecycle.Start
	}
	if len(a.Type.Values) == 0 {
		return ""
	}
	return a.Type.Values[0]
}

// StatesLeft returns the values of an enum or a bool that conditions leave, nil if they
// leave all. named reports whether any of the conditions is about the attribute.
func StatesLeft(a *model.Attribute, conditions []*model.Condition) (left map[string]bool, named bool) {
	for _, c := range conditions {
		if c.Op == model.Or {
			some, all := statesOfAny(a, c)
			named = named || all
			left = common(left, some)
			continue
		}
		if c.Attribute != a || c.Op.IsRange() {
			continue
		}
		named = true
		if ComparesConstants(c) && len(c.Values) > 0 {
			left = narrowed(left, c)
		}
	}
	return left, named
}

// statesOfAny returns the values that the alternatives of an or leave together, nil if one of
// them leaves all, and whether each of them is about the attribute.
func statesOfAny(a *model.Attribute, or *model.Condition) (some map[string]bool, named bool) {
	some, named = map[string]bool{}, true
	for _, alternative := range or.Any {
		left, about := StatesLeft(a, alternative)
		named = named && about
		if left == nil {
			some = nil
		}
		for value := range left {
			if some != nil {
				some[value] = true
			}
		}
	}
	return some, named
}

// common returns the values that two sets have in common; nil holds all values.
func common(a, b map[string]bool) map[string]bool {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	both := map[string]bool{}
	for value := range a {
		if b[value] {
			both[value] = true
		}
	}
	return both
}

// narrowed returns those of the values left that a condition accepts too.
func narrowed(left map[string]bool, c *model.Condition) map[string]bool {
	still := map[string]bool{}
	for _, state := range Domain(c.Attribute) {
		listed := slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Constant == state })
		if listed != (c.Op == model.Ne) && (left == nil || left[state]) {
			still[state] = true
		}
	}
	return still
}
