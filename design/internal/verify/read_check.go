package verify

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A reading is one call of a read: what it must find and take.
type reading struct {
	state *state
	c     *program.Call
	a     *arguments
}

// isShard reports whether an item that a read of the table meets is a row of a counter that
// is spread, which generated code leaves out.
func (j *reading) isShard(item access.Item) bool {
	if !amongShards(j.c) {
		return false
	}
	r := j.state.at(j.c.Read.Entry.Path.Table, item)
	return r != nil && r.entity == nil
}

// amongShards reports whether rows of a counter that is spread may lie among what a read
// finds.
func amongShards(c *program.Call) bool {
	spread := func(counter *model.Counter) bool { return counter.Shards > 1 }
	return c.Read.Entry.Path.IsTable() && slices.ContainsFunc(c.Read.Entities[0].Counters, spread)
}

// passes reports whether an item fulfils the equalities the key does not need.
func (j *reading) passes(item access.Item) bool {
	if len(j.c.Read.Checks) == 0 {
		return true
	}
	r := j.state.at(j.c.Read.Entry.Path.Table, item)
	return r != nil && r.values.Holds(j.bound(r.entity, j.c.Read.Checks))
}

// bound are conditions with the arguments in place of parameters, on an entity's own
// attributes.
func (j *reading) bound(e *model.Entity, conditions []*model.Condition) []*model.Condition {
	var all []*model.Condition
	for _, condition := range conditions {
		own := *condition
		if own.Attribute = e.Attribute(condition.Attribute.Name); own.Attribute == nil {
			own.Attribute = condition.Attribute
		}
		own.Values = nil
		for i, operand := range condition.Values {
			if operand.Param == "" {
				own.Values = append(own.Values, operand)
				continue
			}
			input := j.c.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				own.Op = model.In
				for _, value := range j.a.lists[input] {
					own.Values = append(own.Values, model.Operand{Constant: value.String()})
				}
				continue
			}
			value := inForm(j.a.values[input], condition.Attribute)
			switch {
			case resolve.RoundsUp(condition, i):
				value = roundedUp(j.a.values[input], condition.Attribute)
			case isEmptySet(value) && condition.Op == model.Eq: // who has one lacks the attribute
				own.Op = model.Missing
			case isEmptySet(value) && condition.Op == model.Ne:
				own.Op = model.Exists
			}
			own.Values = append(own.Values, model.Operand{Constant: value.String()})
		}
		all = append(all, &own)
	}
	return all
}

// matching are the rows a read should find, by looking at every row.
func (j *reading) matching() []*row {
	var all []*row
	for _, e := range j.c.Read.Entities {
		conditions := j.bound(e, slices.Concat(j.c.Pattern.Where, j.c.Pattern.Filter))
		for _, r := range j.state.of(e) {
			if matches(j.c, r, conditions) {
				all = append(all, r)
			}
		}
	}
	return all
}

// matches reports whether a row fulfils conditions. Where the key of the path spells a
// value in small or capital letters, spelling does not matter.
func matches(c *program.Call, r *row, conditions []*model.Condition) bool {
	for _, condition := range conditions {
		if condition.Op == model.Eq && spelledLoosely(c.Read.Read, condition.Attribute) {
			have, ok := r.values[condition.Attribute]
			if !ok || access.Lower(have.String()) != access.Lower(condition.Values[0].Constant) {
				return false
			}
			continue
		}
		if !r.values.Holds([]*model.Condition{condition}) {
			return false
		}
	}
	return true
}

func spelledLoosely(r *resolve.Read, a *model.Attribute) bool {
	for _, k := range slices.Concat(r.Partition, r.Sort) {
		for _, part := range k.Low {
			for _, f := range part.Filters {
				if part.Attribute != nil && part.Attribute.Name == a.Name && (f.Name == model.Lower || f.Name == model.Upper) {
					return true
				}
			}
		}
	}
	return false
}
