package logic

import (
	"strconv"
	"testing"

	"sortkey.dev/design/internal/model"
)

// small lists all conditions on a whole number that compare with constants from 0 to 3.
func small(a *model.Attribute) []*model.Condition {
	var all []*model.Condition
	for low := range 4 {
		one := []model.Operand{{Constant: strconv.Itoa(low)}}
		for _, op := range []model.Op{model.Eq, model.Ne, model.Lt, model.Lte, model.Gt, model.Gte} {
			all = append(all, &model.Condition{Attribute: a, Op: op, Values: one})
		}
		for high := range 4 {
			two := []model.Operand{{Constant: strconv.Itoa(low)}, {Constant: strconv.Itoa(high)}}
			all = append(all, &model.Condition{Attribute: a, Op: model.Between, Values: two}, &model.Condition{Attribute: a, Op: model.In, Values: two})
		}
	}
	return append(all, Exists(a))
}

// TestImplicationsAreSound compares implications and contradictions with trying all values.
func TestImplicationsAreSound(t *testing.T) {
	a := &model.Attribute{Name: "n", Type: model.Type{Base: model.Integer, Optional: true}}
	implications, contradictions := 0, 0
	for _, premise := range small(a) {
		for _, goal := range small(a) {
			implied, contradicted := Implied([]*model.Condition{premise}, goal), Contradicted([]*model.Condition{premise}, goal)
			for n := -1; n <= 4; n++ {
				value := strconv.Itoa(n)
				if !Fulfils(value, premise) {
					continue
				}
				if implied && !Fulfils(value, goal) {
					t.Errorf("%s implies %s, but not for %s", premise, goal, value)
				}
				if contradicted && Fulfils(value, goal) {
					t.Errorf("%s contradicts %s, but not for %s", premise, goal, value)
				}
			}
			if implied {
				implications++
			}
			if contradicted {
				contradictions++
			}
		}
	}
	if implications < 500 || contradictions < 100 {
		t.Errorf("%d implications and %d contradictions found: the test compares too little", implications, contradictions)
	}
}

// TestRangesInsideOthers shows the implications between ranges that must be found.
func TestRangesInsideOthers(t *testing.T) {
	a := &model.Attribute{Name: "n", Type: model.Type{Base: model.Integer}}
	condition := func(op model.Op, values ...string) *model.Condition {
		c := &model.Condition{Attribute: a, Op: op}
		for _, v := range values {
			c.Values = append(c.Values, model.Operand{Constant: v})
		}
		return c
	}
	for _, c := range []struct {
		premise, goal *model.Condition
		want          bool
	}{
		{condition(model.Gt, "10"), condition(model.Gt, "9"), true}, // as numbers, not as texts
		{condition(model.Gt, "9"), condition(model.Gte, "9"), true},
		{condition(model.Gte, "9"), condition(model.Gt, "9"), false},
		{condition(model.Gte, "9"), condition(model.Gte, "9"), true},
		{condition(model.Lt, "9"), condition(model.Lte, "9"), true},
		{condition(model.Lte, "9"), condition(model.Lt, "9"), false},
		{condition(model.Lt, "9"), condition(model.Lt, "10"), true},
		{condition(model.Lt, "9"), condition(model.Gt, "1"), false},
		{condition(model.Between, "2", "4"), condition(model.Gt, "1"), true},
		{condition(model.Between, "2", "4"), condition(model.Between, "1", "4"), true},
		{condition(model.Between, "2", "4"), condition(model.Between, "3", "5"), false},
		{condition(model.Between, "2", "4"), condition(model.In, "2", "4"), false}, // 3 lies between
		{condition(model.In, "2", "4"), condition(model.Between, "2", "4"), true},
	} {
		if got := Implied([]*model.Condition{c.premise}, c.goal); got != c.want {
			t.Errorf("%s implies %s: %v, want %v", c.premise, c.goal, got, c.want)
		}
	}
}
