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
			switch rule := (uniqueRule{u, entity, s.layout}); {
			case rule.isID() || rule.isGuarded(s.design) || rule.isGuardedByHand(s.design):
			case rule.isPrimaryKey():
				overwritten(s, rule)
			default:
				s.report.Add(rule.notEnforced())
			}
		}
	}
}

// A uniqueRule is a declaration that values of an entity are unique.
type uniqueRule struct {
	*model.Unique
	entity *model.Entity
	layout *resolve.Layout
}

// scope returns all attributes of the rule: the unique ones and those of per.
func (u uniqueRule) scope() []*model.Attribute { return slices.Concat(u.Attributes, u.Per) }

// isID reports whether the id contains no more than the value.
func (u uniqueRule) isID() bool { return len(u.entity.ID) > 0 && holds(u.scope(), u.entity.ID) }

// isGuarded reports whether a table has a guard row for the rule.
func (u uniqueRule) isGuarded(d *model.Design) bool {
	return slices.ContainsFunc(d.Tables, func(t *model.Table) bool {
		return slices.ContainsFunc(t.Guards, func(g *model.Guard) bool {
			return g.Entity == u.entity && holds(g.Attributes, u.Attributes) && holds(u.scope(), g.Attributes)
		})
	})
}

// isPrimaryKey reports whether two items with the same value have the same primary key.
func (u uniqueRule) isPrimaryKey() bool {
	home := u.layout.Home(u.entity)
	if home == nil || manyValued(u.Attributes) != nil {
		return false
	}
	made := primaryAttributes(home)
	return len(made) > 0 && holds(u.scope(), made)
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

// isGuardedByHand reports whether every pattern that creates the entity also creates a
// row whose key is made of the unique attributes alone.
func (u uniqueRule) isGuardedByHand(d *model.Design) bool {
	found := false
	for _, p := range d.Patterns {
		if !makes(p, u.entity) {
			continue
		}
		found = true
		if !slices.ContainsFunc(p.Steps, u.isGuardRow) {
			return false
		}
	}
	return found
}

// isGuardRow reports whether a step creates a row whose key is the value.
func (u uniqueRule) isGuardRow(step *model.Step) bool {
	if step.Verb != model.Create || step.Entity == u.entity {
		return false
	}
	home := u.layout.Home(step.Entity)
	if home == nil {
		return false
	}
	made := primaryAttributes(home)
	return len(made) > 0 && !slices.ContainsFunc(made, func(a *model.Attribute) bool {
		return !slices.ContainsFunc(u.scope(), func(b *model.Attribute) bool { return a.Name == b.Name })
	})
}

// notEnforced describes the rule as one that nothing enforces.
func (u uniqueRule) notEnforced() diag.Finding {
	finding := diag.Finding{
		Code: "W802", Place: u.Place, Subject: "entity " + u.entity.Name,
		Message: fmt.Sprintf("Two %s items can have the same %s: nothing enforces uniqueness", u.entity.Name, attributeNames(u.Attributes)),
	}
	if a := manyValued(u.Attributes); a != nil {
		finding.Fix = fmt.Sprintf("Store each of the %s as an item with the value as its key, and create these items in the same transaction", a.Name)
	} else if home := u.layout.Home(u.entity); home != nil {
		finding.Fix = fmt.Sprintf("Add a guard row to the table %s: guards: { %s }", home.Table.Name, proposedGuard(home, u.Unique))
	}
	if len(u.Per) > 0 {
		finding.Message += " within one " + attributeNames(u.Per)
	}
	return finding
}

// proposedGuard returns the source of a guard row that makes a value unique.
func proposedGuard(home *model.Item, u *model.Unique) string {
	word := strings.ToUpper(joinNames(u.Attributes, "_"))
	key := word
	for _, a := range slices.Concat(u.Per, u.Attributes) {
		key += home.Table.Delimiter.String() + "{" + a.Name + "}"
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

// overwritten reports the puts of an entity whose unique value is its primary key.
func overwritten(s *subject, u uniqueRule) {
	for _, by := range s.actions(model.Put) {
		if by.step.Entity != u.entity {
			continue
		}
		value := attributeNames(u.Attributes)
		s.report.Add(diag.Finding{
			Code: "W802", Place: by.step.Place, Subject: "pattern " + by.pattern.Name,
			Message: fmt.Sprintf("%s silently overwrites %s that already has the same %s", by.pattern.Name, aName(u.entity.Name), value),
			Fix:     fmt.Sprintf("Use create in %s, which fails if the %s is taken", by.pattern.Name, value),
			Related: []diag.Related{{Place: u.Place, Message: "declared unique"}},
		})
	}
}
