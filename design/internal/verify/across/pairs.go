package across

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Pairs says which entities and attributes of two versions of a design are the same things. It maps
// both ways.
type Pairs struct {
	entities   map[*model.Entity]*model.Entity
	attributes map[*model.Attribute]*model.Attribute
	values     map[*model.Attribute]map[string]string // of enums, where they differ
}

// NewPairs returns no pairs.
func NewPairs() *Pairs {
	return &Pairs{map[*model.Entity]*model.Entity{}, map[*model.Attribute]*model.Attribute{}, map[*model.Attribute]map[string]string{}}
}

// Entities adds a pair of entities.
func (p *Pairs) Entities(a, b *model.Entity) { p.entities[a], p.entities[b] = b, a }

// Attributes adds a pair of attributes.
func (p *Pairs) Attributes(a, b *model.Attribute) { p.attributes[a], p.attributes[b] = b, a }

// Values adds a pair of values of the enums a and b.
func (p *Pairs) Values(a, b *model.Attribute, inA, inB string) {
	note := func(of *model.Attribute, from, to string) {
		if p.values[of] == nil {
			p.values[of] = map[string]string{}
		}
		p.values[of][from] = to
	}
	if inA != inB {
		note(a, inA, inB)
		note(b, inB, inA)
	}
}

// converted returns a value of one attribute as a value of its pair, and whether it can be one.
func (p *Pairs) converted(v sample.Value, from, to *model.Attribute) (sample.Value, bool) {
	v = state.InForm(v, to)
	if text, ok := p.values[from][v.Text]; ok && v.Kind == sample.Text {
		v.Text = text
	}
	want, _ := kindOfType(to.Type)
	switch {
	case v.Kind == want:
		return v, state.IsEmptySet(v) || misfit(to.Type, state.AttributeValue(v)) == ""
	case want == sample.Text && v.Kind == sample.Number, want == sample.Text && v.Kind == sample.Truth:
		return state.Constant(to, v.String()), to.Type.Base == model.String
	case want == sample.Number && v.Kind == sample.Text:
		_, err := exact.Parse(v.Text)
		return state.Constant(to, v.Text), err == nil
	}
	return v, false
}

// kindOfType returns the kind of the values of a type, and whether it has one.
func kindOfType(t model.Type) (sample.Kind, bool) {
	switch t.Base {
	case model.Bool:
		return sample.Truth, true
	case model.ListOf:
		return sample.List, true
	case model.MapOf, model.StructOf:
		return sample.Map, true
	case model.SetOf:
		return map[string]sample.Kind{"S": sample.Texts, "N": sample.Numbers, "B": sample.Blobs}[t.Element.KeyKind()], true
	}
	kind := t.KeyKind()
	return sample.Kind(kind), kind != ""
}

// translated returns the values that an item has for the other design: what its attributes mean
// there, and for attributes that its own design does not know their defaults.
func (p *Pairs) translated(values sample.Values, to *model.Entity) sample.Values {
	all := sample.Values{}
	for _, a := range to.Attributes {
		from := p.attributes[a]
		if from == nil {
			if a.Default != nil {
				all[a] = state.Constant(a, *a.Default)
			}
			continue
		}
		v, ok := values[from]
		if !ok && from.Default != nil && !sameDefault(from, a) {
			v, ok = state.Constant(from, *from.Default), true
		}
		if !ok {
			continue
		}
		if v, ok = p.converted(v, from, a); ok {
			all[a] = v
		}
	}
	return all
}

func sameDefault(a, b *model.Attribute) bool {
	return a.Default != nil && b.Default != nil && *a.Default == *b.Default
}

// counterOf returns the counter that an attribute is, or nil.
func counterOf(e *model.Entity, a *model.Attribute) *model.Counter {
	for _, c := range e.Counters {
		if c.Attribute == a {
			return c
		}
	}
	return nil
}

// sameCounter reports whether the other design keeps a counter by the same rule in the same place.
func (p *Pairs) sameCounter(e *model.Entity, c *model.Counter) bool {
	other := p.entities[e]
	if other == nil || p.attributes[c.Attribute] == nil {
		return false
	}
	d := counterOf(other, p.attributes[c.Attribute])
	switch {
	case d == nil || p.entities[c.Of] != d.Of || len(c.Match) != len(d.Match) || c.Shards != d.Shards:
		return false
	case (c.Sum == nil) != (d.Sum == nil) || c.Sum != nil && p.attributes[c.Sum] != d.Sum:
		return false
	}
	for _, m := range c.Match {
		if !slices.ContainsFunc(d.Match, func(n model.Match) bool { return p.attributes[m.Mine] == n.Mine && p.attributes[m.Theirs] == n.Theirs }) {
			return false
		}
	}
	return slices.EqualFunc(c.Where, d.Where, func(a, b *model.Condition) bool { return a.String() == b.String() })
}

// total returns what a counter of an item must be, given the rows of the counted entity.
func total(c *model.Counter, mine sample.Values, rows []*state.Row) sample.Value {
	sum := exact.Zero
	for _, r := range rows {
		matches := !slices.ContainsFunc(c.Match, func(m model.Match) bool {
			a, okA := mine[m.Mine]
			b, okB := r.Values[m.Theirs]
			return !okA || !okB || a.String() != b.String()
		})
		switch {
		case !matches || !r.Values.Holds(c.Where):
		case c.Sum == nil:
			sum = sum.Add(exact.One)
		default:
			sum = sum.Add(state.NumberOf(r.Values[c.Sum]))
		}
	}
	return sample.Value{Kind: sample.Number, Text: resolve.Digits(sum)}
}
