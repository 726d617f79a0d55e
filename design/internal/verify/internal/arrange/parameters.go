package arrange

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// chooseParameters gives a first value to the parameters of assignments, additions and
// conditions.
func (s *arrangement) chooseParameters() {
	for _, act := range s.Actions {
		old := s.oldValues(act)
		s.chooseAssigned(act, old)
		s.chooseAdded(act)
		for _, c := range slices.Concat(act.Step.If, act.Step.Where) {
			s.chooseCompared(act, c, old)
		}
	}
}

// chooseAssigned chooses what an action sets attributes to.
func (s *arrangement) chooseAssigned(act *judge.Action, old sample.Values) {
	choose := func(param string, a *model.Attribute, old sample.Values) {
		if param != "" && !s.isBound(act, param, a) {
			s.bind(act, param, a, s.newValue(act.Step.Entity, a, old))
		}
	}
	for _, set := range act.Step.Set {
		choose(act.Assigned(set.Attribute).Param, set.Attribute, old)
	}
	if !act.Whole() {
		return
	}
	for _, c := range act.Step.Where {
		choose(paramOf(c), c.Attribute, nil)
	}
}

// chooseAdded chooses what an action adds to numbers.
func (s *arrangement) chooseAdded(act *judge.Action) {
	for _, add := range act.Step.Add {
		if add.Param != "" && !s.isBound(act, add.Param, add.Attribute) {
			s.bind(act, add.Param, add.Attribute, state.Int(1+s.gen.rng.Int64N(5)))
		}
	}
}

// chooseCompared chooses what a condition compares with: the value that the item has.
func (s *arrangement) chooseCompared(act *judge.Action, c *model.Condition, old sample.Values) {
	for _, o := range c.Values {
		if o.Param == "" || s.isBound(act, o.Param, c.Attribute) {
			continue
		}
		if ref := s.Call.Ref(act.Write, o.Param, c.Attribute); !ref.IsZero() && ref.Input.Kind == program.List {
			s.Arguments.Lists[ref.Input] = []sample.Value{s.newValue(act.Step.Entity, c.Attribute, nil), s.valueOr(old, c.Attribute)}
			continue
		}
		s.bind(act, o.Param, c.Attribute, s.valueOr(old, c.Attribute))
	}
}

// newValue returns a value that an attribute can be set to: of some item, or a new one.
func (s *arrangement) newValue(e *model.Entity, a *model.Attribute, old sample.Values) sample.Value {
	if v, ok := old[a]; ok && s.gen.rng.IntN(8) == 0 {
		return v // it stays the same
	}
	if r := s.anyRow(e); r != nil && !isUnique(e, a) && s.gen.rng.IntN(3) > 0 {
		if v, ok := r.Values[a]; ok {
			return v
		}
	}
	switch a.Type.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		for _, r := range s.Tables.Of(e) {
			if v, ok := r.Values[a]; ok {
				return v
			}
		}
	}
	return s.gen.invent(a, old[a])
}

// readVersions binds the versions that the caller has seen to those of the items. A put
// needs a positive version if there is an item, and 0 if there is none.
func (s *arrangement) readVersions() {
	for _, act := range s.Actions {
		if !act.Locked() {
			continue
		}
		r, version, puts := s.RowAt(act), act.Step.Entity.Version, act.Step.Verb == model.Put
		switch {
		case r == nil && puts:
			s.bind(act, act.SeenParam(), version, state.Int(0))
			continue
		case r == nil:
			continue
		case puts && state.NumberOf(r.Values[version]).Sign() <= 0:
			r = s.Changed(r, version, state.Int(1), true)
			s.Place(r)
		}
		if v, ok := r.Values[version]; ok {
			s.bind(act, act.SeenParam(), version, v)
		}
	}
}
