package arrange

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// fresh are the values of a new item: like those of one that is there, with another
// identity, some values of others, and some that may be absent left out.
func (s *arrangement) fresh(e *model.Entity) sample.Values {
	values := s.like(e)
	if !s.gen.renew(values, e.ID) && !s.gen.renew(values, s.Primary(e)) {
		s.gen.drawAll(values, e.ID)
	}
	for _, u := range e.Unique {
		s.gen.renew(values, u.Attributes)
	}
	for range 4 {
		r := s.Tables.RowOf(e, values)
		if s.At(r.Table, r.Item) == nil {
			break
		}
		for _, a := range append(slices.Clone(e.ID), s.Primary(e)...) {
			s.gen.renew(values, []*model.Attribute{a})
		}
	}
	return values
}

// like are the values of some item, mixed with those of others.
func (s *arrangement) like(e *model.Entity) sample.Values {
	base, other := s.anyRow(e), s.anyRow(e)
	if base == nil {
		return s.gen.invented(e)
	}
	values, kept := maps.Clone(base.Values), s.kept(e)
	for _, a := range e.Attributes {
		if kept[a] {
			continue
		}
		switch chance := s.gen.rng.IntN(10); {
		case (a.Type.Optional || a.Type.Base == model.SetOf) && chance < 2: // an empty set is not stored
			delete(values, a)
		case chance < 5:
			if v, ok := other.Values[a]; ok {
				values[a] = v
			}
		}
	}
	return values
}

// kept are the attributes that only change together with others: what identifies an item,
// and the times in ids.
func (s *arrangement) kept(e *model.Entity) map[*model.Attribute]bool {
	all := map[*model.Attribute]bool{}
	note := func(attributes []*model.Attribute) {
		for _, a := range attributes {
			all[a] = true
		}
	}
	note(e.ID)
	note(s.Primary(e))
	for _, u := range e.Unique {
		note(u.Attributes)
		note(u.Per)
	}
	for _, a := range e.Attributes {
		if a.Time != nil {
			note([]*model.Attribute{a, a.Time})
		}
	}
	if e.Version != nil {
		all[e.Version] = true
	}
	return all
}

// renew gives the last of some attributes that can have any value one that nobody has,
// and says whether there is such an attribute.
func (g *generator) renew(values sample.Values, attributes []*model.Attribute) bool {
	for _, a := range slices.Backward(attributes) {
		if a.Type.Base == model.Enum || a.Type.Base == model.Bool {
			continue
		}
		like, had := values[a]
		if !had && a.Type.Optional {
			return true
		}
		if a.Time != nil {
			at := g.moment()
			values[a.Time] = state.TimeAs(at, a.Time)
			values[a] = g.madeAt(a, state.TimeOf(values[a.Time]))
			return true
		}
		values[a] = g.invent(a, like)
		return true
	}
	return false
}

// drawAll gives attributes that can have few values any of those: one of them is all that
// a new item can be.
func (g *generator) drawAll(values sample.Values, attributes []*model.Attribute) {
	for _, a := range attributes {
		values[a] = g.typed(a.Type)
	}
}

// identities is how many items of an entity there can be, at most as many as given.
func identities(e *model.Entity, most int) int {
	n := 1
	for _, a := range e.ID {
		switch a.Type.Base {
		case model.Enum:
			n *= len(a.Type.Values)
		case model.Bool:
			n *= 2
		default:
			return most
		}
		if n >= most {
			return most
		}
	}
	return n
}

// agree makes the times of an item those its ids begin with.
func agree(e *model.Entity, values sample.Values) {
	for _, a := range e.Attributes {
		if a.Time == nil {
			continue
		}
		if at, ok := timeIn(a, values[a]); ok {
			values[a.Time] = state.TimeAs(at, a.Time)
		}
	}
}

// invented are the values of an item when there is none to be like.
func (g *generator) invented(e *model.Entity) sample.Values {
	values := sample.Values{}
	for _, a := range e.Attributes {
		if !a.Type.Optional {
			values[a] = g.invent(a, sample.Value{})
		}
	}
	for _, a := range e.Attributes {
		if a.Lifecycle != nil {
			values[a] = state.Constant(a, state.FirstState(a))
		}
	}
	agree(e, values)
	return values
}
