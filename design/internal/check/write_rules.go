package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// uniqueNotEnforced finds unique values that are not enforced (W802). They are enforced by a
// guard row, by the primary key if items are created rather than put, or by hand: every
// pattern that creates the entity also creates a row whose key is the value.
func uniqueNotEnforced(s *subject) {
	for _, entity := range s.entities() {
		for _, u := range entity.Unique {
			scope := slices.Concat(u.Attributes, u.Per)
			if holds(scope, entity.ID) && len(entity.ID) > 0 || s.guarded(entity, u) || s.guardedByHand(entity, scope) {
				continue
			}
			if !s.isPrimaryKey(entity, u) {
				s.notUnique(entity, u)
				continue
			}
			for _, p := range s.patterns() {
				s.overwrites(p, entity, u)
			}
		}
	}
}

// guarded reports whether a table has a guard row for the rule.
func (s *subject) guarded(entity *model.Entity, u *model.Unique) bool {
	return slices.ContainsFunc(s.design.Tables, func(t *model.Table) bool {
		return slices.ContainsFunc(t.Guards, func(g *model.Guard) bool {
			return g.Entity == entity && holds(g.Attributes, u.Attributes) && holds(slices.Concat(u.Attributes, u.Per), g.Attributes)
		})
	})
}

// isPrimaryKey reports whether two items with the same value have the same primary key.
func (s *subject) isPrimaryKey(entity *model.Entity, u *model.Unique) bool {
	home := s.layout.Home(entity)
	if home == nil || slices.ContainsFunc(u.Attributes, func(a *model.Attribute) bool { return a.Type.Base == model.SetOf }) {
		return false
	}
	made := primaryAttributes(home)
	return len(made) > 0 && holds(slices.Concat(u.Attributes, u.Per), made)
}

// primaryAttributes returns the attributes an item's primary key is made of.
func primaryAttributes(item *model.Item) []*model.Attribute {
	var all []*model.Attribute
	for _, use := range primaryKey(item) {
		if use.Key == nil {
			return nil
		}
		all = append(all, use.Key.Attributes()...)
	}
	return all
}

// guardedByHand reports whether every pattern that creates the entity also creates a
// row whose key is made of the unique attributes alone.
func (s *subject) guardedByHand(entity *model.Entity, scope []*model.Attribute) bool {
	found := false
	for _, p := range s.design.Patterns {
		if !makes(p, entity) {
			continue
		}
		found = true
		if !slices.ContainsFunc(p.Steps, func(step *model.Step) bool { return s.isGuardRow(step, entity, scope) }) {
			return false
		}
	}
	return found
}

func (s *subject) isGuardRow(step *model.Step, entity *model.Entity, scope []*model.Attribute) bool {
	if step.Verb != model.Create || step.Entity == entity {
		return false
	}
	home := s.layout.Home(step.Entity)
	if home == nil {
		return false
	}
	made := primaryAttributes(home)
	return len(made) > 0 && !slices.ContainsFunc(made, func(a *model.Attribute) bool {
		return !slices.ContainsFunc(scope, func(b *model.Attribute) bool { return a.Name == b.Name })
	})
}

func (s *subject) notUnique(entity *model.Entity, u *model.Unique) {
	finding := diag.Finding{
		Code: "W802", Place: u.Place, Subject: "entity " + entity.Name,
		Message: fmt.Sprintf("Two %s items can have the same %s: nothing enforces uniqueness", entity.Name, attributeNames(u.Attributes)),
	}
	if a := manyValued(u.Attributes); a != nil {
		finding.Fix = fmt.Sprintf("Store each of the %s as an item with the value as its key, and create these items in the same transaction", a.Name)
	} else if home := s.layout.Home(entity); home != nil {
		finding.Fix = fmt.Sprintf("Add a guard row to the table %s: guards: { %s }", home.Table.Name, proposedGuard(home, u))
	}
	if len(u.Per) > 0 {
		finding.Message += " within one " + attributeNames(u.Per)
	}
	s.report.Add(finding)
}

