package judge

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// An Action is one step or requirement of a pattern, for one repeated item.
type Action struct {
	Write *program.WriteStep // the write that has its parameters
	Step  *model.Step
	None  bool // there must be no such item
	must  bool // a requirement: the item must exist
	Index int  // of the repeated item
}

// ActionsOf returns the actions of a pattern, each once.
func ActionsOf(c *program.Call) ([]*Action, error) {
	var all []*Action
	for _, step := range c.Pattern.Actions() {
		all = append(all, &Action{Step: step})
	}
	for _, r := range c.Pattern.Requires {
		all = append(all, &Action{Step: requiredStep(r), None: r.Missing, must: !r.Missing})
	}
	roots := slices.DeleteFunc(slices.Clone(c.Writes), func(w *program.WriteStep) bool { return w.Origin != nil })
	if len(roots) != len(all) {
		return nil, fmt.Errorf("the pattern has %d actions, the call %d", len(all), len(roots))
	}
	for i, w := range roots {
		all[i].Write = w
	}
	return all, nil
}

// requiredStep returns a requirement as a step.
func requiredStep(r *model.Requirement) *model.Step {
	step := &model.Step{Verb: model.Check, Each: 1, Action: model.Action{Entity: r.Entity, Where: r.Where, If: r.If, Set: r.Change}}
	switch {
	case r.Consume:
		step.Verb = model.Delete
	case len(r.Change) > 0:
		step.Verb = model.Update
	}
	return step
}

// Whole reports whether the action writes an item that the caller gives whole.
func (act *Action) Whole() bool { return act.Step.Verb == model.Create || act.Step.Verb == model.Put }

// Conditions returns the conditions on the item before the call. An equality in the where of an
// item that is written whole is none: it says what the item will be.
func (act *Action) Conditions() []*model.Condition {
	var all []*model.Condition
	for _, c := range act.Step.Where {
		if !act.Whole() || c.Op != model.Eq {
			all = append(all, c)
		}
	}
	return append(all, act.Step.If...)
}

// upserts reports whether the action makes the item if it does not exist.
func (act *Action) upserts() bool { return act.Step.Verb == model.Upsert }

// AsksForItem reports whether the conditions hold only if the item exists.
func (act *Action) AsksForItem() bool {
	return slices.ContainsFunc(act.Conditions(), asksForItem)
}

// asksForItem reports whether a condition holds only if the item exists.
func asksForItem(c *model.Condition) bool {
	if c.Op != model.Or {
		return c.Op != model.Missing && c.Op != model.Ne
	}
	return !slices.ContainsFunc(c.Any, func(alternative []*model.Condition) bool { return !slices.ContainsFunc(alternative, asksForItem) })
}

// equality returns the operand that a condition says an attribute equals, or nil.
func equality(conditions []*model.Condition, a *model.Attribute) *model.Operand {
	for _, c := range conditions {
		if c.Attribute == a && c.Op == model.Eq {
			return &c.Values[0]
		}
	}
	return nil
}

// Assigned returns the operand that the action sets an attribute to, or nil.
func (act *Action) Assigned(a *model.Attribute) *model.Operand {
	if v := assigned(act.Step.Set, a); v != nil {
		return v
	}
	if act.Whole() || act.upserts() {
		return equality(act.Step.Where, a)
	}
	return nil
}

// patches reports whether the action sets an attribute only if the caller gives a value.
func (act *Action) patches(a *model.Attribute) bool {
	return slices.ContainsFunc(act.Step.Set, func(s *model.Assignment) bool { return s.Patch && s.Attribute == a })
}

// givesNothing reports whether the caller leaves out all attributes that a patch may set.
func (s *Scenario) givesNothing(act *Action) bool {
	patched := false
	for _, set := range act.Step.Set {
		if !set.Patch {
			continue
		}
		patched = true
		if _, given := s.Operand(act, *act.Assigned(set.Attribute), set.Attribute, nil); given {
			return false
		}
	}
	return patched
}

// Initial returns the operand that an upsert gives an attribute that the item lacks, or nil.
func (act *Action) Initial(a *model.Attribute) *model.Operand { return assigned(act.Step.Initial, a) }

// assigned returns the operand that assignments give an attribute, or nil.
func assigned(assignments []*model.Assignment, a *model.Attribute) *model.Operand {
	for _, s := range assignments {
		switch {
		case s.Attribute != a:
		case s.Value == nil:
			return &model.Operand{Param: a.Name}
		default:
			return s.Value
		}
	}
	return nil
}

// adds returns the addition of the action to an attribute, or nil.
func (act *Action) adds(a *model.Attribute) *model.Addition {
	for _, s := range act.Step.Add {
		if s.Attribute == a {
			return s
		}
	}
	return nil
}

// edits returns the edit that the action makes to an attribute, or nil.
func (act *Action) edits(a *model.Attribute) *model.Edit {
	for _, edit := range act.Step.Edits {
		if edit.Attribute == a {
			return edit
		}
	}
	return nil
}

// changes reports whether an update changes an attribute.
func (act *Action) changes(a *model.Attribute) bool {
	entry := func(c *model.EntryChange) bool { return c.Map == a }
	return slices.ContainsFunc(act.Step.Entries, entry) || act.Assigned(a) != nil || act.adds(a) != nil || act.edits(a) != nil || slices.Contains(act.Step.Remove, a)
}

// onlyAdds reports whether the action does nothing but add to numbers other than the version: it
// needs no version and leaves the version as it is.
func (act *Action) onlyAdds() bool {
	for _, entry := range act.Step.Entries {
		if entry.Kind != model.AddToEntry {
			return false
		}
	}
	return len(act.Step.Add)+len(act.Step.Edits)+len(act.Step.Entries) > 0 && len(act.Step.Set) == 0 && len(act.Step.Remove) == 0 && act.adds(act.Step.Entity.Version) == nil
}

// Locked reports whether the caller must have seen the version of the item.
func (act *Action) Locked() bool {
	version := act.Step.Entity.Version
	return version != nil && !act.onlyAdds() && !act.upserts() && act.Step.Verb != model.Create && act.Step.Verb != model.Check && equality(act.Conditions(), version) == nil
}

// SeenParam returns the parameter that holds the version that the caller has seen.
func (act *Action) SeenParam() string {
	version := act.Step.Entity.Version
	for _, clause := range act.Write.Statement.Condition {
		for _, v := range clause.Values {
			if v.Attribute == version && v.Operand != nil && v.Operand.Param != "" {
				return v.Operand.Param
			}
		}
	}
	return version.Name
}
