package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A Read is one call of a read. It knows which items the call must return and how many units
// it must consume.
type Read struct {
	Tables    *state.Tables
	Call      *program.Call
	Arguments *bind.Arguments
	// Differs returns how a returned item differs from its row, or ""; nil: all attributes must
	// be stored as in the row.
	Differs func(want *state.Row, got access.Item) string
}

// IsShard reports whether an item that a read returns is a shard of a counter, which generated
// code leaves out.
func (j *Read) IsShard(item access.Item) bool {
	if !amongShards(j.Call) {
		return false
	}
	r := j.Tables.At(j.Call.Read.Entry.Path.Table, item)
	return r != nil && r.Entity == nil
}

// amongShards reports whether shards of counters may be among the items that a read returns.
func amongShards(c *program.Call) bool {
	sharded := func(counter *model.Counter) bool { return counter.Shards > 1 }
	return c.Read.Entry.Path.IsTable() && slices.ContainsFunc(c.Read.Entities[0].Counters, sharded)
}

// Passes reports whether an item meets the equalities that the key condition does not express.
func (j *Read) Passes(item access.Item) bool {
	if len(j.Call.Read.Checks) == 0 {
		return true
	}
	r := j.Tables.At(j.Call.Read.Entry.Path.Table, item)
	return r != nil && r.Values.Holds(j.bound(r.Entity, j.Call.Read.Checks))
}

// bound returns conditions with arguments in place of parameters, on the attributes of an
// entity.
func (j *Read) bound(e *model.Entity, conditions []*model.Condition) []*model.Condition {
	var all []*model.Condition
	for _, stated := range conditions {
		condition := stated
		if mine := model.Translate(stated, e); mine != nil {
			condition = mine
		}
		own := *condition
		if own.Op == model.Or {
			own.Any = nil
			for _, alternative := range stated.Any {
				own.Any = append(own.Any, j.bound(e, alternative))
			}
			all = append(all, &own)
			continue
		}
		if own.Attribute = e.Attribute(condition.Attribute.Name); own.Attribute == nil {
			own.Attribute = condition.Attribute
		}
		own.Values = nil
		for i := range condition.Values {
			j.bindOperand(&own, condition, stated.Attribute, i)
		}
		all = append(all, &own)
	}
	return all
}

// bindOperand adds the i-th operand of a condition to its bound form. A list of values makes
// it an IN, and a comparison with an empty set asks whether the attribute exists. The call knows
// its parameters by the attribute that the pattern compares them with, and the condition may be
// about the attribute of the same name of another entity.
func (j *Read) bindOperand(bound, condition *model.Condition, stated *model.Attribute, i int) {
	operand := condition.Values[i]
	if operand.Param == "" {
		bound.Values = append(bound.Values, operand)
		return
	}
	input := j.Call.Ref(nil, operand.Param, stated).Input
	if input.Kind == program.List {
		bound.Op = model.In
		for _, value := range j.Arguments.Lists[input] {
			bound.Values = append(bound.Values, model.Operand{Constant: value.String()})
		}
		return
	}
	value := state.InForm(j.Arguments.Values[input], condition.Attribute)
	switch {
	case resolve.RoundsUp(condition, i):
		value = state.RoundedUp(j.Arguments.Values[input], condition.Attribute)
	case state.IsEmptySet(value) && condition.Op == model.Eq:
		bound.Op = model.Missing
	case state.IsEmptySet(value) && condition.Op == model.Ne:
		bound.Op = model.Exists
	}
	bound.Values = append(bound.Values, model.Operand{Constant: value.String()})
}

// Matching returns the rows that the call must find, by looking at every row.
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

// matches reports whether a row meets conditions. It ignores case where the key of the path
// does.
func matches(c *program.Call, r *state.Row, conditions []*model.Condition) bool {
	for _, condition := range conditions {
		if condition.Op == model.Eq && ignoresCase(c.Read.Read, condition.Attribute) {
			have, ok := r.Values[condition.Attribute]
			if !ok || marshal.Lower(have.String()) != marshal.Lower(condition.Values[0].Constant) {
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

// ignoresCase reports whether the key of a read holds an attribute in lower or upper case.
func ignoresCase(r *resolve.Read, a *model.Attribute) bool {
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
