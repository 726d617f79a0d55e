package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A reading is one call of a read: what it must find and take.
type Read struct {
	Tables    *state.Tables
	Call      *program.Call
	Arguments *bind.Arguments
}

// IsShard reports whether an item that a read of the table meets is a row of a counter that
// is spread, which generated code leaves out.
func (j *Read) IsShard(item access.Item) bool {
	if !amongShards(j.Call) {
		return false
	}
	r := j.Tables.At(j.Call.Read.Entry.Path.Table, item)
	return r != nil && r.Entity == nil
}

// amongShards reports whether rows of a counter that is spread may lie among what a read
// finds.
func amongShards(c *program.Call) bool {
	spread := func(counter *model.Counter) bool { return counter.Shards > 1 }
	return c.Read.Entry.Path.IsTable() && slices.ContainsFunc(c.Read.Entities[0].Counters, spread)
}

// Passes reports whether an item fulfils the equalities the key does not need.
func (j *Read) Passes(item access.Item) bool {
	if len(j.Call.Read.Checks) == 0 {
		return true
	}
	r := j.Tables.At(j.Call.Read.Entry.Path.Table, item)
	return r != nil && r.Values.Holds(j.bound(r.Entity, j.Call.Read.Checks))
}

// bound are conditions with the arguments in place of parameters, on an entity's own
// attributes.
func (j *Read) bound(e *model.Entity, conditions []*model.Condition) []*model.Condition {
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
			input := j.Call.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				own.Op = model.In
				for _, value := range j.Arguments.Lists[input] {
					own.Values = append(own.Values, model.Operand{Constant: value.String()})
				}
				continue
			}
			value := state.InForm(j.Arguments.Values[input], condition.Attribute)
			switch {
			case resolve.RoundsUp(condition, i):
				value = state.RoundedUp(j.Arguments.Values[input], condition.Attribute)
			case state.IsEmptySet(value) && condition.Op == model.Eq: // who has one lacks the attribute
				own.Op = model.Missing
			case state.IsEmptySet(value) && condition.Op == model.Ne:
				own.Op = model.Exists
			}
			own.Values = append(own.Values, model.Operand{Constant: value.String()})
		}
		all = append(all, &own)
	}
	return all
}

// Matching are the rows a read should find, by looking at every row.
func (j *Read) Matching() []*state.Row {
	var all []*state.Row
	for _, e := range j.Call.Read.Entities {
		conditions := j.bound(e, slices.Concat(j.Call.Pattern.Where, j.Call.Pattern.Filter))
		for _, r := range j.Tables.Of(e) {
			if matches(j.Call, r, conditions) {
				all = append(all, r)
			}
		}
	}
	return all
}

// matches reports whether a row fulfils conditions. Where the key of the path spells a
// value in small or capital letters, spelling does not matter.
func matches(c *program.Call, r *state.Row, conditions []*model.Condition) bool {
	for _, condition := range conditions {
		if condition.Op == model.Eq && spelledLoosely(c.Read.Read, condition.Attribute) {
			have, ok := r.Values[condition.Attribute]
			if !ok || access.Lower(have.String()) != access.Lower(condition.Values[0].Constant) {
				return false
			}
			continue
		}
		if !r.Values.Holds([]*model.Condition{condition}) {
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
