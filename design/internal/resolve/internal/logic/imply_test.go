package logic

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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

// TestAlternativesAreSound compares implications from and to alternatives with trying all values.
func TestAlternativesAreSound(t *testing.T) {
	a := &model.Attribute{Name: "n", Type: model.Type{Base: model.Integer, Optional: true}}
	all := small(a)
	rnd := rand.New(rand.NewPCG(1, 2))
	either := func() *model.Condition {
		one := func() *model.Condition { return all[rnd.IntN(len(all))] }
		alternatives := [][]*model.Condition{{one()}, {one(), one()}}
		return model.NewOr(alternatives[:1+rnd.IntN(2)])
	}
	implied, contradicted := 0, 0
	for range 20000 {
		premise, goal := either(), all[rnd.IntN(len(all))]
		if rnd.IntN(3) == 0 {
			premise, goal = goal, premise
		}
		premises := []*model.Condition{premise}
		follows, excluded := Implied(premises, goal), Contradicted(premises, goal)
		for n := -1; n <= 4; n++ {
			value := strconv.Itoa(n)
			if !fulfilsAny(value, premise) {
				continue
			}
			if follows && !fulfilsAny(value, goal) {
				t.Fatalf("%s implies %s, but not for %s", premise, goal, value)
			}
			if excluded && fulfilsAny(value, goal) {
				t.Fatalf("%s contradicts %s, but not for %s", premise, goal, value)
			}
		}
		if follows {
			implied++
		}
		if excluded {
			contradicted++
		}
	}
	if implied < 500 || contradicted < 100 {
		t.Errorf("%d implications and %d contradictions found: the test compares too little", implied, contradicted)
	}
}

func fulfilsAny(value string, c *model.Condition) bool {
	if c.Op != model.Or {
		return Fulfils(value, c)
	}
	return slices.ContainsFunc(c.Any, func(alternative []*model.Condition) bool {
		return !slices.ContainsFunc(alternative, func(c *model.Condition) bool { return !fulfilsAny(value, c) })
	})
}

func TestStatesLeftByAlternatives(t *testing.T) {
	state := &model.Attribute{Name: "state", Type: model.Type{Base: model.Enum, Values: []string{"new", "open", "done", "lost"}}}
	other := &model.Attribute{Name: "n", Type: model.Type{Base: model.Integer}}
	is := func(values ...string) *model.Condition {
		c := &model.Condition{Attribute: state, Op: model.In}
		for _, v := range values {
			c.Values = append(c.Values, model.Operand{Constant: v})
		}
		return c
	}
	positive := &model.Condition{Attribute: other, Op: model.Gt, Values: []model.Operand{{Constant: "0"}}}
	for _, c := range []struct {
		name       string
		conditions []*model.Condition
		left       string
		named      bool
	}{
		{"either of two", []*model.Condition{model.NewOr([][]*model.Condition{{is("new")}, {is("open"), positive}})}, "new open", true},
		{"either, or anything else", []*model.Condition{model.NewOr([][]*model.Condition{{is("new")}, {positive}})}, "", false},
		{"together with another", []*model.Condition{is("open", "done"), model.NewOr([][]*model.Condition{{is("new")}, {is("open")}})}, "open", true},
		{"before another", []*model.Condition{model.NewOr([][]*model.Condition{{is("new")}, {is("open")}}), is("open", "done")}, "open", true},
		{"nothing together", []*model.Condition{model.NewOr([][]*model.Condition{{is("new")}, {is("lost")}}), is("open")}, "none", true},
	} {
		left, named := StatesLeft(state, c.conditions)
		text := strings.Join(slices.Sorted(maps.Keys(left)), " ")
		if left != nil && len(left) == 0 {
			text = "none"
		}
		if text != c.left || named != c.named {
			t.Errorf("%s: left are %q, named %v; want %q, %v", c.name, text, named, c.left, c.named)
		}
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
