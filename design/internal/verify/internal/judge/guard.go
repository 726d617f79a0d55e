package judge

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/verify/internal/state"
)

// GuardsOf are the guards that keep values of an entity unique.
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

// guarded are the attributes that the row of a guard is made of.
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

// frees reports whether an action takes the row of a guard away.
func (act *Action) frees(g *model.Guard) bool {
	return act.Step.Verb == model.Delete || act.Step.Verb == model.Update && slices.ContainsFunc(guarded(g), act.changes)
}

// HeldBefore are the attributes whose old value the caller must know, because the row
// that keeps it unique goes.
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

// OldParam is the parameter that holds the value an attribute had.
func OldParam(act *Action, a *model.Attribute) string {
	if act.Step.Verb == model.Update && act.changes(a) {
		return "old_" + a.Name
	}
	return a.Name
}

// keepUnique is what happens to the rows that keep the values of an item unique.
func (s *Scenario) keepUnique(d *Verdict, ch *Change) {
	for _, t := range s.Layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity != ch.Action.Step.Entity || !ch.Action.Whole() && !ch.Action.frees(g) || ch.Action.None {
				continue
			}
			var before, after *state.Row
			if ch.Old != nil && !ch.Action.Whole() {
				before = state.GuardRow(t, g, ch.Old.Values)
			}
			if ch.New != nil {
				after = state.GuardRow(t, g, ch.New.Values)
			}
			s.moveGuard(d, before, after)
		}
	}
}

func (s *Scenario) moveGuard(d *Verdict, before, after *state.Row) {
	if before != nil && after != nil && state.DescribeItem(before.Item) == state.DescribeItem(after.Item) {
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
