// Package logic decides which conditions on the attributes of an item follow from other
// conditions, and which values they leave. It knows neither keys nor requests; the
// rooms of resolve that plan reads, writes and counters share it.
package logic

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// Implied reports whether the goal holds for every item that fulfils all premises.
func Implied(premises []*model.Condition, goal *model.Condition) bool {
	if AlwaysHolds(goal) {
		return true
	}
	if goal.Op == model.Or {
		return slices.ContainsFunc(goal.Any, func(alternative []*model.Condition) bool {
			return !slices.ContainsFunc(alternative, func(c *model.Condition) bool { return !Implied(premises, c) })
		})
	}
	return slices.ContainsFunc(premises, func(p *model.Condition) bool {
		if p.Op == model.Or {
			return all(p.Any, func(alternative []*model.Condition) bool { return Implied(alternative, goal) })
		}
		return p.Attribute.Name == goal.Attribute.Name && implies(p, goal)
	})
}

// all reports whether something holds of every alternative.
func all(alternatives [][]*model.Condition, holds func([]*model.Condition) bool) bool {
	return !slices.ContainsFunc(alternatives, func(alternative []*model.Condition) bool { return !holds(alternative) })
}

// AlwaysHolds reports whether every item fulfils the condition.
func AlwaysHolds(c *model.Condition) bool {
	if c.Attribute.Type.Optional {
		return false
	}
	switch c.Op {
	case model.Exists:
		return true
	case model.In:
		return c.Attribute.Type.Base == model.Enum && !slices.ContainsFunc(c.Attribute.Type.Values, func(v string) bool {
			return !slices.Contains(c.Values, model.Operand{Constant: v})
		})
	}
	return false
}

// Contradicted reports whether no item that fulfils the premises fulfils the goal.
func Contradicted(premises []*model.Condition, goal *model.Condition) bool {
	if goal.Op == model.Or {
		return all(goal.Any, func(alternative []*model.Condition) bool {
			return slices.ContainsFunc(alternative, func(c *model.Condition) bool { return Contradicted(premises, c) })
		})
	}
	return slices.ContainsFunc(premises, func(p *model.Condition) bool {
		if p.Op == model.Or {
			return all(p.Any, func(alternative []*model.Condition) bool { return Contradicted(alternative, goal) })
		}
		if p.Attribute.Name != goal.Attribute.Name {
			return false
		}
		switch {
		case p.Op == model.Missing: // an absent attribute is unequal to every value
			return goal.Op != model.Missing && goal.Op != model.Ne
		case goal.Op == model.Missing:
			return p.Op != model.Ne
		}
		values, ok := constantsOf(p)
		return ok && ComparesConstants(goal) && !slices.ContainsFunc(values, func(v string) bool { return Fulfils(v, goal) })
	})
}

// implies reports whether one condition on an attribute implies another on the same one.
func implies(p, goal *model.Condition) bool {
	switch {
	case p.Op == model.Missing || goal.Op == model.Missing:
		return p.Op == goal.Op
	case goal.Op == model.Exists:
		return p.Op != model.Ne
	case p.Op == goal.Op && slices.Equal(p.Values, goal.Values):
		return true
	case !ComparesConstants(goal):
		return false
	}
	if values, ok := constantsOf(p); ok {
		return !slices.ContainsFunc(values, func(v string) bool { return !Fulfils(v, goal) })
	}
	return ComparesConstants(p) && narrower(p, goal)
}

// narrower reports whether the range of values of p lies inside that of the goal. Both
// compare constants.
func narrower(p, goal *model.Condition) bool {
	switch p.Op {
	case model.BeginsWith:
		return goal.Op == model.BeginsWith && strings.HasPrefix(p.Values[0].Constant, goal.Values[0].Constant)
	case model.Between:
		return isInterval(goal.Op) && Fulfils(p.Values[0].Constant, goal) && Fulfils(p.Values[1].Constant, goal)
	}
	if direction(p.Op) == 0 || direction(p.Op) != direction(goal.Op) {
		return false
	}
	inside := direction(p.Op) * compareConstants(p.Attribute.Type, p.Values[0].Constant, goal.Values[0].Constant)
	return inside > 0 || inside == 0 && (excludesBound(p.Op) || !excludesBound(goal.Op))
}

// isInterval reports whether the values that an operator accepts have no gaps.
func isInterval(op model.Op) bool { return op == model.Between || direction(op) != 0 }

// direction returns 1 for operators that accept everything above a bound, -1 for those
// that accept everything below one, and 0 for all others.
func direction(op model.Op) int {
	switch op {
	case model.Gt, model.Gte:
		return 1
	case model.Lt, model.Lte:
		return -1
	}
	return 0
}

// excludesBound reports whether an operator with a direction refuses the bound itself.
func excludesBound(op model.Op) bool { return op == model.Gt || op == model.Lt }

// constantsOf returns the values that the condition leaves, if the design lists them.
func constantsOf(c *model.Condition) ([]string, bool) {
	if c.Op != model.Eq && c.Op != model.In || !ComparesConstants(c) {
		return nil, false
	}
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = v.Constant
	}
	return values, true
}

// ComparesConstants reports whether a condition compares with constants only.
func ComparesConstants(c *model.Condition) bool {
	return !slices.ContainsFunc(model.Comparisons([]*model.Condition{c}), func(c *model.Condition) bool {
		return slices.ContainsFunc(c.Values, func(v model.Operand) bool { return !v.IsConstant() })
	})
}

// Fulfils reports whether a value fulfils a condition that compares with constants.
func Fulfils(value string, c *model.Condition) bool {
	order := func(i int) int { return compareConstants(c.Attribute.Type, value, c.Values[i].Constant) }
	switch c.Op {
	case model.Exists:
		return true
	case model.Missing:
		return false
	case model.Eq:
		return order(0) == 0
	case model.Ne:
		return order(0) != 0
	case model.Lt:
		return order(0) < 0
	case model.Lte:
		return order(0) <= 0
	case model.Gt:
		return order(0) > 0
	case model.Gte:
		return order(0) >= 0
	case model.Between:
		return order(0) >= 0 && order(1) <= 0
	case model.BeginsWith:
		return strings.HasPrefix(value, c.Values[0].Constant)
	}
	for i := range c.Values { // in
		if order(i) == 0 {
			return true
		}
	}
	return false
}

// compareConstants compares two constants of a type as DynamoDB would.
func compareConstants(t model.Type, a, b string) int {
	if t.IsNumber() {
		x, errX := exact.Parse(a)
		y, errY := exact.Parse(b)
		if errX == nil && errY == nil {
			return x.Cmp(y)
		}
	}
	return cmp.Compare(a, b)
}
