package resolve

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// bounds are the conditions that keep a counter between min and max: what it must be
// before it changes. By how much is not always known; then the caller gives the bound as
// a parameter. No shard knows the others, so a sharded counter is not bounded.
func (w *Write) bounds(counter *model.Counter, s shift) []*model.Condition {
	var all []*model.Condition
	add := func(op model.Op, limit *exact.Number, suffix string) {
		value := model.Operand{Param: counter.Attribute.Name + suffix}
		if s.param == "" {
			value = model.Operand{Constant: Digits(limit.Sub(s.by))}
		}
		c := &model.Condition{Attribute: counter.Attribute, Op: op, Values: []model.Operand{value}, Place: counter.Place}
		if !implied(w.Checks, c) && !implied(w.Checks, strictly(c)) {
			all = append(all, c)
			w.limit(c, *limit)
		}
	}
	if counter.Shards > 1 {
		return nil
	}
	if counter.Max != nil && s.rises {
		add(model.Lte, counter.Max, "_most")
		w.fromNothing = append(w.fromNothing, all...)
	}
	if counter.Min != nil && s.falls {
		add(model.Gte, counter.Min, "_least")
	}
	return all
}

// strictly is a bound of a whole number in the other words there are for it: at most 4
// is below 5.
func strictly(c *model.Condition) *model.Condition {
	limit, err := exact.Parse(c.Values[0].Constant)
	if err != nil || c.Attribute.Type.Base != model.Integer {
		return c
	}
	other := *c
	other.Op, limit = model.Lt, limit.Add(exact.One)
	if c.Op == model.Gte {
		other.Op, limit = model.Gt, limit.Sub(exact.Int(2))
	}
	other.Values = []model.Operand{{Constant: Digits(limit)}}
	return &other
}

// beginsWithin reports whether a counter of a new item begins between min and max, as far as
// the design tells: what is taken away along with it may leave less than min, and a fixed
// number may be outside. There is no item yet whose counter a condition could compare.
func (t *tally) beginsWithin() bool {
	minimum, maximum := t.Counter.Min, t.Counter.Max
	if !counts(t.terms) {
		return (minimum == nil || !t.shift.by.Less(*minimum)) && (maximum == nil || !maximum.Less(t.shift.by))
	}
	takes := slices.ContainsFunc(t.of, func(w *Write) bool { return !writesWhole(w.Origin.Step.Verb) })
	return minimum == nil || !takes || !t.shift.falls
}

// unbounded says that nothing keeps a counter of a new item within its bounds.
func (t *tally) unbounded(w *Write) Problem {
	e, counter := t.Entity.Name, t.Counter.Attribute.Name
	return Problem{
		Code: "W809", Place: t.Step.Place,
		Message: fmt.Sprintf("nothing keeps %s.%s within its bounds: a new %s begins with what is counted in the same transaction, which may be outside of them", e, counter, e),
		Fix:     fmt.Sprintf("create the %s first and write what %s counts in another pattern, or leave out min and max", e, counter),
		Related: []diag.Related{{Place: w.Step.Place, Message: "the new " + e}, {Place: t.Counter.Place, Message: "counts " + t.Counter.Of.Name}},
	}
}
