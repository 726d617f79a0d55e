package counter

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// The contribution of an item to a counter follows from what an action says of it:
// constants, parameters that its own condition compares, and the values of an item given
// whole. The counter changes by the contribution after the action less the one before it.

// A side is an item before an action, or after it.
type side struct {
	after   bool
	counted action.Answer // whether the counter counts it
	holds   func(*model.Step, *model.Condition) action.Answer
	value   func(*model.Step, *model.Attribute) *model.Operand // nil: not known
}

// amount returns the change of a counter by one item that is counted before an action, or
// after it, or perhaps.
func amount(step *model.Step, counter *model.Counter, before, after action.Answer) shift {
	rises, falls := before != action.Yes && after != action.No, before != action.No && after != action.Yes
	if counter.Sum != nil { // numbers may be negative
		rises = before != action.No || after != action.No
		falls = rises
	}
	if !rises && !falls {
		return shift{}
	}
	terms, lacks := addedTerms(step, counter, before, after)
	if len(lacks) > 0 {
		s := unknown(counter, rises, falls)
		s.lacks = lacks
		return s
	}
	return ofTerms(counter, terms, rises, falls)
}

// addedTerms returns the parts of a change, and the attributes that the action says too
// little of.
func addedTerms(step *model.Step, counter *model.Counter, before, after action.Answer) ([]plan.Term, []*model.Attribute) {
	was := side{false, before, action.HoldsBefore, action.ValueBefore}
	will := side{true, after, action.HoldsAfter, action.ValueAfter}
	add := action.Addition(step, counter.Sum)
	if add != nil && before == after && !changesWhere(step, counter) { // whatever the number was
		return was.contributes(step, counter, addedBy(add))
	}
	terms, lacks := will.contributes(step, counter, will.amount(step, counter))
	if after != action.No && add != nil && len(lacks) == 0 {
		more, _ := will.contributes(step, counter, addedBy(add))
		terms = append(terms, more...)
	}
	gone, unknown := was.contributes(step, counter, was.amount(step, counter))
	for _, t := range gone {
		t.Minus = true
		terms = append(terms, t)
	}
	return terms, addMissing(lacks, unknown)
}

// changesWhere reports whether an update changes an attribute that decides whether an item
// is counted.
func changesWhere(step *model.Step, counter *model.Counter) bool {
	return slices.ContainsFunc(counter.Where, func(c *model.Condition) bool { return action.Touches(step, logic.Compared(c)) })
}

// amount returns the contribution of the item if it is counted, without what the action
// adds; nil: not known.
func (s side) amount(step *model.Step, counter *model.Counter) *model.Operand {
	switch {
	case counter.Sum == nil:
		return &model.Operand{Constant: "1"}
	case slices.Contains(step.Remove, counter.Sum) && s.after, logic.Absent(action.Known(step), counter.Sum) && !s.changes(step, counter.Sum):
		return &model.Operand{Constant: "0"}
	case action.Addition(step, counter.Sum) != nil:
		return action.ValueBefore(step, counter.Sum)
	}
	return s.value(step, counter.Sum)
}

// changes reports whether the item has another value of an attribute than before.
func (s side) changes(step *model.Step, a *model.Attribute) bool {
	return s.after && action.Addition(step, a) == nil && action.Changes(step, a)
}

// contributes returns the parts of the contribution of the item, and the attributes that
// the action says too little of.
func (s side) contributes(step *model.Step, counter *model.Counter, amount *model.Operand) ([]plan.Term, []*model.Attribute) {
	if s.counted == action.No {
		return nil, nil
	}
	var lacks []*model.Attribute
	if amount == nil {
		lacks, amount = append(lacks, counter.Sum), &model.Operand{}
	}
	t := plan.Term{Param: amount.Param}
	if t.Param != "" {
		t.Attribute = counter.Sum
	} else if n, err := exact.Parse(amount.Constant); err == nil {
		t.By = n
	}
	for _, c := range counter.Where {
		if s.holds(step, c) == action.Maybe {
			t.Only = append(t.Only, c)
		}
	}
	if !action.WritesWhole(step.Verb) { // else its values are in the item
		lacks = append(lacks, s.compare(&t, step)...)
	}
	return []plan.Term{t}, lacks
}

// compare adds the values that the conditions of a part compare, and returns the attributes
// whose value the action does not give.
func (s side) compare(t *plan.Term, step *model.Step) []*model.Attribute {
	var lacks []*model.Attribute
	for _, c := range t.Only {
		for _, a := range logic.Compared(c) {
			value := s.value(step, a)
			if value == nil {
				lacks = append(lacks, a)
				continue
			}
			if t.Values == nil {
				t.Values = map[*model.Attribute]model.Operand{}
			}
			t.Values[a] = *value
		}
	}
	return lacks
}

// ofTerms returns the change that is the sum of parts.
func ofTerms(counter *model.Counter, terms []plan.Term, rises, falls bool) shift {
	fixedSum := exact.Zero
	for _, t := range terms {
		switch {
		case t.Param != "" || len(t.Only) > 0:
			if len(terms) == 1 && len(t.Only) == 0 && !t.Minus {
				return shift{param: t.Param, rises: rises, falls: falls}
			}
			s := unknown(counter, rises, falls)
			s.known = terms
			return s
		case t.Minus:
			fixedSum = fixedSum.Sub(t.By)
		default:
			fixedSum = fixedSum.Add(t.By)
		}
	}
	return fixed(fixedSum)
}

// addedBy returns the number that an addition adds.
func addedBy(add *model.Addition) *model.Operand {
	if add.Param != "" {
		return &model.Operand{Param: add.Param}
	}
	return &model.Operand{Constant: plan.Digits(add.By)}
}
