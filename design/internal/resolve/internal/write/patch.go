package write

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// patchedPart returns the attribute of a key that an update sets only if the caller gives a
// value, or nil.
func patchedPart(step *model.Step, key *model.Key) *model.Attribute {
	for _, a := range key.Attributes() {
		if action.Patches(step, a) {
			return a
		}
	}
	return nil
}

// patchProblems returns what keeps attributes from being patched: a rule that needs to know
// whether and how the attribute changes, a parameter that something else needs, or an index key
// of which another part is not known.
func (l *Planner) patchProblems(d *Draft) []plan.Problem {
	var all []plan.Problem
	for _, s := range d.Step.Set {
		if !s.Patch {
			continue
		}
		rule, of := l.needsChange(d.Step.Entity, s.Attribute)
		switch {
		case s.Attribute == d.Step.Entity.Version:
			all = append(all, patchProblem(d.Step, s, "generated code increments the version", fmt.Sprintf("remove %s from patch", s.Attribute.Name)))
		case rule != "":
			all = append(all, patchProblem(d.Step, s, rule, fmt.Sprintf("move %s to set of a pattern of its own", s.Attribute.Name),
				diag.Related{Place: of, Message: "the rule"}))
		case needed(d.Pattern, s.Attribute.Name):
			all = append(all, patchProblem(d.Step, s, fmt.Sprintf("another part of %s needs $%s", d.Pattern.Name, s.Attribute.Name), "give the other parameter a name of its own"))
		}
	}
	if len(all) > 0 {
		return all // others may follow from these
	}
	for _, key := range d.computedKeys() {
		all = append(all, patchedKey(d, key)...)
	}
	return all
}

// patchProblem returns the problem that an update cannot leave it to the caller whether it sets
// an attribute.
func patchProblem(step *model.Step, s *model.Assignment, why, fix string, related ...diag.Related) plan.Problem {
	return plan.Problem{
		Code: "F020", Place: s.Place, Fix: fix, Related: related,
		Message: fmt.Sprintf("an update of %s cannot patch %s: %s", step.Entity.Name, s.Attribute.Name, why),
	}
}

// needsChange returns the rule of the design that must know whether an attribute of an entity
// changes, and its place; "" if none must.
func (l *Planner) needsChange(e *model.Entity, a *model.Attribute) (rule string, place diag.Place) {
	if a.Lifecycle != nil {
		return "its lifecycle checks each transition", a.Lifecycle.Place
	}
	for _, table := range l.Design().Tables {
		for _, g := range table.Guards {
			if g.Entity == e && slices.Contains(guardAttributes(g), a) {
				return "a guard row keeps it unique", g.Place
			}
		}
	}
	for _, u := range e.Unique {
		if slices.Contains(u.Attributes, a) {
			return "it is unique", u.Place
		}
	}
	for _, owner := range l.Design().Entities {
		for _, c := range owner.Counters {
			if owner == e && c.Attribute == a || c.Of == e && counts(c, a) {
				return fmt.Sprintf("the counter %s.%s depends on it", owner.Name, c.Attribute.Name), c.Place
			}
		}
	}
	return "", place
}

// counts reports whether a counter depends on an attribute of the items that it counts.
func counts(c *model.Counter, a *model.Attribute) bool {
	return c.Sum == a || slices.ContainsFunc(c.Match, func(m model.Match) bool { return m.Theirs == a }) ||
		slices.ContainsFunc(model.Comparisons(c.Where), func(w *model.Condition) bool { return slices.Contains(logic.Compared(w), a) })
}

// needed reports whether a pattern uses a parameter elsewhere than in a patch, so that the
// caller cannot leave it out.
func needed(p *model.Pattern, param string) bool {
	uses := func(c *model.Condition) bool {
		return slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Param == param })
	}
	sets := func(s *model.Assignment) bool {
		return !s.Patch && (s.Value == nil && s.Attribute.Name == param || s.Value != nil && s.Value.Param == param)
	}
	for _, step := range p.Actions() {
		if slices.ContainsFunc(model.Comparisons(slices.Concat(step.Where, step.If)), uses) || slices.ContainsFunc(slices.Concat(step.Set, step.Initial), sets) ||
			slices.ContainsFunc(step.Add, func(s *model.Addition) bool { return s.Param == param }) ||
			slices.ContainsFunc(step.Edits, func(s *model.Edit) bool { return s.Param == param }) ||
			slices.ContainsFunc(step.Entries, func(s *model.EntryChange) bool { return s.Key.Param == param || s.Value.Param == param }) ||
			action.WritesWhole(step.Verb) && step.Entity.Attribute(param) != nil {
			return true
		}
	}
	for _, r := range p.Requires {
		if slices.ContainsFunc(model.Comparisons(slices.Concat(r.Where, r.If)), uses) || slices.ContainsFunc(r.Change, sets) {
			return true
		}
	}
	return false
}

// patchedKey returns the problem that an update patches a part of an index key and does not know
// the rest of it: the key would be wrong, or the entry would be missing.
func patchedKey(d *Draft, key *model.Key) []plan.Problem {
	step, a := d.Step, patchedPart(d.Step, key)
	for _, c := range key.When {
		for _, decisive := range logic.Compared(c) {
			if action.Patches(step, decisive) {
				return []plan.Problem{patchedKeyProblem(d, key, decisive, fmt.Sprintf("whether the item has the index key %s depends on %s", key.Name, c), "")}
			}
		}
	}
	if a == nil {
		return nil
	}
	for _, part := range key.Attributes() {
		known := logic.Equality(action.Known(step), part) != nil && !action.Changes(step, part)
		if part != a && !known {
			return []plan.Problem{patchedKeyProblem(d, key, a, fmt.Sprintf("the index key %s also needs %s, which the update may not know", key.Name, part.Name), part.Name)}
		}
	}
	for _, c := range undecided(step, key) {
		if c.Op != model.Exists || c.Attribute != a {
			return []plan.Problem{patchedKeyProblem(d, key, a, fmt.Sprintf("the index key %s depends on %s, which the update may not know", key.Name, c), "")}
		}
	}
	return nil
}

// patchedKeyProblem returns the problem of one index key. Giving the missing attribute in where
// repairs it, if one is missing.
func patchedKeyProblem(d *Draft, key *model.Key, a *model.Attribute, why, missing string) plan.Problem {
	i := slices.IndexFunc(d.Step.Set, func(s *model.Assignment) bool { return s.Attribute == a })
	fix := fmt.Sprintf("move %s to set", a.Name)
	if missing != "" && !action.Changes(d.Step, d.Item.Entity.Attribute(missing)) {
		fix = fmt.Sprintf("give %s in where, or move %s to set", missing, a.Name)
	}
	return patchProblem(d.Step, d.Step.Set[i], why, fix, diag.Related{Place: key.Place, Message: "the key"})
}
