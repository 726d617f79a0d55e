package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// heldReads finds writes that depend on a read without a condition that the items read are
// unchanged: a create after a read through a global index (W803), or any other (W805).
func heldReads(s *subject) {
	for _, p := range s.patterns() {
		for _, based := range p.BasedOn {
			for _, d := range dependencies(s.layout, p, based) {
				if !d.isHeld() {
					s.report.Add(d.notHeld(s.layout.Plan(based).Read))
				}
			}
		}
	}
}

// A dependency is a write that depends on an earlier read of an entity.
type dependency struct {
	write, read *model.Pattern
	entity      *model.Entity
	home        *model.Item // of the entity; nil if no table stores it
}

// dependencies returns the dependencies of a write on a read, one per entity.
func dependencies(layout *resolve.Layout, write, read *model.Pattern) []dependency {
	var all []dependency
	for _, entity := range read.Entities() {
		all = append(all, dependency{write, read, entity, layout.Home(entity)})
	}
	return all
}

// isHeld reports whether the write fails if the item that was read has changed: it requires
// the item, checks it in the same transaction, locks it by version, or creates it under a key
// made of the values looked up.
func (d dependency) isHeld() bool {
	return slices.ContainsFunc(d.write.Requires, func(r *model.Requirement) bool { return r.Entity == d.entity }) ||
		slices.ContainsFunc(d.write.Actions(), d.isHeldBy)
}

// isHeldBy reports whether a step fails if the item that was read has changed.
func (d dependency) isHeldBy(step *model.Step) bool {
	if step.Entity != d.entity {
		return false
	}
	switch step.Verb {
	case model.Check:
		return true
	case model.Create:
		return d.bindsKey()
	case model.Put:
		return len(step.If) > 0
	}
	return len(step.If) > 0 || d.entity.Version != nil && !resolve.OnlyAdds(step) || d.hasSurplus(step)
}

// bindsKey reports whether creating the entity fails if the read finds an item: the read
// binds every attribute of the primary key.
func (d dependency) bindsKey() bool {
	if d.home == nil {
		return false
	}
	made := primaryAttributes(d.home)
	return len(made) > 0 && !slices.ContainsFunc(made, func(a *model.Attribute) bool {
		return !bindsValue(d.asked(), a)
	})
}

// asked returns the conditions of the read on the entity.
func (d dependency) asked() []*model.Condition {
	all := slices.Concat(d.read.Where, d.read.Filter)
	for _, part := range d.read.Parts {
		if part.Entity == d.entity {
			all = append(all, part.Where...)
		}
	}
	return all
}

// hasSurplus reports whether where of an update gives more than the key: the rest becomes a
// condition of the write.
func (d dependency) hasSurplus(step *model.Step) bool {
	if d.home == nil {
		return false
	}
	made := primaryAttributes(d.home)
	return slices.ContainsFunc(step.Where, func(c *model.Condition) bool { return !slices.Contains(made, c.Attribute) })
}

// notHeld describes the dependency as a race. The plan is that of the read, or nil.
func (d dependency) notHeld(plan *resolve.Read) diag.Finding {
	finding := diag.Finding{
		Code: "W805", Place: d.write.BasedOnAt, Subject: "pattern " + d.write.Name,
		Message: fmt.Sprintf("%s depends on %s, but also succeeds if that %s changed in the meantime", d.write.Name, d.read.Name, d.entity.Name),
		Fix:     d.holdFix(),
		Related: []diag.Related{{Place: d.read.Place, Message: "the read it depends on"}},
	}
	if plan != nil && plan.Entry.Path.IsGlobal() && makes(d.write, d.entity) && !asksForRange(d.read) {
		finding.Code = "W803"
		finding.Message = fmt.Sprintf("%s looks for an existing %s with %s through %s, which is eventually consistent, so two concurrent calls both pass", d.write.Name, d.entity.Name, d.read.Name, plan.Entry.Path)
		finding.Fix = fmt.Sprintf("Make the key of %s from %s and use create, which fails if it exists", d.entity.Name, boundNames(d.read))
		if d.home != nil && len(boundAttributes(d.read)) > 0 {
			unique := &model.Unique{Attributes: boundAttributes(d.read)}
			finding.Fix += fmt.Sprintf(", or add a guard row to the table %s: guards: { %s }", d.home.Table.Name, proposedGuard(d.home, unique))
		}
	}
	return finding
}

// holdFix returns advice on how the write can depend on the item that was read. A version helps an
// update or a delete of that item, unless it only adds to it; a create helps a put.
func (d dependency) holdFix() string {
	fix := fmt.Sprintf("Repeat the condition in if or requires of %s", d.write.Name)
	writes := func(changes func(*model.Step) bool) bool {
		return slices.ContainsFunc(d.write.Actions(), func(step *model.Step) bool { return step.Entity == d.entity && changes(step) })
	}
	switch {
	case writes(func(step *model.Step) bool { return step.Verb == model.Put }) && d.bindsKey():
		return fix + fmt.Sprintf(", or use create for a new %s, which fails if it exists", d.entity.Name)
	case writes(func(step *model.Step) bool {
		return (step.Verb == model.Update || step.Verb == model.Delete) && !resolve.OnlyAdds(step)
	}):
		return fix + fmt.Sprintf(", or give %s a version", d.entity.Name)
	}
	return fix
}

// asksForRange reports whether a read looks for more than one item, such as all of the last
// hour.
func asksForRange(p *model.Pattern) bool {
	return slices.ContainsFunc(model.Comparisons(slices.Concat(p.Where, p.Filter)), func(c *model.Condition) bool { return c.Op.IsRange() })
}

// boundNames returns the names of the attributes a read binds.
func boundNames(p *model.Pattern) string { return attributeNames(boundAttributes(p)) }

// boundAttributes returns the attributes a read binds.
func boundAttributes(p *model.Pattern) []*model.Attribute {
	var bound []*model.Attribute
	for _, c := range slices.Concat(p.Where, p.Filter) {
		if c.Op == model.Eq && c.Values[0].Attribute == nil && !slices.Contains(bound, c.Attribute) {
			bound = append(bound, c.Attribute)
		}
	}
	return bound
}
