package loader

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// action reads the action of a pattern or a step.
func (b *builder) action(a *model.Action, block *node) {
	e := a.Entity
	a.Where, a.WhereAt = b.conditions(e, block.get("where")), block.get("where").at()
	a.Set = b.assignments(e, block.get("set"))
	for _, add := range block.get("add").fit() {
		attribute := b.attribute(e, add.key)
		if attribute == nil {
			continue
		}
		if !attribute.Type.IsNumber() {
			b.fail("F006", add.key.place, "only numbers can be added to, and %s is %s", attribute.Name, attribute.Type)
			continue
		}
		addition := &model.Addition{Attribute: attribute, Place: add.key.place}
		var err error
		if addition.By, addition.Param, err = amount(add.value, attribute); err != nil {
			b.fail("F006", add.value.place, "%s is not a number that can be added to %s", shown(add.value.text), attribute.Name)
			continue
		}
		a.Add = append(a.Add, addition)
	}
	a.Remove = b.attributes(e, block.get("remove"))
	a.If, a.IfAt = b.clauses(e, block.get("if")), block.get("if").at()
	b.changedTwice(a, block)
}

// amount returns the number to add, or the name of its parameter: $ alone is a parameter named
// after the attribute.
func amount(n *node, a *model.Attribute) (by exact.Number, param string, err error) {
	name, isParam := strings.CutPrefix(n.text, "$")
	switch {
	case !isParam:
		by, err = parseNumber(n.text)
		return by, "", err
	case name == "":
		return exact.Zero, a.Name, nil
	}
	return exact.Zero, name, nil
}

// changedTwice reports attributes that one write changes twice.
func (b *builder) changedTwice(a *model.Action, block *node) {
	var seen attributeSet
	note := func(key string, attribute *model.Attribute) {
		if !seen.add(attribute) {
			b.fail("F006", block.get(key).place, "%s is changed twice by one write", attribute.Name)
		}
	}
	for _, s := range a.Set {
		note("set", s.Attribute)
	}
	for _, add := range a.Add {
		note("add", add.Attribute)
	}
	for _, r := range a.Remove {
		note("remove", r)
	}
}

// conditions reads the entries of where and filter.
func (b *builder) conditions(e *model.Entity, n *node) []*model.Condition {
	var all []*model.Condition
	for _, entry := range n.fit() {
		a := b.attribute(e, entry.key)
		if a == nil {
			continue
		}
		c := b.condition(a, e, entry.value)
		if c != nil {
			c.Place = entry.key.place
			all = append(all, c)
		}
	}
	return all
}

func (b *builder) condition(a *model.Attribute, e *model.Entity, n *node) *model.Condition {
	if n.kind == list {
		return b.in(a, e, n)
	}
	c, err := model.ParseCondition(a, n.text)
	if !b.syntax(n, err, e) {
		return nil
	}
	return c
}

// maxInValues is the maximum number of operands of DynamoDB's IN.
const maxInValues = 100

// in reads a list of values as an in condition.
func (b *builder) in(a *model.Attribute, e *model.Entity, n *node) *model.Condition {
	c := &model.Condition{Attribute: a, Op: model.In}
	if len(n.items) > maxInValues {
		b.fail("F006", n.place, "in takes at most %d values, and there are %d", maxInValues, len(n.items))
		return nil
	}
	for _, item := range n.items {
		one := b.condition(a, e, item)
		switch {
		case one == nil:
		case one.Op != model.Eq:
			b.fail("F006", item.place, "a list contains values, not comparisons")
		case slices.Contains(c.Values, one.Values[0]):
			b.fail("F006", item.place, "%s is listed twice", item.text)
		default:
			c.Values = append(c.Values, one.Values[0])
		}
	}
	if len(c.Values) == 0 {
		b.failed = true
		return nil
	}
	return c
}

// assignments reads set: a list of attributes whose values are parameters, or values by
// attribute.
func (b *builder) assignments(e *model.Entity, n *node) []*model.Assignment {
	var all []*model.Assignment
	if n == nil {
		return nil
	}
	for _, item := range n.items {
		if a := b.attribute(e, item); a != nil {
			all = append(all, &model.Assignment{Attribute: a, Place: item.place})
		}
	}
	for _, entry := range n.fit() {
		a := b.attribute(e, entry.key)
		if a == nil {
			continue
		}
		c := b.condition(a, e, entry.value)
		if c == nil {
			continue
		}
		if c.Op != model.Eq {
			b.fail("F006", entry.value.place, "set takes a value: a constant or a parameter such as $%s", a.Name)
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

// requirements reads the conditions on other items in the same transaction.
func (b *builder) requirements(p *model.Pattern, n *node) {
	for _, block := range n.list() {
		r := &model.Requirement{Place: block.place, Consume: isTrue(block.get("consume"))}
		r.Entity = b.entity(block.get("entity"))
		if r.Entity == nil {
			continue
		}
		r.Missing = block.get("exists").str() == "false"
		r.Where = b.conditions(r.Entity, block.get("where"))
		r.If = b.clauses(r.Entity, block.get("if"))
		r.Change = b.assignments(r.Entity, block.get("change"))
		if r.Missing && (len(r.If) > 0 || len(r.Change) > 0 || r.Consume) {
			b.fail("F006", block.get("exists").place, "an item that must not exist can be neither compared nor changed")
		}
		if r.Consume && len(r.Change) > 0 {
			b.fail("F006", block.get("change").place, "an item is either changed or consumed, not both")
		}
		p.Requires = append(p.Requires, r)
	}
}
