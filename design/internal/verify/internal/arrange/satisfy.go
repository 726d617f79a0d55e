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

// An unmet is a requirement of an action that does not hold yet.
type unmet struct {
	act       *judge.Action
	attribute *model.Attribute // nil: the item itself is missing
	operands  []model.Operand  // what the attribute is compared with
	near      []sample.Value   // values that could help
	entry     *model.Entry     // the entry of a map that is compared, or nil
}

// Limits of satisfying conditions.
const (
	mostChanges   = 400 // of values, before it gives up
	missingWeight = 50  // how many unmet requirements a missing item counts as
)

// satisfyConditions changes rows and parameters until the conditions of all actions hold.
func (s *arrangement) satisfyConditions() { (&solver{s}).solve() }

// A solver makes the requirements of actions hold, or one of them fail.
type solver struct{ *arrangement }

// solve changes random values of rows and parameters until the requirements of all actions
// hold. It keeps a change unless more requirements are unmet afterwards.
func (s *solver) solve() {
	open := s.unmet()
	for range mostChanges {
		if len(open) == 0 {
			return
		}
		u := open[s.gen.rng.IntN(len(open))]
		if u.attribute == nil {
			return
		}
		undo := s.change(u)
		if after := s.unmet(); len(after) <= len(open) {
			open = after
		} else {
			undo()
		}
	}
}

// unmet returns the requirements of all actions that do not hold.
func (s *solver) unmet() []unmet {
	var all []unmet
	for _, act := range s.Actions {
		if !act.None && act.Step.Verb != model.Create {
			all = append(all, s.unmetBy(act)...)
		}
	}
	return all
}

// unmetBy returns the requirements of an action that do not hold.
func (s *solver) unmetBy(act *judge.Action) []unmet {
	r := s.RowAt(act)
	if r == nil && act.Step.Verb == model.Upsert {
		return nil // it makes the item
	}
	if r == nil && act.Step.Verb != model.Put {
		return slices.Repeat([]unmet{{act: act}}, missingWeight)
	}
	var all []unmet
	old := s.oldValues(act)
	for _, c := range act.Conditions() {
		if !s.Holds(act, c, old) {
			one := s.oneOf(c)
			all = append(all, unmet{act: act, attribute: one.Attribute, operands: one.Values, entry: one.Entry})
		}
	}
	if r == nil {
		return all
	}
	switch act.Step.Verb {
	case model.Put:
		return append(all, s.badReplacements(act, old)...)
	case model.Update, model.Upsert:
		return slices.Concat(all, s.badTransitions(act, old), s.crossedBounds(act, old), s.fullCollections(act, old))
	}
	return all
}

// oneOf returns a random comparison of a condition.
func (s *arrangement) oneOf(c *model.Condition) *model.Condition {
	if c.Op != model.Or {
		return c
	}
	all := model.Comparisons([]*model.Condition{c})
	return all[s.gen.rng.IntN(len(all))]
}

// badReplacements returns the transitions of a put that a lifecycle does not allow.
func (s *solver) badReplacements(act *judge.Action, old sample.Values) []unmet {
	var all []unmet
	for _, t := range act.Write.Transitions() {
		if to, ok := s.Operand(act, t.To, t.Attribute, old); ok && !t.Allows(old[t.Attribute].Text, to.Text) {
			all = append(all, unmet{act: act, attribute: t.Attribute, operands: []model.Operand{t.To}})
		}
	}
	return all
}

// badTransitions returns the assignments of an update that a lifecycle does not allow.
func (s *solver) badTransitions(act *judge.Action, old sample.Values) []unmet {
	var all []unmet
	for _, set := range act.Step.Set {
		a := set.Attribute
		to, ok := s.Operand(act, *act.Assigned(a), a, old)
		if a.Lifecycle != nil && ok && !a.Lifecycle.Allows(old[a].Text, to.Text) {
			all = append(all, unmet{act: act, attribute: a, operands: []model.Operand{*act.Assigned(a)}})
		}
	}
	return all
}