// proposedGuard returns the source of a guard row that makes a value unique.
func proposedGuard(home *model.Item, u *model.Unique) string {
	word := strings.ToUpper(joinNames(u.Attributes, "_"))
	key := word
	for _, a := range slices.Concat(u.Per, u.Attributes) {
		key += "#{" + a.Name + "}"
	}
	row := fmt.Sprintf("%s: %q", home.Table.PK.Name, key)
	if home.Table.SK.Name != "" {
		row += fmt.Sprintf(", %s: %q", home.Table.SK.Name, word)
	}
	return fmt.Sprintf("%s.%s: { %s }", home.Entity.Name, joinNames(u.Attributes, "+"), row)
}

func joinNames(attributes []*model.Attribute, separator string) string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.Name
	}
	return strings.Join(names, separator)
}

// overwrites reports a put of an entity whose unique value is its primary key.
func (s *subject) overwrites(p *model.Pattern, entity *model.Entity, u *model.Unique) {
	for _, step := range p.Actions() {
		if step.Entity != entity || step.Verb != model.Put {
			continue
		}
		value := attributeNames(u.Attributes)
		s.report.Add(diag.Finding{
			Code: "W802", Place: step.Place, Subject: "pattern " + p.Name,
			Message: fmt.Sprintf("%s silently overwrites %s that already has the same %s", p.Name, aName(entity.Name), value),
			Fix:     fmt.Sprintf("Use create in %s, which fails if the %s is taken", p.Name, value),
			Related: []diag.Related{{Place: u.Place, Message: "declared unique"}},
		})
	}
}

// guardKeys finds guard rows whose key is not exactly the guarded value (W802): with more
// attributes one value has several rows, with fewer different values share one.
func guardKeys(s *subject) {
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			if a := manyValued(guard.Attributes); a != nil {
				s.guardOfMany(table, guard, a)
				continue
			}
			var made []*model.Attribute
			for _, c := range guard.Computed {
				made = append(made, (&model.Key{Template: c.Template}).Attributes()...)
			}
			for _, u := range guard.Entity.Unique {
				rule := slices.Concat(u.Attributes, u.Per)
				if !holds(guard.Attributes, u.Attributes) || !holds(rule, guard.Attributes) {
					continue
				}
				s.guardKey(table, guard, u, without(made, rule), without(rule, made))
			}
		}
	}
}

// manyValued returns an attribute that holds several values, or nil.
func manyValued(attributes []*model.Attribute) *model.Attribute {
	for _, a := range attributes {
		if a.Type.Base == model.SetOf {
			return a
		}
	}
	return nil
}

// guardOfMany reports a guard of a set (W809), which no write can maintain.
func (s *subject) guardOfMany(table *model.Table, guard *model.Guard, a *model.Attribute) {
	s.report.Add(diag.Finding{
		Code: "W809", Place: guard.Place, Subject: "table " + table.Name,
		Message: fmt.Sprintf("The guard of %s is one row, but %s is a set: %s cannot be written with one guard row for each of its %s", guardName(guard), a.Name, guard.Entity.Name, a.Name),
		Fix:     fmt.Sprintf("Store each of the %s as an item with the value as its key, and create these items in the same transaction", a.Name),
	})
}

func (s *subject) guardKey(table *model.Table, guard *model.Guard, u *model.Unique, more, less []*model.Attribute) {
	finding := diag.Finding{
		Code: "W802", Place: guard.Place, Subject: "table " + table.Name,
		Related: []diag.Related{{Place: u.Place, Message: "declared unique"}},
	}
	entity, value := guard.Entity.Name, attributeNames(u.Attributes)
	switch {
	case len(more) > 0:
		finding.Message = fmt.Sprintf("The key of the guard of %s also contains %s, so two %s items with the same %s have two guard rows", guardName(guard), attributeNames(more), entity, value)
		finding.Fix = fmt.Sprintf("Remove %s from the guard's key", attributeNames(more))
	case len(less) > 0:
		finding.Message = fmt.Sprintf("The key of the guard of %s does not contain %s, so it rejects valid %s items", guardName(guard), attributeNames(less), entity)
		finding.Fix = fmt.Sprintf("Put %s into the guard's key", attributeNames(less))
	default:
		return
	}
	s.report.Add(finding)
}

// without returns the attributes of all that are not among others, each once.
func without(all, others []*model.Attribute) []*model.Attribute {
	var rest []*model.Attribute
	for _, a := range all {
		if !slices.Contains(others, a) && !slices.Contains(rest, a) {
			rest = append(rest, a)
		}
	}
	return rest
}

