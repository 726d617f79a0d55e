package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// guards are the rows that keep values unique, written along with the item.
func (l *Layout) guards(plan *Plan, w *Write) []*Write {
	var all []*Write
	for _, t := range l.design.Tables {
		for _, g := range t.Guards {
			if g.Entity == w.Item.Entity {
				all = append(all, plan.guard(t, g, w)...)
			}
		}
	}
	for _, guard := range all {
		guard.Origin = w
	}
	return all
}

// guard is what one action does to the row of a guard. A row is taken away only together
// with an item that has the value: the item's own write makes sure of that, and so nobody
// frees the value of somebody else.
func (p *Plan) guard(t *model.Table, g *model.Guard, w *Write) []*Write {
	step := w.Step
	attributes := guardAttributes(g)
	changes := step.Verb != model.Check && (step.Verb != model.Update || touches(attributes, changedBy(step)))
	if i := slices.IndexFunc(attributes, func(a *model.Attribute) bool { return a.Type.Base == model.SetOf }); i >= 0 && changes {
		p.Problems = append(p.Problems, guardOfMany(g, attributes[i], step))
	}
	switch {
	case step.Verb == model.Put:
		p.Problems = append(p.Problems, putOverGuard(g, step))
		return []*Write{guardWrite(p.Pattern, t, g, step, model.Create)}
	case step.Verb == model.Create:
		return []*Write{guardWrite(p.Pattern, t, g, step, model.Create)}
	case step.Verb == model.Delete:
		w.holdsOld(attributes)
		return []*Write{guardWrite(p.Pattern, t, g, step, model.Delete)}
	case step.Verb != model.Update || !touches(attributes, changedBy(step)):
		return nil
	}
	for _, add := range step.Add {
		if slices.Contains(attributes, add.Attribute) {
			p.Problems = append(p.Problems, addToGuarded(g, add))
		}
	}
	w.holdsOld(attributes)
	var all []*Write
	if !slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return absent(step.If, a) }) {
		all = append(all, guardWrite(p.Pattern, t, g, step, model.Delete))
	}
	if !touches(attributes, step.Remove) {
		all = append(all, guardWrite(p.Pattern, t, g, step, model.Create))
	}
	return all
}

// putOverGuard says that a put does not know which value it replaces, whose row would
// stay behind, and that its own row stops it when the value stays the same.
func putOverGuard(g *model.Guard, step *model.Step) Problem {
	e, value := g.Entity.Name, names(g.Attributes)
	return Problem{
		Code: "W809", Place: step.Place,
		Message: fmt.Sprintf("put of %s may replace one whose %s is not known, and the guard row of that value stays", e, value),
		Fix:     fmt.Sprintf("use create for a new %s, update to change it, and delete to take it away", e),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}

// guardOfMany says that one row cannot keep the values of a set unique.
func guardOfMany(g *model.Guard, a *model.Attribute, step *model.Step) Problem {
	return Problem{
		Code: "W809", Place: step.Place,
		Message: fmt.Sprintf("%s of %s is a set, and its guard is one row for all of its values", a.Name, g.Entity.Name),
		Fix:     fmt.Sprintf("give each of the %s an item of its own, and create these in the same transaction with each", a.Name),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}

// addToGuarded says that nobody knows the value whose row is to be written.
func addToGuarded(g *model.Guard, add *model.Addition) Problem {
	return Problem{
		Code: "W809", Place: add.Place,
		Message: fmt.Sprintf("add makes %s of %s a value that is not known before, and its guard row has to be written with it", add.Attribute.Name, g.Entity.Name),
		Fix:     fmt.Sprintf("set %s to the new value instead", add.Attribute.Name),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}

// guardAttributes are the attributes the row's key is made of.
func guardAttributes(g *model.Guard) []*model.Attribute {
	all := slices.Clone(g.Attributes)
	for _, c := range g.Computed {
		for _, part := range c.Template.Parts {
			if part.IsHole() && !slices.Contains(all, part.Attribute) {
				all = append(all, part.Attribute)
			}
		}
	}
	return all
}

// holdsOld adds to the item's own write that the item is there and has the values whose
// row goes.
func (w *Write) holdsOld(attributes []*model.Attribute) {
	w.counted = true
	for _, a := range attributes {
		w.holds(a)
	}
}

// holds adds to the item's own write that the item has the value the caller says it has.
func (w *Write) holds(a *model.Attribute) {
	known := equality(beforehand(w.Step), a) != nil || equality(w.held, a) != nil || absent(w.Step.If, a)
	if known {
		return
	}
	if a.Type.Optional {
		w.optional = append(w.optional, a)
	}
	held := &model.Condition{Attribute: a, Op: model.Eq, Values: []model.Operand{old(w.Step, a)}, Place: w.Step.Place}
	w.held = append(w.held, held)
	w.Checks = append(w.Checks, held)
}

// absent reports whether an attribute is known not to be there.
func absent(known []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(known, func(c *model.Condition) bool { return c.Attribute == a && c.Op == model.Missing })
}

// old is the value of an attribute before a write. That of a changed attribute is a
// parameter of its own.
func old(step *model.Step, a *model.Attribute) model.Operand {
	if c := equality(beforehand(step), a); c != nil {
		return c.Values[0]
	}
	if step.Verb == model.Update && slices.Contains(changedBy(step), a) {
		return model.Operand{Param: "old_" + a.Name}
	}
	return model.Operand{Param: a.Name}
}

// guardWrite makes the row or takes it away.
func guardWrite(p *model.Pattern, t *model.Table, g *model.Guard, step *model.Step, verb model.Verb) *Write {
	row := guardItem(t, g)
	w := &Write{
		Pattern: p, Operation: operations[verb], Item: row, Guard: g, kind: g.Entity.Name + "#guard",
		Step:    &model.Step{Verb: verb, Place: step.Place, Each: step.Each, Action: model.Action{Entity: row.Entity}},
		Implied: "guard " + g.Entity.Name + "." + strings.ReplaceAll(names(g.Attributes), ", ", "+"),
	}
	for _, a := range guardAttributes(g) {
		exists, holds := &model.Condition{Attribute: a, Op: model.Exists}, surelyBefore
		if verb == model.Create {
			holds = surelyAfter
		}
		if holds(step, exists) == maybe {
			w.optional = append(w.optional, a)
		}
	}
	for _, c := range g.Computed {
		key := &model.Key{Name: c.Name, Template: c.Template, Place: c.Place}
		var text Text
		for _, part := range key.Parts() {
			switch {
			case !part.IsHole():
				text = text.with(literal(part.Literal))
			case writesWhole(step.Verb), verb == model.Create && assigned(step, part.Attribute) != nil:
				text = text.with(valueText(fresh(step, part.Attribute), part))
			default:
				text = text.with(valueText(old(step, part.Attribute), part))
			}
		}
		w.Key = append(w.Key, keyCondition(key, model.Eq, text))
	}
	return w
}

// guardItem is the guard's row as an item. It has a key and the name of its kind, and no
// attribute of the entity, so that it lies in none of the entity's indexes.
func guardItem(t *model.Table, g *model.Guard) *model.Item {
	e := &model.Entity{Name: "guard of " + g.Entity.Name, Place: g.Place, ID: g.Attributes}
	return &model.Item{Entity: e, Table: t, Place: g.Place, Computed: g.Computed}
}
