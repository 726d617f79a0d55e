package resolve

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// What an item contributes to a counter is told by what an action says of it: constants,
// parameters that its own condition holds, and the values of an item given whole. By how
// much the counter changes is what it contributes afterwards less what it did before.

// A side is an item before an action, or after it.
type side struct {
	after   bool
	counted answer // whether the counter counts it
	holds   func(*model.Step, *model.Condition) answer
	value   func(*model.Step, *model.Attribute) *model.Operand // nil: not known
}

// amount is by how much a counter changes with one item that is counted before an action,
// or after it, or perhaps.
func amount(step *model.Step, counter *model.Counter, before, after answer) shift {
	rises, falls := before != yes && after != no, before != no && after != yes
	if counter.Sum != nil { // numbers may be negative
		rises = before != no || after != no
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

// addedTerms are the parts of a change, and the attributes of which the action does not
// tell enough.
func addedTerms(step *model.Step, counter *model.Counter, before, after answer) ([]Term, []*model.Attribute) {
	was := side{false, before, holdsBefore, valueBefore}
	will := side{true, after, holdsAfter, valueAfter}
	add := addition(step, counter.Sum)
	if add != nil && before == after && !changesWhere(step, counter) { // whatever the number was
		return was.contributes(step, counter, addedBy(add))
	}
	terms, lacks := will.contributes(step, counter, will.amount(step, counter))
	if after != no && add != nil && len(lacks) == 0 {
		more, _ := will.contributes(step, counter, addedBy(add))
		terms = append(terms, more...)
	}
	gone, unknown := was.contributes(step, counter, was.amount(step, counter))
	for _, t := range gone {
		t.Minus = true
		terms = append(terms, t)
	}
	for _, a := range unknown {
		if !slices.Contains(lacks, a) {
			lacks = append(lacks, a)
		}
	}
	return terms, lacks
}

// changesWhere reports whether an update changes what decides whether an item is counted.
func changesWhere(step *model.Step, counter *model.Counter) bool {
	changed := changedBy(step)
	return slices.ContainsFunc(counter.Where, func(c *model.Condition) bool {
		return slices.ContainsFunc(comparedBy(c), func(a *model.Attribute) bool { return slices.Contains(changed, a) })
	})
}

// amount is what the item counts for if it is counted; nil: not known. To what is added to
// a number the addition comes.
func (s side) amount(step *model.Step, counter *model.Counter) *model.Operand {
	switch {
	case counter.Sum == nil:
		return &model.Operand{Constant: "1"}
	case slices.Contains(step.Remove, counter.Sum) && s.after, absent(beforehand(step), counter.Sum) && !s.changes(step, counter.Sum):
		return &model.Operand{Constant: "0"}
	case addition(step, counter.Sum) != nil:
		return valueBefore(step, counter.Sum)
	}
	return s.value(step, counter.Sum)
}

// changes reports whether the item has another value of an attribute than before.
func (s side) changes(step *model.Step, a *model.Attribute) bool {
	return s.after && addition(step, a) == nil && slices.Contains(changedBy(step), a)
}

// contributes are the parts of what the item counts for, and the attributes of which the
// action does not tell enough.
func (s side) contributes(step *model.Step, counter *model.Counter, amount *model.Operand) ([]Term, []*model.Attribute) {
	var lacks []*model.Attribute
	if s.counted == no {
		return nil, nil
	}
	if amount == nil {
		lacks, amount = append(lacks, counter.Sum), &model.Operand{}
	}
	n, _ := constant(amount)
	t := Term{By: n, Param: amount.Param}
	if t.Param != "" {
		t.Attribute = counter.Sum
	}
	for _, c := range counter.Where {
		if s.holds(step, c) != maybe {
			continue
		}
		t.Only = append(t.Only, c)
		if writesWhole(step.Verb) {
			continue // its values are in the item
		}
		for _, a := range comparedBy(c) {
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
	return []Term{t}, lacks
}

// Compared are the attributes that decide whether the part counts, each once.
func (t Term) Compared() []*model.Attribute {
	var all []*model.Attribute
	for _, c := range t.Only {
		for _, a := range comparedBy(c) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// ofTerms is the change that some parts come to.
func ofTerms(counter *model.Counter, terms []Term, rises, falls bool) shift {
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

// valueBefore is what is known of an attribute before an action, or nil.
func valueBefore(step *model.Step, a *model.Attribute) *model.Operand {
	if c := equality(beforehand(step), a); c != nil && c.Values[0].Attribute == nil {
		return &c.Values[0]
	}
	return nil
}

// valueAfter is what is known of an attribute after an action, or nil.
func valueAfter(step *model.Step, a *model.Attribute) *model.Operand {
	if v := assigned(step, a); v != nil && v.Attribute == nil {
		return v
	}
	switch {
	case writesWhole(step.Verb) && equality(step.Where, a) == nil:
		return &model.Operand{Param: a.Name}
	case slices.Contains(changedBy(step), a):
		return nil
	}
	return valueBefore(step, a)
}

// addition is what an action adds to a number, or nil.
func addition(step *model.Step, a *model.Attribute) *model.Addition {
	for _, add := range step.Add {
		if add.Attribute == a {
			return add
		}
	}
	return nil
}

// addedBy is by how much an addition changes a number.
func addedBy(add *model.Addition) *model.Operand {
	if add.Param != "" {
		return &model.Operand{Param: add.Param}
	}
	return &model.Operand{Constant: Digits(add.By)}
}

func constant(v *model.Operand) (exact.Number, bool) {
	if v == nil || !v.IsConstant() {
		return exact.Zero, false
	}
	n, err := exact.Parse(v.Constant)
	return n, err == nil
}

// Cancels reports whether two updates of counters come to nothing together: what the one
// takes away the other adds. The version, which every write raises, does not matter.
func Cancels(a, b *Statement, version *model.Attribute) bool {
	if len(a.Update) != len(b.Update) {
		return false
	}
	for i, c := range a.Update {
		other := b.Update[i]
		if c.Word != "ADD" || other.Word != "ADD" {
			return false
		}
		x, y := c.Values[0], other.Values[0]
		if version != nil && x.Attribute == version && y.Attribute == version {
			continue
		}
		if !opposite(x, y) {
			return false
		}
	}
	return true
}

// opposite reports whether two numbers are each other's negative, whatever the caller gives.
func opposite(x, y Value) bool {
	if len(x.Sum) > 0 || len(y.Sum) > 0 {
		return slices.EqualFunc(x.Sum, y.Sum, func(s, t Term) bool {
			return s.Minus != t.Minus && s.By.Equal(t.By) && s.Param == t.Param && s.Attribute == t.Attribute && s.Of != nil && s.Of == t.Of &&
				s.Repeated == t.Repeated && slices.Equal(s.Only, t.Only) && maps.Equal(s.Values, t.Values)
		})
	}
	m, okM := constant(x.Operand)
	n, okN := constant(y.Operand)
	return okM && okN && m.Add(n).IsZero()
}