// guardBypassed finds writes that change a unique value without its guard row (W809).
func guardBypassed(s *subject) {
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			for _, p := range s.patterns() {
				step := touchesGuarded(p, guard)
				if step == nil || s.keepsGuard(p, guard) {
					continue
				}
				name := guard.Entity.Name + "." + joinNames(guard.Attributes, "+")
				s.report.Add(diag.Finding{
					Code: "W809", Place: step.Place, Subject: "pattern " + p.Name,
					Message: fmt.Sprintf("%s changes %s but cannot update the guard row that makes it unique", p.Name, name),
					Fix:     fmt.Sprintf("Give the old %[2]s in where and the new one in set of %[1]s, so that both guard rows are written in the same transaction", p.Name, attributeNames(guard.Attributes)),
					Related: []diag.Related{{Place: guard.Place, Message: "the guard"}},
				})
			}
		}
	}
}

// touchesGuarded returns the step of a pattern that changes a unique value, or nil.
func touchesGuarded(p *model.Pattern, guard *model.Guard) *model.Step {
	for _, step := range p.Actions() {
		if step.Entity != guard.Entity {
			continue
		}
		switch step.Verb {
		case model.Create, model.Put, model.Delete:
			return step
		case model.Update:
			set := func(a *model.Assignment) bool { return slices.Contains(guard.Attributes, a.Attribute) }
			removed := func(a *model.Attribute) bool { return slices.Contains(guard.Attributes, a) }
			if slices.ContainsFunc(step.Set, set) || slices.ContainsFunc(step.Remove, removed) {
				return step
			}
		}
	}
	return nil
}

func (s *subject) keepsGuard(p *model.Pattern, guard *model.Guard) bool {
	return slices.ContainsFunc(s.layout.Plan(p).Writes, func(w *resolve.PlannedWrite) bool {
		return strings.HasPrefix(w.Implied, "guard "+guard.Entity.Name+".")
	})
}

// expiryBreaksRule finds guards and counters that TTL invalidates: it deletes an item, but
// neither its guard row nor its share of a counter that is kept longer (W809). A counter
// without a maximum only counts too many (W810), which may be intended. A counter with where
// is skipped: a pattern changes the item's state before it expires.
func expiryBreaksRule(s *subject) {
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			if guard.Entity.TTL == nil || !guard.Entity.HasTag(s.options.Tags) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W809", Place: guard.Place, Subject: "entity " + guard.Entity.Name,
				Message: fmt.Sprintf("TTL deletes %s but not its guard row, so its %s stays taken for ever", aName(guard.Entity.Name), attributeNames(guard.Attributes)),
				Fix:     fmt.Sprintf("Delete %s with a pattern instead of ttl, which also deletes the guard row", guard.Entity.Name),
				Related: []diag.Related{{Place: guard.Entity.TTLPlace, Message: "expires here"}},
			})
		}
	}
	for _, entity := range s.entities() {
		for _, counter := range entity.Counters {
			if counter.Of.TTL != nil && len(counter.Where) == 0 && entity.TTL == nil {
				s.countOfExpired(entity, counter)
			}
		}
	}
}

func (s *subject) countOfExpired(entity *model.Entity, counter *model.Counter) {
	name := entity.Name + "." + counter.Attribute.Name
	finding := diag.Finding{
		Code: "W810", Place: counter.Place, Subject: "entity " + entity.Name,
		Message: fmt.Sprintf("TTL deletes %s without decrementing %s, so it still counts deleted items", aName(counter.Of.Name), name),
		Fix:     fmt.Sprintf("Delete %s with a pattern that decrements %s, and use ttl only to clean up later", counter.Of.Name, counter.Attribute.Name),
		Related: []diag.Related{{Place: counter.Of.TTLPlace, Message: "expires here"}},
	}
	if counter.Max != nil {
		finding.Code = "W809"
		finding.Message = fmt.Sprintf("TTL deletes %s without decrementing %s, so it reaches its maximum of %s and stays there", aName(counter.Of.Name), name, figure(*counter.Max))
	}
	s.report.Add(finding)
}
