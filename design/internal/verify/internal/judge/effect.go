package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Operand returns the value of an operand of an action on an item with the given values, and
// whether there is one.
func (s *Scenario) Operand(act *Action, o model.Operand, of *model.Attribute, values sample.Values) (sample.Value, bool) {
	if o.Attribute != nil {
		v, ok := values[o.Attribute]
		return v, ok
	}
	return s.Arguments.Operand(s.Call, act.Write, o, of, act.Index)
}

// compared returns the i-th value that a condition compares with.
func (s *Scenario) compared(act *Action, c *model.Condition, i int, values sample.Values) (sample.Value, bool) {
	if o := c.Values[i]; o.Attribute == nil {
		return s.Arguments.Bound(s.Call, act.Write, o, c.Attribute, act.Index, resolve.RoundsUp(c, i))
	}
	return s.Operand(act, c.Values[i], c.Attribute, values)
}

// asksForNone reports whether a condition compares with an empty set: an item has one if it
// lacks the attribute.
func (s *Scenario) asksForNone(act *Action, c *model.Condition) bool {
	if !resolve.ComparesSet(c) {
		return false
	}
	_, given := s.Operand(act, c.Values[0], c.Attribute, nil)
	return !given
}

// Holds reports whether a condition of an action holds for an item with the given values. An
// absent value is unequal to every other value.
func (s *Scenario) Holds(act *Action, c *model.Condition, values sample.Values) bool {
	if c.Op == model.Or {
		return slices.ContainsFunc(c.Any, func(alternative []*model.Condition) bool {
			return !slices.ContainsFunc(alternative, func(c *model.Condition) bool { return !s.Holds(act, c, values) })
		})
	}
	have, ok := values[c.Attribute]
	if c.Entry != nil {
		have, ok = s.EntryIn(act, c.Entry, values)
	}
	switch {
	case c.Op == model.Exists:
		return ok
	case c.Op == model.Missing:
		return !ok
	case s.asksForNone(act, c):
		return ok == (c.Op == model.Ne)
	case !ok:
		return c.Op == model.Ne
	}
	var orders []int
	for i, o := range c.Values {
		for _, v := range s.Arguments.Lists[s.Call.Ref(act.Write, o.Param, c.Attribute).Input] {
			orders = append(orders, have.Compare(v))
		}
		if v, ok := s.compared(act, c, i, values); ok {
			orders = append(orders, have.Compare(v))
		}
	}
	if len(orders) < len(c.Values) && c.Op != model.In {
		return c.Op == model.Ne
	}
	switch c.Op {
	case model.In:
		return slices.Contains(orders, 0)
	case model.Eq:
		return orders[0] == 0
	case model.Ne:
		return orders[0] != 0
	case model.Lt:
		return orders[0] < 0
	case model.Lte:
		return orders[0] <= 0
	case model.Gt:
		return orders[0] > 0
	case model.Gte:
		return orders[0] >= 0
	case model.Between:
		return orders[0] >= 0 && orders[1] <= 0
	}
	begin, _ := s.Operand(act, c.Values[0], c.Attribute, values)
	return len(have.Text) >= len(begin.Text) && have.Text[:len(begin.Text)] == begin.Text
}

// KeyOf returns the primary key of the item of an action, and whether the arguments give all of
// it.
func (s *Scenario) KeyOf(act *Action) (access.Item, bool) {
	values := sample.Values{}
	if act.Whole() {
		values = s.Given(act)
	} else {
		for _, c := range act.Step.Where {
			if c.Op != model.Eq {
				continue
			}
			if v, ok := s.Operand(act, c.Values[0], c.Attribute, nil); ok {
				values[c.Attribute] = v
			}
		}
	}
	return s.Tables.KeyOf(act.Step.Entity, values)
}

// Given returns the values that a create or put writes: those of the caller and those that the
// pattern fixes.
func (s *Scenario) Given(act *Action) sample.Values {
	values, e := sample.Values{}, act.Step.Entity
	var given sample.Values
	if items := s.Arguments.Items[act.Write.Given]; act.Index < len(items) {
		given = items[act.Index]
	}
	for _, a := range e.Attributes {
		v, ok := given[a]
		switch o := act.Assigned(a); {
		case o != nil:
			v, ok = s.Operand(act, *o, a, given)
		case act.Step.Verb == model.Create && a.Lifecycle != nil:
			v, ok = state.Constant(a, state.FirstState(a)), true
		case a == e.Version && act.Step.Verb == model.Create:
			v, ok = state.Constant(a, "1"), true
		case a == e.Version:
			v, ok = state.Plus(v, exact.One), true
		}
		if ok {
			values[a] = v
		}
	}
	return values
}

// after returns the values of the item of an action after the call, given those before; nil: no
// item.
func (s *Scenario) after(act *Action, old sample.Values) sample.Values {
	switch act.Step.Verb {
	case model.Create, model.Put:
		return s.Given(act)
	case model.Delete:
		return nil
	case model.Check:
		return old
	}
	values, e := sample.Values{}, act.Step.Entity
	for _, a := range e.Attributes {
		v, ok := old[a]
		switch o, add, initial, edit := act.Assigned(a), act.adds(a), act.Initial(a), act.edits(a); {
		case edit != nil:
			v, ok = s.edited(act, edit, v)
		case o != nil && act.patches(a):
			if given, is := s.Operand(act, *o, a, old); is {
				v, ok = given, true
			}
		case o != nil:
			v, ok = s.Operand(act, *o, a, old)
		case initial != nil && !ok:
			v, ok = s.Operand(act, *initial, a, old)
		case add != nil:
			by, _ := s.Addend(act, add)
			v, ok = state.Plus(v, by), true
		case slices.Contains(act.Step.Remove, a):
			ok = false
		case a == e.Version && (!act.onlyAdds() || act.upserts() && !ok):
			v, ok = state.Plus(v, exact.One), true
		}
		if ok {
			values[a] = v
		}
	}
	for _, change := range act.Step.Entries {
		values[change.Map] = s.withEntry(act, change, values[change.Map])
	}
	return values
}

// edited returns the value of an attribute after an edit, and whether there is one: a set
// without elements is absent.
func (s *Scenario) edited(act *Action, edit *model.Edit, old sample.Value) (sample.Value, bool) {
	given, _ := s.Operand(act, model.Operand{Param: edit.Param}, edit.Attribute, nil)
	among := func(all []sample.Value, one sample.Value) bool {
		return slices.ContainsFunc(all, func(v sample.Value) bool { return v.Compare(one) == 0 })
	}
	after := sample.Value{Kind: given.Kind, Elements: slices.Clone(old.Elements)}
	if after.Kind == "" {
		after.Kind = old.Kind
	}
	switch edit.Kind {
	case model.Include:
		for _, e := range given.Elements {
			if !among(after.Elements, e) {
				after.Elements = append(after.Elements, e)
			}
		}
	case model.Append:
		after.Kind, after.Elements = sample.List, append(after.Elements, given.Elements...)
		return after, true
	case model.Exclude:
		after.Elements = slices.DeleteFunc(after.Elements, func(e sample.Value) bool { return among(given.Elements, e) })
	}
	return after, len(after.Elements) > 0
}

// Addend returns by how much an addition changes a number, and whether that is known.
func (s *Scenario) Addend(act *Action, add *model.Addition) (exact.Number, bool) {
	if add.Param == "" {
		return add.By, true
	}
	v, ok := s.Operand(act, model.Operand{Param: add.Param}, add.Attribute, nil)
	return state.NumberOf(v), ok
}
