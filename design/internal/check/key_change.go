package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A change is one attribute of an existing item that a pattern changes.
type change struct {
	pattern   *model.Pattern
	entity    *model.Entity
	attribute *model.Attribute
	how       string // sets, adds to, removes
	at        diag.Place
}

// changes returns the attributes that patterns of the selected phases change in place.
func changes(s *subject) []change {
	var all []change
	for _, p := range s.patterns() {
		for _, step := range p.Actions() {
			if step.Verb.InPlace() {
				all = append(all, stepChanges(p, step)...)
			}
		}
		for _, r := range p.Requires {
			for _, set := range r.Change {
				all = append(all, change{p, r.Entity, set.Attribute, "sets", set.Place})
			}
		}
	}
	return all
}

func stepChanges(p *model.Pattern, step *model.Step) []change {
	var all []change
	for _, set := range step.Set {
		all = append(all, change{p, step.Entity, set.Attribute, "sets", set.Place})
	}
	for _, add := range step.Add {
		all = append(all, change{p, step.Entity, add.Attribute, "adds to", add.Place})
	}
	for _, a := range step.Remove {
		all = append(all, change{p, step.Entity, a, "removes", step.Place})
	}
	for _, edit := range step.Edits {
		all = append(all, change{p, step.Entity, edit.Attribute, "edits", edit.Place})
	}
	if v := step.Entity.Version; v != nil && !resolve.OnlyAdds(step) && !slices.ContainsFunc(all, func(c change) bool { return c.attribute == v }) {
		all = append(all, change{p, step.Entity, v, "counts up", step.Place})
	}
	return all
}

// keyChanged finds updates of attributes in the primary key (K110), also by the first values of an
// upsert: the key is that of where.
func keyChanged(s *subject) {
	all := changes(s)
	for _, a := range s.actions(model.Upsert) {
		for _, set := range a.step.Initial {
			all = append(all, change{a.pattern, a.step.Entity, set.Attribute, "initially sets", set.Place})
		}
	}
	for _, c := range all {
		item := s.layout.Home(c.entity)
		if item == nil {
			continue
		}
		use, part, found := inPrimaryKey(item, c.attribute)
		if !found {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "K110", Place: c.at, Subject: "pattern " + c.pattern.Name,
			Message: fmt.Sprintf("%s %s %s, which is in the %s, %s", c.pattern.Name, c.how, c.attribute.Name, use, keyText(use.Key)),
			Fix:     fmt.Sprintf("Delete the old %s and create the new one in one transaction, or remove %s from the %s", c.entity.Name, c.attribute.Name, use.role()),
			Related: []diag.Related{{Place: use.partPlace(part), Message: c.attribute.Name + " is in the " + use.role()}},
		})
	}
}

// keyCanChange finds primary keys with an attribute besides the id that changes
// during the lifetime of an item (K109).
func keyCanChange(s *subject) {
	all := changes(s)
	for _, table := range s.design.Tables {
		for _, item := range table.Items {
			known := identity(item)
			if known == nil || !item.Entity.HasTag(s.options.Tags) {
				continue
			}
			for _, use := range primaryKey(item) {
				changingParts(s, use, known, all)
			}
		}
	}
}

// changingParts reports the attributes of a key besides the known ones that change.
func changingParts(s *subject, use keyUse, known []*model.Attribute, changes []change) {
	if use.Key == nil {
		return
	}
	for i, part := range use.Key.Parts() {
		a := part.Attribute
		if a == nil || slices.Contains(known, a) {
			continue
		}
		why, related := changeable(use.Item.Entity, a, changes)
		if why == "" {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "K109", Place: use.partPlace(i), Subject: "entity " + use.Item.Entity.Name,
			Message: fmt.Sprintf("%s in the %s is not part of the id (%s), and %s: the same %s can then be stored under two keys", part, use, attributeNames(known), why, use.Item.Entity.Name),
			Fix:     fmt.Sprintf("Remove %s from the %s of the table; sort by it in an index instead", a.Name, use.role()),
			Related: []diag.Related{related},
		})
	}
}

// changeable returns why an attribute changes during the lifetime of an item, or "".
func changeable(e *model.Entity, a *model.Attribute, changes []change) (string, diag.Related) {
	for _, c := range changes {
		if c.entity == e && c.attribute == a {
			return fmt.Sprintf("%s %s it", c.pattern.Name, c.how), diag.Related{Place: c.at, Message: "changed here"}
		}
	}
	for _, counter := range e.Counters {
		if counter.Attribute == a {
			return "it is a counter", diag.Related{Place: counter.Place, Message: "counted here"}
		}
	}
	if a.Lifecycle != nil && len(a.Lifecycle.Next) > 0 {
		return "it has a lifecycle", diag.Related{Place: a.Lifecycle.Place, Message: "its states"}
	}
	return "", diag.Related{}
}
