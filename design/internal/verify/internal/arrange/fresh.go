package arrange

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// fresh returns the values of a new item: like those of an existing one, with another
// identity, some values of other items, and some optional values left out.
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

// like returns the values of a random item, mixed with those of another.
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
		if _, ok := values[a]; !ok && a.Default != nil { // what is new has the default; older items lack it
			values[a] = state.Constant(a, *a.Default)
		}
	}
	return values
}

// kept returns the attributes that cannot change alone: those that identify an item, and
// times that ids contain.
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

// renew gives the last of the attributes that can have arbitrary values a new value, and
// reports whether there is such an attribute.
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

// drawAll gives attributes a random value of their type each: enums have no new values.
func (g *generator) drawAll(values sample.Values, attributes []*model.Attribute) {
	for _, a := range attributes {
		values[a] = g.typed(a.Type)
	}
}

// identities returns how many items of an entity can exist, but at most the given number.
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

// agree sets the times of an item to those that its ids begin with.
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

// invented returns the values of an item of an entity that has none yet.
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
