package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// guardKeys finds guard rows whose key is not exactly the guarded value (W802): with more
// attributes one value has several rows, with fewer different values share one.
func guardKeys(s *subject) {
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			if a := manyValued(guard.Attributes); a != nil {
				s.report.Add(guardOfMany(table, guard, a))
				continue
			}
			for _, u := range guard.Entity.Unique {
				rule := slices.Concat(u.Attributes, u.Per)
				if holds(guard.Attributes, u.Attributes) && holds(rule, guard.Attributes) {
					guardKeyOf(s, table, guard, u)
				}
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

// guardOfMany describes a guard of a set (W809), which no write can maintain.
func guardOfMany(table *model.Table, guard *model.Guard, a *model.Attribute) diag.Finding {
	return diag.Finding{
		Code: "W809", Place: guard.Place, Subject: "table " + table.Name,
		Message: fmt.Sprintf("The guard of %s is one row, but %s is a set: %s cannot be written with one guard row for each of its %s", guardName(guard), a.Name, guard.Entity.Name, a.Name),
		Fix:     fmt.Sprintf("Store each of the %s as an item with the value as its key, and create these items in the same transaction", a.Name),
	}
}

// guardKeyOf reports a guard of a unique value whose key has more or fewer attributes than the
// value.
func guardKeyOf(s *subject, table *model.Table, guard *model.Guard, u *model.Unique) {
	var made []*model.Attribute
	for _, c := range guard.Computed {
		made = append(made, (&model.Key{Template: c.Template}).Attributes()...)
	}
	rule := slices.Concat(u.Attributes, u.Per)
	more, less := without(made, rule), without(rule, made)
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
				if step == nil || keepsGuard(s.layout.Plan(p), guard) {
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
		case model.Update, model.Upsert:
			set := func(a *model.Assignment) bool { return slices.Contains(guard.Attributes, a.Attribute) }
			removed := func(a *model.Attribute) bool { return slices.Contains(guard.Attributes, a) }
			if slices.ContainsFunc(step.Set, set) || slices.ContainsFunc(step.Remove, removed) {
				return step
			}
		}
	}
	return nil
}

// keepsGuard reports whether a plan writes a guard row of the guarded entity.
func keepsGuard(plan *resolve.Plan, guard *model.Guard) bool {
	return slices.ContainsFunc(plan.Writes, func(w *resolve.PlannedWrite) bool {
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
				s.report.Add(countOfExpired(entity, counter))
			}
		}
	}
}

func countOfExpired(entity *model.Entity, counter *model.Counter) diag.Finding {
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
	return finding
}
