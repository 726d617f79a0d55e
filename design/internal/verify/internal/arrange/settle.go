package arrange

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A miss is something a call needs that does not hold yet.
type miss struct {
	act       *judge.Action
	attribute *model.Attribute // nil: the item itself is not there
	operands  []model.Operand  // it is compared with
	near      []sample.Value   // values that could help
}

// settle changes rows and parameters until everything that the actions need holds, one
// value after another: what it tries must not break more than it mends.
func (s *arrangement) settle() {
	misses := s.misses()
	for range 400 {
		if len(misses) == 0 {
			return
		}
		m := misses[s.gen.rng.IntN(len(misses))]
		if m.attribute == nil {
			return
		}
		undo := s.change(m)
		if after := s.misses(); len(after) <= len(misses) {
			misses = after
		} else {
			undo()
		}
	}
}

// misses are what the actions need and do not have.
func (s *arrangement) misses() []miss {
	var all []miss
	for _, act := range s.Actions {
		if act.None || act.Step.Verb == model.Create {
			continue
		}
		r := s.RowAt(act)
		if r == nil && act.Step.Verb != model.Put {
			for range 50 {
				all = append(all, miss{act: act})
			}
			continue
		}
		var old sample.Values
		if r != nil {
			old = r.Values
		}
		for _, c := range act.Conditions() {
			if !s.Holds(act, c, old) {
				all = append(all, miss{act: act, attribute: c.Attribute, operands: c.Values})
			}
		}
		if r != nil {
			all = append(all, s.outOfLine(act, old)...)
		}
	}
	return all
}

// outOfLine are the steps a lifecycle does not allow, and the bounds that what the pattern
// adds itself would cross.
func (s *arrangement) outOfLine(act *judge.Action, old sample.Values) []miss {
	var all []miss
	if act.Step.Verb == model.Put {
		for _, t := range act.Write.Transitions() {
			if to, ok := s.Operand(act, t.To, t.Attribute, old); ok && !t.Allows(old[t.Attribute].Text, to.Text) {
				all = append(all, miss{act: act, attribute: t.Attribute, operands: []model.Operand{t.To}})
			}
		}
	}
	if act.Step.Verb != model.Update {
		return all
	}
	for _, set := range act.Step.Set {
		a := set.Attribute
		to, ok := s.Operand(act, *act.Assigned(a), a, old)
		if a.Lifecycle != nil && ok && !a.Lifecycle.Allows(old[a].Text, to.Text) {
			all = append(all, miss{act: act, attribute: a, operands: []model.Operand{*act.Assigned(a)}})
		}
	}
	for _, add := range act.Step.Add {
		by, _ := s.Addend(act, add)
		for _, c := range act.Step.Entity.Counters {
			if c.Attribute != add.Attribute || judge.Within(c, state.NumberOf(old[c.Attribute]), by) {
				continue
			}
			m := miss{act: act, attribute: c.Attribute}
			for _, bound := range []*exact.Number{c.Min, c.Max} {
				if bound != nil {
					m.near = append(m.near, sample.Value{Kind: sample.Number, Text: bound.Sub(by).String()})
				}
			}
			all = append(all, m)
		}
	}
	return all
}

// change changes one value that a miss is about, of the item or of a parameter, and
// returns what changes it back.
func (s *arrangement) change(m miss) func() {
	var params []model.Operand
	for _, o := range m.operands {
		if o.Param != "" && s.free(m.act, o.Param, m.attribute) {
			params = append(params, o)
		}
	}
	v, is := s.candidate(m)
	if len(params) > 0 && s.gen.rng.IntN(2) == 0 && is {
		o := params[s.gen.rng.IntN(len(params))]
		return s.changeParam(m.act, o.Param, m.attribute, v)
	}
	targets := []*model.Attribute{m.attribute}
	for _, o := range m.operands {
		if o.Attribute != nil {
			targets = append(targets, o.Attribute)
		}
	}
	return s.changeRow(m.act, targets[s.gen.rng.IntN(len(targets))], v, is)
}

// free reports whether a parameter is the caller's to choose: not part of the identity of
// an item that is given whole.
func (s *arrangement) free(act *judge.Action, param string, of *model.Attribute) bool {
	ref := s.Call.Ref(act.Write, param, of)
	if ref.IsZero() || ref.Input.Kind == program.Key || ref.Input.Kind == program.List {
		return false
	}
	return ref.Input.Kind != program.Whole || !s.kept(ref.Input.Entity)[ref.Attribute]
}

func (s *arrangement) changeParam(act *judge.Action, param string, of *model.Attribute, v sample.Value) func() {
	have, had := s.Arguments.At(s.Call.Ref(act.Write, param, of), act.Index)
	s.bind(act, param, of, v)
	return func() {
		if had {
			s.bind(act, param, of, have)
		} else {
			s.unbind(act, param, of)
		}
	}
}

func (s *arrangement) changeRow(act *judge.Action, a *model.Attribute, v sample.Value, is bool) func() {
	r, e := s.RowAt(act), act.Step.Entity
	unique := isUnique(e, a)
	if r == nil || s.kept(e)[a] && !unique && a != e.Version || slices.Contains(s.Primary(e), a) || !is && !a.Type.Optional && a.Type.Base != model.SetOf {
		return func() {}
	}
	if unique && is {
		v = s.gen.invent(a, r.Values[a])
	}
	s.Place(s.Changed(r, a, v, is))
	return func() { s.Place(r) }
}

// candidate is a value worth trying for what a miss is about; false: none.
func (s *arrangement) candidate(m miss) (sample.Value, bool) {
	a := m.attribute
	var old sample.Values
	if r := s.RowAt(m.act); r != nil {
		old = r.Values
	}
	pool := slices.Clone(m.near)
	near := func(v sample.Value, ok bool) {
		if ok {
			pool = append(pool, v, nextTo(v, a, 1), nextTo(v, a, -1))
		}
	}
	have, ok := old[a]
	near(have, ok)
	for _, o := range m.operands {
		near(s.Operand(m.act, o, a, old))
	}
	switch a.Type.Base {
	case model.Enum:
		for _, text := range a.Type.Values {
			pool = append(pool, state.Constant(a, text))
		}
	case model.Bool:
		pool = append(pool, state.Constant(a, "true"), state.Constant(a, "false"))
	default:
		pool = append(pool, s.gen.invent(a, have))
	}
	if r := s.anyRow(m.act.Step.Entity); r != nil {
		if v, ok := r.Values[a]; ok {
			pool = append(pool, v)
		}
	}
	n := s.gen.rng.IntN(len(pool) + 1)
	if n == len(pool) {
		return sample.Value{}, false
	}
	return state.InForm(pool[n], a), true
}
