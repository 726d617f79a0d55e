package arrange

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// inBounds moves every counter in values to within its bounds and returns values. The true
// number of items may be outside, but the patterns of a design never write such a counter,
// and the design does not say whether it may change further.
func inBounds(e *model.Entity, values sample.Values) sample.Values {
	for _, c := range e.Counters {
		if have, ok := values[c.Attribute]; ok {
			values[c.Attribute] = sample.Value{Kind: sample.Number, Text: resolve.Digits(sample.Inside(c, state.NumberOf(have)))}
		}
	}
	return values
}

// fit changes a few items so that every read can find something, even if no invented item
// meets all its constant conditions or has all attributes that it compares.
func (ar *Arranger) fit(items []*sample.Item) {
	const few = 3
	var reads []*program.Call
	for _, c := range ar.program.Calls {
		reads = append(reads, c.Reads()...)
	}
	for _, c := range reads {
		for _, e := range c.Read.Entities {
			constants, compared := constantConditions(c, e), comparedAttributes(c, e)
			own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
			if slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(constants) && hasAll(i.Values(), compared) }) {
				continue
			}
			for range min(few, len(own)) {
				item := own[ar.rng.IntN(len(own))]
				item.Fulfil(constants)
				ar.complete(item, own, compared)
			}
		}
	}
}

// fitIndexes changes some items so that every index that holds only some of them holds one.
func (ar *Arranger) fitIndexes(items []*sample.Item) {
	for _, e := range ar.layout.Design().Entities {
		own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
		for _, entry := range ar.layout.Entries(e) {
			when := entry.When()
			if len(own) == 0 || slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(when) }) {
				continue
			}
			for range len(own)/2 + 1 {
				own[ar.rng.IntN(len(own))].Fulfil(when)
			}
		}
	}
}

// complete gives an item the attributes it lacks, with the value of another item or a new
// one.
func (ar *Arranger) complete(item *sample.Item, others []*sample.Item, attributes []*model.Attribute) {
	for _, a := range attributes {
		if _, ok := item.Values()[a]; ok {
			continue
		}
		value := ar.invent(a, sample.Value{})
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

// hasAll reports whether values has all attributes.
func hasAll(values sample.Values, attributes []*model.Attribute) bool {
	return !slices.ContainsFunc(attributes, func(a *model.Attribute) bool { _, ok := values[a]; return !ok })
}

// comparedAttributes returns the attributes that an item of an entity needs to be found by a
// read.
func comparedAttributes(c *program.Call, e *model.Entity) []*model.Attribute {
	var all []*model.Attribute
	for _, condition := range model.Comparisons(slices.Concat(c.Pattern.Where, c.Pattern.Filter)) {
		own := e.Attribute(condition.Attribute.Name)
		if own != nil && condition.Op != model.Missing && condition.Op != model.Ne && !slices.Contains(all, own) {
			all = append(all, own)
		}
	}
	return all
}

// constantConditions returns the conditions of a read that compare constants, on the
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
