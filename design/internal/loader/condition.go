package loader

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// clauses reads the conditions of if, and of a filter that is a text; none if there is no node.
func (r *reader) clauses(e *model.Entity, n *node) []*model.Condition {
	if n == nil {
		return nil
	}
	all, err := model.ParseClauses(n.text, e)
	if !r.syntax(n, err, e) {
		return nil
	}
	for _, c := range slices.Concat(all, model.Comparisons(all)) {
		c.Place = n.place
	}
	return all
}

// when reads the condition of a computed attribute. Only what must hold together can be
// compared with what a pattern asks for.
func (r *reader) when(e *model.Entity, n *node) []*model.Condition {
	all := r.withoutEntries(n, r.clauses(e, n))
	if slices.ContainsFunc(all, func(c *model.Condition) bool { return c.Op == model.Or }) {
		r.fail("F006", n.place, "when takes comparisons joined by and; for or, use in (A, B), or an index for each")
		return nil
	}
	return all
}

// filter reads the conditions of a filter: by attribute, or a text as in if.
func (r *reader) filter(e *model.Entity, n *node) []*model.Condition {
	if n != nil && n.kind == scalar {
		return r.withoutEntries(n, r.clauses(e, n))
	}
	return r.conditions(e, n)
}

// withoutEntries reports conditions on entries of maps, which only if can have.
func (r *reader) withoutEntries(n *node, all []*model.Condition) []*model.Condition {
	for _, c := range model.Comparisons(all) {
		if c.Entry != nil {
			r.fail("F006", n.place, "only if can compare an entry of a map, such as %s", c.Attribute.Name)
			return nil
		}
	}
	return all
}

// conditions reads the entries of where and filter.
func (r *reader) conditions(e *model.Entity, n *node) []*model.Condition {
	var all []*model.Condition
	for _, entry := range n.fit() {
		a := r.declared.attribute(e, entry.key)
		if a == nil {
			continue
		}
		c := r.condition(a, e, entry.value)
		if c != nil {
			c.Place = entry.key.place
			all = append(all, c)
		}
	}
	return all
}

func (r *reader) condition(a *model.Attribute, e *model.Entity, n *node) *model.Condition {
	if n.kind == list {
		return r.in(a, e, n)
	}
	c, err := model.ParseCondition(a, n.text)
	if !r.syntax(n, err, e) {
		return nil
	}
	return c
}

// maxInValues is the maximum number of operands of DynamoDB's IN.
const maxInValues = 100

// in reads a list of values as an in condition.
func (r *reader) in(a *model.Attribute, e *model.Entity, n *node) *model.Condition {
	c := &model.Condition{Attribute: a, Op: model.In}
	if len(n.items) > maxInValues {
		r.fail("F006", n.place, "in takes at most %d values, and there are %d", maxInValues, len(n.items))
		return nil
	}
	for _, item := range n.items {
		one := r.condition(a, e, item)
		switch {
		case one == nil:
		case one.Op != model.Eq:
			r.fail("F006", item.place, "a list contains values, not comparisons")
		case slices.Contains(c.Values, one.Values[0]):
			r.fail("F006", item.place, "%s is listed twice", item.text)
		default:
			c.Values = append(c.Values, one.Values[0])
		}
	}
	if len(c.Values) == 0 {
		r.failed = true
		return nil
	}
	return c
}

// assignments reads set: a list of attributes whose values are parameters, or values by
// attribute.
func (r *reader) assignments(e *model.Entity, n *node) []*model.Assignment {
	var all []*model.Assignment
	if n == nil {
		return nil
	}
	for _, item := range n.items {
		if a := r.declared.attribute(e, item); a != nil {
			all = append(all, &model.Assignment{Attribute: a, Place: item.place})
		}
	}
	for _, entry := range n.fit() {
		a := r.declared.attribute(e, entry.key)
		if a == nil {
			continue
		}
		c := r.condition(a, e, entry.value)
		if c == nil {
			continue
		}
		if c.Op != model.Eq {
			r.fail("F006", entry.value.place, "set takes a value: a constant or a parameter such as $%s", a.Name)
			continue
		}
		set := &model.Assignment{Attribute: a, Place: entry.key.place}
		if value := c.Values[0]; value.Param != a.Name {
			set.Value = &value
		}
		all = append(all, set)
	}
	return all
}
