package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// heldReads finds writes that depend on a read without a condition that the items read are
// unchanged: a create after a read through a global index (W803), or any other (W805).
func heldReads(s *subject) {
	for _, p := range s.patterns() {
		for _, based := range p.BasedOn {
			for _, entity := range based.Entities() {
				if !s.holdsRead(p, based, entity) {
					s.notHeld(p, based, entity)
				}
			}
		}
	}
}

// holdsRead reports whether a write fails if the item that was read has changed: it requires
// the item, checks it in the same transaction, locks it by version, or creates it under a key
// made of the values looked up.
func (s *subject) holdsRead(p, based *model.Pattern, entity *model.Entity) bool {
	if slices.ContainsFunc(p.Requires, func(r *model.Requirement) bool { return r.Entity == entity }) {
		return true
	}
	return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
		if step.Entity != entity {
			return false
		}
		switch step.Verb {
		case model.Check:
			return true
		case model.Create:
			return s.keyFromRead(based, entity)
		case model.Put:
			return len(step.If) > 0
		}
		return len(step.If) > 0 || entity.Version != nil || s.hasSurplus(step, entity)
	})
}

// keyFromRead reports whether creating the entity fails if the read finds an item: the read
// binds every attribute of the primary key.
func (s *subject) keyFromRead(based *model.Pattern, entity *model.Entity) bool {
	home := s.layout.Home(entity)
	if home == nil {
		return false
	}
	made := primaryAttributes(home)
	return len(made) > 0 && !slices.ContainsFunc(made, func(a *model.Attribute) bool {
		return !bindsValue(slices.Concat(based.Where, based.Filter), a)
	})
}

// hasSurplus reports whether where of an update gives more than the key: the rest becomes a
// condition of the write.
func (s *subject) hasSurplus(step *model.Step, entity *model.Entity) bool {
	home := s.layout.Home(entity)
	if home == nil {
		return false
	}
	made := primaryAttributes(home)
	return slices.ContainsFunc(step.Where, func(c *model.Condition) bool { return !slices.Contains(made, c.Attribute) })
}

func (s *subject) notHeld(p, based *model.Pattern, entity *model.Entity) {
	finding := diag.Finding{
		Code: "W805", Place: p.BasedOnAt, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s depends on %s, but also succeeds if that %s changed in the meantime", p.Name, based.Name, entity.Name),
		Fix:     fmt.Sprintf("Repeat the condition in if or requires of %s, or give %s a version", p.Name, entity.Name),
		Related: []diag.Related{{Place: based.Place, Message: "the read it depends on"}},
	}
	read := s.layout.Plan(based).Read
	if read != nil && read.Entry.Path.IsGlobal() && makes(p, entity) && !asksForRange(based) {
		finding.Code = "W803"
		finding.Message = fmt.Sprintf("%s looks for an existing %s with %s through %s, which is eventually consistent, so two concurrent calls both pass", p.Name, entity.Name, based.Name, read.Entry.Path)
		finding.Fix = fmt.Sprintf("Make the key of %s from %s and use create, which fails if it exists", entity.Name, boundNames(based))
		if home := s.layout.Home(entity); home != nil && len(boundAttributes(based)) > 0 {
			unique := &model.Unique{Attributes: boundAttributes(based)}
			finding.Fix += fmt.Sprintf(", or add a guard row to the table %s: guards: { %s }", home.Table.Name, proposedGuard(home, unique))
		}
	}
	s.report.Add(finding)
}

// asksForRange reports whether a read looks for more than one item, such as all of the last
// hour.
func asksForRange(p *model.Pattern) bool {
	return slices.ContainsFunc(slices.Concat(p.Where, p.Filter), func(c *model.Condition) bool { return c.Op.IsRange() })
}

// boundNames returns the names of the attributes a read binds.
func boundNames(p *model.Pattern) string { return attributeNames(boundAttributes(p)) }

// boundAttributes returns the attributes a read binds.
func boundAttributes(p *model.Pattern) []*model.Attribute {
	var bound []*model.Attribute
	for _, c := range slices.Concat(p.Where, p.Filter) {
		if c.Op == model.Eq && !slices.Contains(bound, c.Attribute) {
			bound = append(bound, c.Attribute)
		}
	}
	return bound
}
