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
		p := &parameters{s, act, s.oldValues(act)}
		p.chooseAssigned()
		p.chooseAdded()
		p.chooseEdited()
		p.chooseEntries()
		for _, c := range model.Comparisons(slices.Concat(act.Step.If, act.Step.Where)) {
			p.chooseCompared(c)
		}
	}
}

// parameters chooses the parameters of one action.
type parameters struct {
	s   *arrangement
	act *judge.Action
	old sample.Values // of the item before the call
}

// unbound reports whether a parameter has no value yet. "" is no parameter.
func (p *parameters) unbound(param string, a *model.Attribute) bool {
	return param != "" && !p.s.isBound(p.act, param, a)
}

// chooseAssigned chooses what the action sets attributes to.
func (p *parameters) chooseAssigned() {
	e := p.act.Step.Entity
	kept := p.leavesOut()
	for i, set := range p.act.Step.Set {
		if param := p.act.Assigned(set.Attribute).Param; p.unbound(param, set.Attribute) && !kept[i] {
			p.s.bind(p.act, param, set.Attribute, p.s.newValue(e, set.Attribute, p.old))
		}
	}
	for _, set := range p.act.Step.Initial {
		if param := p.act.Initial(set.Attribute).Param; p.unbound(param, set.Attribute) {
			p.s.bind(p.act, param, set.Attribute, p.s.newValue(e, set.Attribute, nil))
		}
	}
	if !p.act.Whole() {
		return
	}
	for _, c := range p.act.Step.Where {
		if param := paramOf(c); p.unbound(param, c.Attribute) {
			p.s.bind(p.act, param, c.Attribute, p.s.newValue(e, c.Attribute, nil))
		}
	}
}

// leavesOut returns the assignments of a patch that the caller leaves out: about half, but not
// all of them. An estimate assumes that all are given.
func (p *parameters) leavesOut() map[int]bool {
	kept, patched := map[int]bool{}, []int(nil)
	for i, set := range p.act.Step.Set {
		if set.Patch && p.s.assumed == nil {
			kept[i], patched = p.s.gen.rng.IntN(2) == 0, append(patched, i)
		}
	}
	if len(patched) > 0 {
		kept[patched[p.s.gen.rng.IntN(len(patched))]] = false
	}
	return kept
}

// chooseAdded chooses what the action adds to numbers.
func (p *parameters) chooseAdded() {
	for _, add := range p.act.Step.Add {
		if p.unbound(add.Param, add.Attribute) {
			p.s.bind(p.act, add.Param, add.Attribute, state.Int(1+p.s.gen.rng.Int64N(5)))
		}
	}
}

// chooseEdited chooses the elements that the action adds or deletes: some that the set has and
// some of another item.
func (p *parameters) chooseEdited() {
	for _, edit := range p.act.Step.Edits {
		a := edit.Attribute
		if !p.unbound(edit.Param, a) {
			continue
		}
		v := p.s.newValue(p.act.Step.Entity, a, nil)
		for _, e := range p.old[a].Elements {
			known := slices.ContainsFunc(v.Elements, func(have sample.Value) bool { return have.Compare(e) == 0 })
			if !known && p.s.gen.rng.IntN(2) == 0 {
				v.Elements = append(slices.Clip(v.Elements), e)
			}
		}
		p.s.bind(p.act, edit.Param, a, v)
	}
}

// chooseCompared chooses what a condition compares with: the value that the item has.
func (p *parameters) chooseCompared(c *model.Condition) {
	s := p.s
	if c.Entry != nil {
		p.chooseKey(c.Entry)
	}
	for _, o := range c.Values {
		if !p.unbound(o.Param, c.Attribute) {
			continue
		}
		if ref := s.Call.Ref(p.act.Write, o.Param, c.Attribute); !ref.IsZero() && ref.Input.Kind == program.List {
			s.Arguments.Lists[ref.Input] = []sample.Value{s.newValue(p.act.Step.Entity, c.Attribute, nil), s.valueOr(p.old, c.Attribute)}
			continue
		}
		s.bind(p.act, o.Param, c.Attribute, s.valueOr(p.old, c.Attribute))
	}
}

// newValue returns a value that an attribute can be set to: of some item, or a new one.
func (s *arrangement) newValue(e *model.Entity, a *model.Attribute, old sample.Values) sample.Value {
	if v, ok := old[a]; ok && s.assumed == nil && s.gen.rng.IntN(8) == 0 {
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
