package write

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// guards drafts the rows that keep values unique, written along with the item.
func (l *Planner) guards(t *Transaction, d *Draft) []*Draft {
	var all []*Draft
	for _, table := range l.Design().Tables {
		for _, g := range table.Guards {
			if g.Entity == d.Item.Entity {
				all = append(all, t.guard(guard{g, table, guardAttributes(g), l.GuardItem(table, g)}, d)...)
			}
		}
	}
	for _, row := range all {
		row.ImpliedBy(d)
	}
	return all
}

// A guard is a guard of a table with the attributes that the key of its row is made of.
type guard struct {
	*model.Guard
	table      *model.Table
	attributes []*model.Attribute
	row        *model.Item
}

// guardAttributes returns the attributes that the key of a row is made of.
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

// guard drafts the effect of one action on the row of a guard. A row is deleted only
// together with an item that has the value: the write of the item makes sure of that, so
// that no caller frees the value of another item.
func (t *Transaction) guard(g guard, d *Draft) []*Draft {
	step := d.Step
	if step.Verb == model.Check || step.Verb == model.Update && !action.Touches(step, g.attributes) {
		return nil
	}
	if i := slices.IndexFunc(g.attributes, func(a *model.Attribute) bool { return a.Type.Base == model.SetOf }); i >= 0 {
		t.Report(guardOfMany(g.Guard, g.attributes[i], step))
	}
	switch step.Verb {
	case model.Put:
		t.Report(putOverGuard(g.Guard, step))
		return []*Draft{t.guardRow(g, step, model.Create)}
	case model.Create:
		return []*Draft{t.guardRow(g, step, model.Create)}
	case model.Delete:
		d.holdOld(g.attributes)
		return []*Draft{t.guardRow(g, step, model.Delete)}
	}
	return t.changeGuard(g, d)
}

// changeGuard drafts the effect of an update of a guarded value: the row of the old value
// goes, and that of the new one comes.
func (t *Transaction) changeGuard(g guard, d *Draft) []*Draft {
	step := d.Step
	for _, add := range step.Add {
		if slices.Contains(g.attributes, add.Attribute) {
			t.Report(addToGuarded(g.Guard, add))
		}
	}
	d.holdOld(g.attributes)
	var all []*Draft
	if !slices.ContainsFunc(g.attributes, func(a *model.Attribute) bool { return logic.Absent(step.If, a) }) {
		all = append(all, t.guardRow(g, step, model.Delete))
	}
	if !action.Intersect(g.attributes, step.Remove) {
		all = append(all, t.guardRow(g, step, model.Create))
	}
	return all
}

// holdOld adds to the write of the item that the item is there and has the values whose
// row goes.
func (d *Draft) holdOld(attributes []*model.Attribute) {
	d.Counted = true
	for _, a := range attributes {
		d.hold(a)
	}
}

// guardRow drafts the write that creates the row of a guard or deletes it.
func (t *Transaction) guardRow(g guard, step *model.Step, verb model.Verb) *Draft {
	row := g.row
	d := &Draft{Kind: g.Entity.Name + "#guard", PlannedWrite: &plan.PlannedWrite{
		Pattern: t.Pattern, Operation: operations[verb], Item: row, Guard: g.Guard, Primary: layout.PrimaryAttributes(row),
		Step:    &model.Step{Verb: verb, Place: step.Place, Each: step.Each, Action: model.Action{Entity: row.Entity}},
		Implied: "guard " + g.Entity.Name + "." + strings.ReplaceAll(plan.Names(g.Attributes), ", ", "+"),
	}}
	holds := action.SurelyBefore
	if verb == model.Create {
		holds = action.SurelyAfter
	}
	for _, a := range g.attributes {
		if holds(step, logic.Exists(a)) == action.Maybe {
			d.optional = append(d.optional, a)
		}
	}
	for _, c := range g.Computed {
		key := &model.Key{Name: c.Name, Template: c.Template, Place: c.Place}
		text := keytext.Of(key, func(a *model.Attribute) model.Operand {
			if action.WritesWhole(step.Verb) || verb == model.Create && action.Assigned(step, a) != nil {
				return action.Fresh(step, a)
			}
			return action.Old(step, a)
		})
		d.Key = append(d.Key, keytext.NewCondition(key, model.Eq, text))
	}
	return d
}
