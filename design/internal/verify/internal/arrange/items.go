package arrange

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// inBounds are values with every counter between its bounds. What the items add up to may be
// outside; a table that only the design's own patterns wrote holds no such item, and whether
// one that is outside already may change further the design does not say.
func inBounds(e *model.Entity, values sample.Values) sample.Values {
	for _, c := range e.Counters {
		if have, ok := values[c.Attribute]; ok {
			values[c.Attribute] = sample.Value{Kind: sample.Number, Text: resolve.Digits(sample.Inside(c, state.NumberOf(have)))}
		}
	}
	return values
}

// fit changes a few items so that every read finds something: with constants in its
// conditions that no item fulfils all of, or attributes that no item has all of, it never
// would.
func (v *Arranger) fit(items []*sample.Item) {
	const few = 3
	for _, c := range v.program.Calls {
		if c.Read == nil {
			continue
		}
		for _, e := range c.Read.Entities {
			constants, compared := constantConditions(c, e), comparedAttributes(c, e)
			own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
			if slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(constants) && hasAll(i.Values(), compared) }) {
				continue
			}
			for range min(few, len(own)) {
				item := own[v.rng.IntN(len(own))]
				item.Fulfil(constants)
				v.complete(item, own, compared)
			}
		}
	}
}

// complete gives an item the attributes it lacks: the values of another, or new ones.
func (v *Arranger) complete(item *sample.Item, others []*sample.Item, attributes []*model.Attribute) {
	for _, a := range attributes {
		if _, ok := item.Get(a.Stored); ok {
			continue
		}
		value := v.invent(a, sample.Value{})
		for _, other := range others {
			if theirs, ok := other.Values()[a]; ok && !isUnique(item.Entity, a) {
				value = theirs
				break
			}
		}
		item.Attributes = append(item.Attributes, sample.Attribute{Name: a.Stored, Origin: a, Value: value})
	}
}

// isUnique reports whether no two items may have the same value of an attribute.
func isUnique(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return slices.Contains(u.Attributes, a) })
}

func hasAll(values sample.Values, attributes []*model.Attribute) bool {
	return !slices.ContainsFunc(attributes, func(a *model.Attribute) bool { _, ok := values[a]; return !ok })
}

// comparedAttributes are the attributes of an entity that must be there for a read to find
// an item.
func comparedAttributes(c *program.Call, e *model.Entity) []*model.Attribute {
	var all []*model.Attribute
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
		own := e.Attribute(condition.Attribute.Name)
		if own != nil && condition.Op != model.Missing && condition.Op != model.Ne && !slices.Contains(all, own) {
			all = append(all, own)
		}
	}
	return all
}

// constantConditions are the conditions of a read that compare constants, on the
// attributes of one of its entities.
func constantConditions(c *program.Call, e *model.Entity) []*model.Condition {
	var all []*model.Condition
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
		own := e.Attribute(condition.Attribute.Name)
		if own == nil || slices.ContainsFunc(condition.Values, func(o model.Operand) bool { return !o.IsConstant() }) {
			continue
		}
		bound := *condition
		bound.Attribute = own
		all = append(all, &bound)
	}
	return all
}
