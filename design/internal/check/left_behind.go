package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// leftBehind finds children that stay when a pattern deletes the parent whose id is their
// partition key (W821). T604 is about parents that expire.
func leftBehind(s *subject) {
	for _, child := range s.entities() {
		home := s.layout.Home(child)
		if home == nil || child.TTL != nil || s.deleter(child) != nil {
			continue
		}
		key := home.Key(home.Table.PK.Name)
		if key == nil {
			continue
		}
		for _, parent := range s.design.Entities {
			if !isParent(parent, child, key) {
				continue
			}
			by := s.deleter(parent)
			if by == nil {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W821", Place: by.Place, Subject: "pattern " + by.Name,
				Message: fmt.Sprintf("%s deletes %s, but no pattern deletes its %s items, and they do not expire", by.Name, aName(parent.Name), child.Name),
				Fix:     fmt.Sprintf("Add a pattern that deletes %s and call it for each one, or give %s a ttl", child.Name, child.Name),
				Related: []diag.Related{{Place: home.Place, Message: child.Name + " has the id of " + parent.Name + " as its partition key"}},
			})
		}
	}
}

// deleter returns the first pattern that deletes items of an entity, or nil.
func (s *subject) deleter(e *model.Entity) *model.Pattern {
	for _, p := range s.using(e) {
		consumes := slices.ContainsFunc(p.Requires, func(r *model.Requirement) bool { return r.Consume && r.Entity == e })
		if consumes || slices.ContainsFunc(p.Actions(), func(step *model.Step) bool { return step.Verb == model.Delete && step.Entity == e }) {
			return p
		}
	}
	return nil
}

// staleCopies finds texts that one entity has copied from another beside its id, and that a
// pattern changes only in the original (W822). The name tells a copy: userName beside userId is
// the name of the User.
func staleCopies(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		original := a.step.Entity
		if len(original.ID) != 1 {
			continue
		}
		for _, set := range a.step.Set {
			for _, e := range s.design.Entities {
				copied := copyOf(original, set.Attribute, e)
				if copied == nil || writesLater(s.design, e, copied) {
					continue
				}
				s.report.Add(diag.Finding{
					Code: "W822", Place: set.Place, Subject: "pattern " + a.pattern.Name,
					Message: fmt.Sprintf("%s changes %s of %s, and %s.%s keeps the old one: no pattern changes the copy", a.pattern.Name, set.Attribute.Name, aName(original.Name), e.Name, copied.Name),
					Fix:     fmt.Sprintf("Update the copies too, read %s when it is shown, or accept it where the old %s is meant to stay", original.Name, set.Attribute.Name),
					Related: []diag.Related{{Place: copied.Place, Message: "the copy"}},
				})
			}
		}
	}
}

// copyOf returns the attribute of an entity that is a copy of a text of another one, or nil: the
// entity has the id of the other, and the text has the name of the other in front.
func copyOf(original *model.Entity, a *model.Attribute, e *model.Entity) *model.Attribute {
	id := original.ID[0]
	if e == original || a.Type.Base != model.String || e.Attribute(id.Name) == nil || slices.Contains(original.ID, a) {
		return nil
	}
	owner := strings.ToLower(original.Name)
	for _, b := range e.Attributes {
		named := strings.ReplaceAll(strings.ToLower(b.Name), "_", "")
		if b.Type.Base == model.String && strings.HasPrefix(named, owner) && strings.TrimPrefix(named, owner) == strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(a.Name), "_", ""), owner) {
			return b
		}
	}
	return nil
}

// writesLater reports whether a pattern changes an attribute of an existing item.
func writesLater(d *model.Design, e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(d.Patterns, func(p *model.Pattern) bool {
		return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
			sets := slices.ContainsFunc(step.Set, func(set *model.Assignment) bool { return set.Attribute == a })
			return step.Entity == e && (step.Verb == model.Put || (step.Verb == model.Update || step.Verb == model.Upsert) && sets)
		})
	})
}

// sameMoment finds puts of items that only ids of others and a time tell apart (W823): a second
// one at the same time replaces the first, and nothing notices.
func sameMoment(s *subject) {
	for _, a := range s.actions(model.Put) {
		e := a.step.Entity
		at := timeOfID(s.design, e)
		if at == nil || e.Version != nil || len(a.step.If) > 0 {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "W823", Place: a.step.Place, Subject: "pattern " + a.pattern.Name,
			Message: fmt.Sprintf("%s puts %s that only %s tells apart: a second one with the same %s replaces the first without an error", a.pattern.Name, aName(e.Name), at.Name, at.Name),
			Fix:     fmt.Sprintf("Use create, which fails if it exists, or give %s an id of its own, such as a ulid made from %s", e.Name, at.Name),
			Related: []diag.Related{{Place: e.Place, Message: fmt.Sprintf("its id is %s", attributeNames(e.ID))}},
		})
	}
}

