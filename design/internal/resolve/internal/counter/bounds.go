package counter

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
	"sortkey.dev/design/internal/resolve/internal/write"
)

// bound adds the conditions that keep a counter between min and max: bounds of its value
// before the change. Where the change is not known, the caller gives the bound as a
// parameter. No shard knows the others, so a sharded counter is not bounded.
func bound(d *write.Draft, counter *model.Counter, s shift) {
	if counter.Shards > 1 {
		return
	}
	type limit struct {
		op     model.Op
		at     *exact.Number
		suffix string
	}
	var limits []limit
	if counter.Max != nil && s.rises {
		limits = append(limits, limit{model.Lte, counter.Max, "_most"})
	}
	if counter.Min != nil && s.falls {
		limits = append(limits, limit{model.Gte, counter.Min, "_least"})
	}
	for _, l := range limits {
		value := model.Operand{Param: counter.Attribute.Name + l.suffix}
		if s.param == "" {
			value = model.Operand{Constant: plan.Digits(l.at.Sub(s.by))}
		}
		c := &model.Condition{Attribute: counter.Attribute, Op: l.op, Values: []model.Operand{value}, Place: counter.Place}
		if logic.Implied(d.Checks, c) || logic.Implied(d.Checks, strictly(c)) {
			continue
		}
		d.Limit(c, *l.at)
		if l.op == model.Lte {
			d.FromNothing = append(d.FromNothing, c)
		}
	}
}

// boundByHand keeps a counter between min and max where the pattern itself adds to it.
// The items that it counts in the same pattern show in which direction a parameter goes.
func (k *keeper) boundByHand(e *model.Entity, counter *model.Counter) {
	var counted []shift
	for _, d := range k.Drafts {
		counted = append(counted, shifts(d.Step, counter)...)
	}
	for _, d := range k.Drafts {
		add := action.Addition(d.Step, counter.Attribute)
		if d.Item.Entity != e || !d.Step.Verb.InPlace() || add == nil {
			continue
		}
		s := fixed(add.By)
		if add.Param != "" {
			s = shift{param: add.Param, rises: len(counted) == 0, falls: len(counted) == 0}
			for _, c := range counted {
				s.rises, s.falls = s.rises || c.rises, s.falls || c.falls
			}
		}
		bound(d, counter, s)
	}
}

// strictly returns a bound of a whole number with the other operator: at most 4 is below
// 5.
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
	other.Values = []model.Operand{{Constant: plan.Digits(limit)}}
	return &other
}

// beginsWithin reports whether a counter of a new item begins between min and max, as far
// as the design says: numbers subtracted along with it may leave less than min, and a fixed
// number may be outside. There is no item yet whose counter a condition could compare.
func (t *tally) beginsWithin() bool {
	minimum, maximum := t.Counter.Min, t.Counter.Max
	if !plan.Varies(t.terms) {
		return (minimum == nil || !t.shift.by.Less(*minimum)) && (maximum == nil || !maximum.Less(t.shift.by))
	}
	takes := slices.ContainsFunc(t.of, func(d *write.Draft) bool { return !action.WritesWhole(d.Origin.Step.Verb) })
	return minimum == nil || !takes || !t.shift.falls
}

// unbounded returns the problem that nothing keeps a counter of a new item within its
// bounds.
func (t *tally) unbounded(d *write.Draft) plan.Problem {
	e, counter := t.Entity.Name, t.Counter.Attribute.Name
	return plan.Problem{
		Code: "W809", Place: t.Step.Place,
		Message: fmt.Sprintf("nothing keeps %s.%s within its bounds: a new %s begins with what is counted in the same transaction, which may be outside of them", e, counter, e),
		Fix:     fmt.Sprintf("create the %s first and write what %s counts in another pattern, or leave out min and max", e, counter),
		Related: []diag.Related{{Place: d.Step.Place, Message: "the new " + e}, {Place: t.Counter.Place, Message: "counts " + t.Counter.Of.Name}},
	}
}
