package arrange

import (
	"maps"
	"math"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// inventWholes invents the items that the caller gives whole.
func (s *arrangement) inventWholes() {
	for _, act := range s.Actions {
		if input := act.Write.Given; input != nil {
			s.Arguments.Items[input] = append(s.Arguments.Items[input], (&wholes{s}).invent(act))
		}
	}
}

// wholes invents items that the caller gives whole.
type wholes struct{ *arrangement }

// invent returns the values of an item that the caller gives whole. Half of the puts
// replace an item, unless they would also have to change guards or counters. A put whose
// conditions need an item gets one to replace.
func (s *wholes) invent(act *judge.Action) sample.Values {
	e := act.Write.Given.Entity
	values := s.freshBeside(act)
	s.completeOptional(e, values)
	replaced := s.rowBeside(act)
	replaces := s.gen.rng.IntN(2) == 0
	if s.assumed != nil {
		replaces = s.assumed.Replaces(act.Step)
	}
	switch {
	case act.Step.Verb != model.Put || !s.replaceable(e):
	case replaced != nil && replaces:
		s.replace(e, replaced, values)
		s.moveReplaced(e, replaced, values)
	case act.AsksForItem():
		s.Place(s.Tables.RowOf(e, maps.Clone(values)))
	}
	if act.Index > 0 {
		s.copyShared(act.Write.Given, values)
	}
	return values
}

// replace gives values the identity and the version of a row, so that a put replaces it.
func (s *wholes) replace(e *model.Entity, r *state.Row, values sample.Values) {
	for _, a := range slices.Concat(e.ID, s.Primary(e)) {
		values[a] = r.Values[a]
	}
	agree(e, values)
	if e.Version != nil {
		values[e.Version] = r.Values[e.Version]
	}
}

// copyShared copies the values that all items of an input share from the first one.
func (s *wholes) copyShared(input *program.Input, values sample.Values) {
	for _, a := range input.Entity.Attributes {
		if s.shared[program.Ref{Input: input, Attribute: a}] {
			v, is := s.Arguments.Items[input][0][a]
			state.Assign(values, a, v, is)
		}
	}
}

// freshBeside returns the values of a new item that the call does not write yet. If the
// entity has only so many identities, the item that has this one is cleared.
func (s *wholes) freshBeside(act *judge.Action) sample.Values {
	e := act.Write.Given.Entity
	values := s.fresh(e)
	for range tries {
		if !slices.ContainsFunc(s.Arguments.Items[act.Write.Given], func(other sample.Values) bool { return sameID(e, values, other) }) {
			break
		}
		values = s.fresh(e)
	}
	if act.Step.Verb == model.Create && identities(e, math.MaxInt) < math.MaxInt {
		r := s.Tables.RowOf(e, values)
		s.Clear(r.Table, r.Item)
	}
	return values
}

// rowBeside returns a row of the entity of an action that the call does not write yet, or
// nil.
func (s *wholes) rowBeside(act *judge.Action) *state.Row {
	e, given := act.Write.Given.Entity, s.Arguments.Items[act.Write.Given]
	for range tries {
		r := s.anyRow(e)
		if r == nil || !slices.ContainsFunc(given, func(other sample.Values) bool { return sameID(e, r.Values, other) }) {
			return r
		}
	}
	return nil
}

// sameID reports whether two items of an entity have the same identity.
func sameID(e *model.Entity, a, b sample.Values) bool {
	return !slices.ContainsFunc(e.ID, func(part *model.Attribute) bool { return a[part].Compare(b[part]) != 0 })
}

// replaceable reports whether a put of an entity changes only its item: no guard and no
// counter.
func (s *wholes) replaceable(e *model.Entity) bool {
	if len(s.GuardsOf(e)) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Layout.Design().Entities, func(other *model.Entity) bool {
		return slices.ContainsFunc(other.Counters, func(c *model.Counter) bool { return c.Of == e })
	})
}

// matchOwners makes items that are given along with an item that counts them belong to it.
func (s *arrangement) matchOwners() {
	for _, act := range s.Actions {
		if act.Write.Given == nil {
			continue
		}
		for _, counter := range act.Step.Entity.Counters {
			s.matchCounted(act, counter)
		}
	}
}

// matchCounted makes the items of the call that a counter counts belong to the item of an
// action.
func (s *arrangement) matchCounted(owner *judge.Action, counter *model.Counter) {
	mine := s.Arguments.Items[owner.Write.Given][owner.Index]
	for _, other := range s.Actions {
		if other.Step.Entity != counter.Of || other.Write.Given == nil || other == owner {
			continue
		}
		theirs := s.Arguments.Items[other.Write.Given][other.Index]
		for _, m := range counter.Match {
			theirs[m.Theirs] = mine[m.Mine]
		}
	}
}

// equateArguments gives arguments that must be equal the same value.
func (s *arrangement) equateArguments() {
	for _, agree := range s.Call.Agreements {
		from, to := agree.Mine, agree.Theirs
		v, ok := s.Arguments.At(from, 0)
		if !ok {
			from, to = to, from
			v, ok = s.Arguments.At(from, 0)
		}
		for i := range s.Arguments.HowOften(to.Input) {
			s.set(to, i, v, ok)
		}
	}
}
