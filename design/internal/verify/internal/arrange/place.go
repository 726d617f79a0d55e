package arrange

import (
	"maps"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// placeItems finds or makes the items that must exist, clears the items that must not, and
// binds the parameters that identify them.
func (s *arrangement) placeItems() {
	used := map[string]bool{}
	for _, act := range s.Actions {
		if act.Whole() {
			continue
		}
		values := s.choose(act.Step.Entity, s.identified(act), used, act.None)
		s.completeOptional(act.Step.Entity, values)
		s.unlikeAssigned(act, values)
		r := s.Tables.RowOf(act.Step.Entity, values)
		used[r.Address()] = true
		if act.None {
			s.Clear(r.Table, r.Item)
		} else {
			s.Place(r)
		}
		s.identify(act, values)
	}
}

// identified returns the values that the item of an action must have, as far as they are
// known.
func (s *arrangement) identified(act *judge.Action) sample.Values {
	values := sample.Values{}
	for _, c := range act.Step.Where {
		if v, ok := s.operandOf(act, c); ok {
			values[c.Attribute] = v
		}
	}
	return values
}

// identify binds the parameters that say which item an action means.
func (s *arrangement) identify(act *judge.Action, values sample.Values) {
	for _, c := range act.Step.Where {
		if p := paramOf(c); p != "" && !s.isBound(act, p, c.Attribute) {
			s.bind(act, p, c.Attribute, s.valueOr(values, c.Attribute))
		}
	}
}

// operandOf returns the value that an equality compares with, if it is known.
func (s *arrangement) operandOf(act *judge.Action, c *model.Condition) (sample.Value, bool) {
	if c.Op != model.Eq || c.Values[0].Attribute != nil {
		return sample.Value{}, false
	}
	return s.Operand(act, c.Values[0], c.Attribute, nil)
}

// paramOf returns the parameter of an equality, or "".
func paramOf(c *model.Condition) string {
	if c.Op != model.Eq {
		return ""
	}
	return c.Values[0].Param
}

// valueOr returns the value of an attribute, or a new one. An item without a set has an
// empty one.
func (s *arrangement) valueOr(values sample.Values, a *model.Attribute) sample.Value {
	if v, ok := values[a]; ok {
		return v
	}
	if values != nil && a.Type.Base == model.SetOf {
		return s.gen.emptied(a)
	}
	return s.gen.invent(a, sample.Value{})
}

// choose returns the values of an item that has the given ones: of a row that no other
// action uses, or of a new item.
func (s *arrangement) choose(e *model.Entity, bound sample.Values, used map[string]bool, absent bool) sample.Values {
	var fit []*state.Row
	for _, r := range s.Tables.Of(e) {
		if has(r.Values, bound) && !used[r.Address()] && s.AtAddress(r.Address()) != nil {
			fit = append(fit, r)
		}
	}
	if n := len(fit); n > 0 && !absent && !(s.wild && s.gen.rng.IntN(2) == 0) {
		r := fit[s.gen.rng.IntN(n)]
		return maps.Clone(s.AtAddress(r.Address()).Values)
	}
	values := s.fresh(e)
	maps.Copy(values, bound)
	agree(e, values)
	if r := s.Tables.RowOf(e, values); !absent {
		if have := s.At(r.Table, r.Item); have != nil && have.Entity == e { // only its other values must change
			values = maps.Clone(have.Values)
			maps.Copy(values, bound)
		}
	}
	return values
}

// has reports whether values include the given ones.
func has(values, bound sample.Values) bool {
	for a, want := range bound {
		if have, ok := values[a]; !ok || have.Compare(want) != 0 {
			return false
		}
	}
	return true
}

// removeSome removes, now and then, items that are to be deleted, where the delete must
// succeed all the same, and half of the items that an upsert can make.
func (s *arrangement) removeSome() {
	if s.assumed != nil {
		return
	}
	for _, act := range s.Actions {
		switch act.Step.Verb {
		case model.Upsert:
			if s.gen.rng.IntN(2) > 0 {
				continue
			}
		case model.Delete:
			if s.MustFind(act) || s.gen.rng.IntN(6) > 0 {
				continue
			}
		default:
			continue
		}
		if r := s.RowAt(act); r != nil {
			s.Clear(r.Table, r.Item)
		}
	}
}