// timeOfID returns the instant in the id of an entity if all other parts of the id are also in ids
// of other entities; else nil. A day or a week is a thing of its own.
func timeOfID(d *model.Design, e *model.Entity) *model.Attribute {
	var at *model.Attribute
	for _, a := range e.ID {
		switch {
		case a.Type.Base == model.Timestamp || a.Type.Base == model.Unixtime:
			at = a
		case !slices.ContainsFunc(d.Entities, func(other *model.Entity) bool {
			return other != e && slices.ContainsFunc(other.ID, func(b *model.Attribute) bool { return b.Name == a.Name })
		}):
			return nil
		}
	}
	return at
}

// belowZero finds numbers that a pattern decreases without a condition (W824). A condition on
// another attribute may say that there is something to take: a lease, a state.
func belowZero(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		for _, add := range a.step.Add {
			number := add.Attribute
			counter := counterOf(a.step.Entity, number)
			if add.Param != "" || add.By.Sign() >= 0 || len(a.step.If) > 0 || a.step.Entity.Version != nil || counter != nil {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W824", Place: a.step.Place, Subject: "pattern " + a.pattern.Name,
				Message: fmt.Sprintf("%s takes from %s of %s without a condition, so it can fall below zero", a.pattern.Name, number.Name, aName(a.step.Entity.Name)),
				Fix:     fmt.Sprintf("Write if: %s >= %s", number.Name, add.By.Times(-1)),
			})
		}
	}
}

// unrecoverable finds tables of lasting items without point-in-time recovery or deletion
// protection, although another table of the design has it (W825).
func unrecoverable(s *subject) {
	for _, setting := range []struct {
		name, does string
		of         func(*model.Table) bool
	}{
		{"pitr", "cannot be restored after a faulty program wrote to it", func(t *model.Table) bool { return t.PITR }},
		{"protect", "can be deleted by mistake", func(t *model.Table) bool { return t.Protect }},
	} {
		at := slices.IndexFunc(s.design.Tables, setting.of)
		for _, t := range s.design.Tables {
			lasting := slices.IndexFunc(t.Items, func(i *model.Item) bool { return i.Entity.TTL == nil })
			if at < 0 || setting.of(t) || lasting < 0 {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W825", Place: t.Place, Subject: "table " + t.Name,
				Message: fmt.Sprintf("%s holds %s, which does not expire, and %s: %s is set on %s only", t.Name, t.Items[lasting].Entity.Name, setting.does, setting.name, s.design.Tables[at].Name),
				Fix:     fmt.Sprintf("Write %s: true in the table %s", setting.name, t.Name),
				Related: []diag.Related{{Place: s.design.Tables[at].Place, Message: "has " + setting.name}},
			})
		}
	}
}

// countedTwice finds transactions that add one to a number beside a put that may replace an item,
// or take one away beside a delete that may find none (W826): the number is then wrong. It reports
// a pattern once.
func countedTwice(s *subject) {
	for _, p := range s.patterns() {
		if step, update, add := doubtfulCount(p.Actions()); step != nil {
			s.report.Add(countAgain(p, step, update.Entity, add))
		}
	}
}

// doubtfulCount returns the first step that may change nothing that is counted, and the update and
// addition that count it; nil if there is none.
func doubtfulCount(steps []*model.Step) (step, update *model.Step, add *model.Addition) {
	for _, update := range steps {
		for _, add := range update.Add {
			one := add.Param == "" && (add.By.Equal(exact.One) || add.By.Equal(exact.Int(-1)))
			if update.Verb != model.Update && update.Verb != model.Upsert || !one || counterOf(update.Entity, add.Attribute) != nil {
				continue
			}
			for _, step := range steps {
				if step.Entity != update.Entity && unsure(step, add.By.Sign()) {
					return step, update, add
				}
			}
		}
	}
	return nil, nil, nil
}

// unsure reports whether a step beside a count may change nothing that is counted: it has no
// condition.
func unsure(step *model.Step, sign int) bool {
	switch {
	case len(step.If) > 0 || step.Entity.Version != nil:
		return false
	case sign > 0:
		return step.Verb == model.Put
	}
	return step.Verb == model.Delete
}

// countAgain reports a number that is changed although nothing may have been counted.
func countAgain(p *model.Pattern, step *model.Step, e *model.Entity, add *model.Addition) diag.Finding {
	f := diag.Finding{
		Code: "W826", Place: step.Place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s adds to %s of %s also if the %s that it puts exists already", p.Name, add.Attribute.Name, aName(e.Name), step.Entity.Name),
		Fix:     fmt.Sprintf("Use create for %s, which fails if it exists", step.Entity.Name),
	}
	if step.Verb == model.Delete {
		f.Message = fmt.Sprintf("%s takes from %s of %s also if there is no %s to delete", p.Name, add.Attribute.Name, aName(e.Name), step.Entity.Name)
		f.Fix = fmt.Sprintf("Write if: %s exists in the delete of %s", step.Entity.ID[0].Name, step.Entity.Name)
	}
	return f
}