// crossedBounds returns the counters that the additions of an update would take out of
// their bounds.
func (s *solver) crossedBounds(act *judge.Action, old sample.Values) []unmet {
	var all []unmet
	for _, add := range act.Step.Add {
		by, _ := s.Addend(act, add)
		for _, c := range act.Step.Entity.Counters {
			if c.Attribute == add.Attribute && !judge.Within(c, state.NumberOf(old[c.Attribute]), by) {
				all = append(all, unmet{act: act, attribute: c.Attribute, near: bounds(c, by)})
			}
		}
	}
	return all
}

// fullCollections returns the collections that an update would take over their maximum.
func (s *solver) fullCollections(act *judge.Action, old sample.Values) []unmet {
	var all []unmet
	for _, edit := range act.Step.Edits {
		room := s.Room(act, edit, old)
		if room >= 0 {
			continue
		}
		fitting := old[edit.Attribute]
		fitting.Elements = fitting.Elements[:max(1, int64(len(fitting.Elements))+room)]
		all = append(all, unmet{act: act, attribute: edit.Attribute, operands: []model.Operand{{Param: edit.Param}}, near: []sample.Value{fitting}})
	}
	return all
}

// bounds returns the values from which a change takes a counter exactly to its bounds.
func bounds(c *model.Counter, by exact.Number) []sample.Value {
	var all []sample.Value
	for _, bound := range []*exact.Number{c.Min, c.Max} {
		if bound != nil {
			all = append(all, sample.Value{Kind: sample.Number, Text: bound.Sub(by).String()})
		}
	}
	return all
}

// change changes one value that an unmet requirement depends on, of the item or of a
// parameter, and returns a function that undoes the change.
func (s *solver) change(u unmet) func() {
	var params []model.Operand
	for _, o := range u.operands {
		if o.Param != "" && s.free(u.act, o.Param, u.attribute) {
			params = append(params, o)
		}
	}
	v, is := s.candidate(u)
	if u.entry != nil && (len(params) == 0 || s.gen.rng.IntN(2) == 0) {
		return s.changeEntry(u, v, is)
	}
	if len(params) > 0 && s.gen.rng.IntN(2) == 0 && is {
		o := params[s.gen.rng.IntN(len(params))]
		return s.changeParam(u.act, o.Param, u.attribute, v)
	}
	targets := []*model.Attribute{u.attribute}
	for _, o := range u.operands {
		if o.Attribute != nil {
			targets = append(targets, o.Attribute)
		}
	}
	return s.changeRow(u.act, targets[s.gen.rng.IntN(len(targets))], v, is)
}

// free reports whether the caller may choose a parameter freely: it is not a part of a key
// or of the identity of an item that is given whole.
func (s *solver) free(act *judge.Action, param string, of *model.Attribute) bool {
	ref := s.Call.Ref(act.Write, param, of)
	if ref.IsZero() || ref.Input.Kind == program.Key || ref.Input.Kind == program.List {
		return false
	}
	return ref.Input.Kind != program.Whole || !s.kept(ref.Input.Entity)[ref.Attribute]
}

// changeParam changes a parameter and returns a function that undoes the change.
func (s *solver) changeParam(act *judge.Action, param string, of *model.Attribute, v sample.Value) func() {
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

// changeRow changes a value of the item of an action, if it may change, and returns a
// function that undoes the change.
func (s *solver) changeRow(act *judge.Action, a *model.Attribute, v sample.Value, is bool) func() {
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

// candidate returns a random value that might meet a requirement; false: no value.
func (s *solver) candidate(u unmet) (sample.Value, bool) {
	a, old := u.attribute, s.oldValues(u.act)
	pool := slices.Clone(u.near)
	near := func(v sample.Value, ok bool) {
		if ok {
			pool = append(pool, v, nextTo(v, a, 1), nextTo(v, a, -1))
		}
	}
	have, ok := old[a]
	near(have, ok)
	for _, o := range u.operands {
		near(s.Operand(u.act, o, a, old))
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
	if r := s.anyRow(u.act.Step.Entity); r != nil {
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
