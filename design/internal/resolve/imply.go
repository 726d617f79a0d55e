package resolve

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// implied reports whether the goal holds wherever all the premises do.
func implied(premises []*model.Condition, goal *model.Condition) bool {
	if alwaysHolds(goal) {
		return true
	}
	return slices.ContainsFunc(premises, func(p *model.Condition) bool {
		return p.Attribute.Name == goal.Attribute.Name && implies(p, goal)
	})
}

// alwaysHolds reports whether every item fulfils the condition.
func alwaysHolds(c *model.Condition) bool {
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

// contradicted reports whether the goal holds for nothing the premises leave.
func contradicted(premises []*model.Condition, goal *model.Condition) bool {
	return slices.ContainsFunc(premises, func(p *model.Condition) bool {
		if p.Attribute.Name != goal.Attribute.Name {
			return false
		}
		switch {
		case p.Op == model.Missing: // what is not there is unequal to everything
			return goal.Op != model.Missing && goal.Op != model.Ne
		case goal.Op == model.Missing:
			return p.Op != model.Ne
		}
		values, ok := constantsOf(p)
		return ok && comparesConstants(goal) && !slices.ContainsFunc(values, func(v string) bool { return fulfils(v, goal) })
	})
}

func implies(p, goal *model.Condition) bool {
	switch {
	case p.Op == model.Missing || goal.Op == model.Missing:
		return p.Op == goal.Op
	case goal.Op == model.Exists:
		return p.Op != model.Ne
	case p.Op == goal.Op && slices.Equal(p.Values, goal.Values):
		return true
	case !comparesConstants(goal):
		return false
	}
	if values, ok := constantsOf(p); ok {
		return !slices.ContainsFunc(values, func(v string) bool { return !fulfils(v, goal) })
	}
	return comparesConstants(p) && narrower(p, goal)
}

// narrower reports whether a stretch of values lies inside another.
func narrower(p, goal *model.Condition) bool {
	low, high := 0, len(p.Values)-1
	switch p.Op {
	case model.BeginsWith:
		return goal.Op == model.BeginsWith && strings.HasPrefix(p.Values[0].Constant, goal.Values[0].Constant)
	case model.Between:
		return goal.Op != model.BeginsWith && goal.Op != model.Ne && goal.Op != model.In && goal.Op != model.Eq &&
			fulfils(p.Values[low].Constant, goal) && fulfils(p.Values[high].Constant, goal)
	}
	upwards := func(op model.Op) bool { return op == model.Gt || op == model.Gte }
	downwards := func(op model.Op) bool { return op == model.Lt || op == model.Lte }
	if !(upwards(p.Op) && upwards(goal.Op)) && !(downwards(p.Op) && downwards(goal.Op)) {
		return false
	}
	order := compareConstants(p.Attribute.Type, p.Values[0].Constant, goal.Values[0].Constant)
	exclusive := p.Op == model.Gt || p.Op == model.Lt || goal.Op == model.Gte || goal.Op == model.Lte
	return order == 0 && exclusive || order > 0 && upwards(p.Op) || order < 0 && downwards(p.Op)
}

// constantsOf are the values the condition leaves, if they are known.
func constantsOf(c *model.Condition) ([]string, bool) {
	if c.Op != model.Eq && c.Op != model.In || !comparesConstants(c) {
		return nil, false
	}
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = v.Constant
	}
	return values, true
}

func comparesConstants(c *model.Condition) bool {
	return !slices.ContainsFunc(c.Values, func(v model.Operand) bool { return !v.IsConstant() })
}

// fulfils reports whether a value fulfils a condition that compares constants.
func fulfils(value string, c *model.Condition) bool {
	if c.Op == model.Exists || c.Op == model.Missing {
		return c.Op == model.Exists
	}
	order := func(i int) int { return compareConstants(c.Attribute.Type, value, c.Values[i].Constant) }
	switch c.Op {
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
