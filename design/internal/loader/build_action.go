package loader

import (
	"cmp"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// action reads the action of a pattern or a step.
func (b patternBuilder) action(a *model.Action, block *node) {
	e := a.Entity
	a.Where, a.WhereAt = b.conditions(e, block.get("where")), block.get("where").at()
	a.Set = b.assignments(e, b.entries(a, block, "set", model.SetEntry))
	for _, attribute := range b.declared.attributes(e, block.get("patch")) {
		a.Set = append(a.Set, &model.Assignment{Attribute: attribute, Patch: true, Place: placeIn(block.get("patch"), attribute.Name)})
	}
	a.Initial = b.assignments(e, block.get("initial"))
	for _, add := range b.entries(a, block, "add", model.AddToEntry).fit() {
		attribute := b.declared.attribute(e, add.key)
		if attribute == nil {
			continue
		}
		if attribute.Type.Base == model.SetOf {
			b.edit(a, model.Include, attribute, add)
			continue
		}
		if !attribute.Type.IsNumber() {
			b.fail("F006", add.key.place, "only numbers and sets can be added to, and %s is %s", attribute.Name, attribute.Type)
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
	b.appends(a, block.get("append"))
	b.removals(a, b.entries(a, block, "remove", model.RemoveEntry))
	a.If, a.IfAt = b.clauses(e, block.get("if")), block.get("if").at()
	b.changedTwice(a, block)
}

// placeIn returns the place of a name in a list.
func placeIn(list *node, name string) diag.Place {
	for _, item := range list.items {
		if item.text == name {
			return item.place
		}
	}
	return list.place
}

// appends reads append: elements for the end of lists.
func (b patternBuilder) appends(a *model.Action, n *node) {
	for _, entry := range n.fit() {
		attribute := b.declared.attribute(a.Entity, entry.key)
		switch {
		case attribute == nil:
		case attribute.Type.Base != model.ListOf:
			b.fail("F006", entry.key.place, "only lists can be appended to, and %s is %s", attribute.Name, attribute.Type)
		default:
			b.edit(a, model.Append, attribute, entry)
		}
	}
}

// removals reads remove: attributes, or what of each is removed.
func (b patternBuilder) removals(a *model.Action, n *node) {
	a.Remove = b.declared.attributes(a.Entity, n)
	for _, entry := range n.fit() {
		attribute := b.declared.attribute(a.Entity, entry.key)
		switch {
		case attribute == nil:
		case entry.value.text == "all":
			a.Remove = append(a.Remove, attribute)
		case attribute.Type.Base == model.SetOf:
			b.edit(a, model.Exclude, attribute, entry)
		default:
			b.fail("F006", entry.key.place, "only elements of a set can be removed one by one, and %s is %s; write %s: all to remove it", attribute.Name, attribute.Type, attribute.Name)
		}
	}
}

// edit reads a change of a part of a collection: the elements are a parameter.
func (b patternBuilder) edit(a *model.Action, kind model.EditKind, attribute *model.Attribute, e *entry) {
	name, isParam := strings.CutPrefix(e.value.text, "$")
	if !isParam {
		b.fail("F006", e.value.place, "the elements of %s are a parameter such as $%s, not %s", attribute.Name, attribute.Name, shown(e.value.text))
		return
	}
	a.Edits = append(a.Edits, &model.Edit{Attribute: attribute, Kind: kind, Param: cmp.Or(name, attribute.Name), Place: e.key.place})
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
		key := "set"
		if s.Patch {
			key = "patch"
		}
		note(key, s.Attribute)
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
	for _, entry := range a.Entries {
		note(entryKeys[entry.Kind], entry.Map)
	}
	for _, edit := range a.Edits {
		note(map[model.EditKind]string{model.Include: "add", model.Exclude: "remove", model.Append: "append"}[edit.Kind], edit.Attribute)
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
		r.Where, r.WhereAt = b.conditions(r.Entity, block.get("where")), block.get("where").at()
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
