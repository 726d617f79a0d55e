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
	all := []*model.Attribute{c.Attribute}
	for _, v := range c.Values {
		if v.Attribute != nil {
			all = append(all, v.Attribute)
		}
	}
	return all
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
