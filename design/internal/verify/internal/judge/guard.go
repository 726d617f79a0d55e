package judge

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/verify/internal/state"
)

// GuardsOf returns the guards that keep values of an entity unique.
func (s *Scenario) GuardsOf(e *model.Entity) []*model.Guard {
	var all []*model.Guard
	for _, t := range s.Layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity == e {
				all = append(all, g)
			}
		}
	}
	return all
}

// guarded returns the attributes that the row of a guard is made of.
func guarded(g *model.Guard) []*model.Attribute {
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

// frees reports whether an action deletes the row of a guard.
func (act *Action) frees(g *model.Guard) bool {
	return act.Step.Verb == model.Delete || act.Step.Verb == model.Update && slices.ContainsFunc(guarded(g), act.changes)
}

// HeldBefore returns the attributes whose old value the caller must know, because the row of
// their guard is deleted.
func (s *Scenario) HeldBefore(act *Action) []*model.Attribute {
	var all []*model.Attribute
	for _, g := range s.GuardsOf(act.Step.Entity) {
		if !act.frees(g) {
			continue
		}
		for _, a := range guarded(g) {
			missing := slices.ContainsFunc(act.Step.If, func(c *model.Condition) bool { return c.Attribute == a && c.Op == model.Missing })
			if equality(act.Conditions(), a) == nil && !missing && !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// OldParam returns the parameter that holds the old value of an attribute.
func OldParam(act *Action, a *model.Attribute) string {
	if act.Step.Verb == model.Update && act.changes(a) {
		return "old_" + a.Name
	}
	return a.Name
}

// keepUnique adds the changes of the guards that follow from the change of an item.
func (s *Scenario) keepUnique(d *Verdict, ch *Change) {
	if ch.Action.None {
		return
	}
	for _, t := range s.Layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity == ch.Action.Step.Entity && (ch.Action.Whole() || ch.Action.frees(g)) {
				before, after := s.guardRows(t, g, ch)
				s.moveGuard(d, before, after)
			}
		}
	}
}

// guardRows returns the row of a guard before and after a change; nil: no row.
func (s *Scenario) guardRows(t *model.Table, g *model.Guard, ch *Change) (before, after *state.Row) {
	if ch.Old != nil && !ch.Action.Whole() {
		before = s.Tables.GuardRow(t, g, ch.Old.Values)
	}
	if ch.New != nil {
		after = s.Tables.GuardRow(t, g, ch.New.Values)
	}
	return before, after
}

// moveGuard adds the changes from one row of a guard to another; nil: no row.
func (s *Scenario) moveGuard(d *Verdict, before, after *state.Row) {
	if before != nil && after != nil && state.SameItem(before.Item, after.Item) {
		return
	}
	if before != nil {
		d.add(&Change{Table: before.Table, Key: state.KeyOf(before.Table, before.Item), Old: s.At(before.Table, before.Item)})
	}
	if after != nil {
		ch := &Change{Table: after.Table, Key: state.KeyOf(after.Table, after.Item), Old: s.At(after.Table, after.Item), New: after}
		d.add(ch)
		if ch.Old != nil {
			d.fault(ch, taken)
		}
	}
}
