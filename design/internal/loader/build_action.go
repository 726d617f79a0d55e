package loader

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// action reads the action of a pattern or a step.
func (b patternBuilder) action(a *model.Action, block *node) {
	e := a.Entity
	a.Where, a.WhereAt = b.conditions(e, block.get("where")), block.get("where").at()
	a.Set = b.assignments(e, block.get("set"))
	a.Initial = b.assignments(e, block.get("initial"))
	for _, add := range block.get("add").fit() {
		attribute := b.declared.attribute(e, add.key)
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
	a.Remove = b.declared.attributes(e, block.get("remove"))
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
func (b patternBuilder) changedTwice(a *model.Action, block *node) {
	var seen attributeSet
	note := func(key string, attribute *model.Attribute) {
		if !seen.add(attribute) {
			b.fail("F006", block.get(key).place, "%s is changed twice by one write", attribute.Name)
		}
	}
	for _, s := range a.Set {
		note("set", s.Attribute)
	}
	for _, s := range a.Initial {
		note("initial", s.Attribute)
	}
	for _, add := range a.Add {
		note("add", add.Attribute)
	}
	for _, r := range a.Remove {
		note("remove", r)
	}
}

// requirements reads the conditions on other items in the same transaction.
func (b patternBuilder) requirements(p *model.Pattern, n *node) {
	for _, block := range n.list() {
		r := &model.Requirement{Place: block.place, Consume: isTrue(block.get("consume"))}
		r.Entity = b.declared.entity(block.get("entity"))
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
