package loader

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// guards reads the guard rows of a table.
func (b layoutBuilder) guards(t *model.Table, block *node) {
	keys := []string{t.PK.Name}
	if t.SK.Name != "" {
		keys = append(keys, t.SK.Name)
	}
	for _, e := range block.get("guards").fit() {
		g := &model.Guard{Place: e.key.place}
		if !e.value.flawed && b.whole(func() { b.guard(t, g, e, keys) }) {
			t.Guards = append(t.Guards, g)
		}
	}
}

func (b layoutBuilder) guard(t *model.Table, g *model.Guard, e *entry, keys []string) {
	entityName, names, _ := strings.Cut(e.key.text, ".")
	g.Entity = b.declared.entityNamed(e.key, entityName)
	if g.Entity == nil {
		return
	}
	for _, name := range strings.Split(names, "+") {
		named := *e.key
		named.text = name
		if a := b.declared.attribute(g.Entity, &named); a != nil {
			g.Attributes = append(g.Attributes, a)
		}
	}
	if !b.failed && !slices.ContainsFunc(g.Entity.Unique, func(u *model.Unique) bool { return keeps(g, u) }) {
		b.fail("F007", e.key.place, "%s has no unique rule for %s", g.Entity.Name, names)
	}
	elements := elementsOf(g.Entity)
	g.Computed = b.computed(t, elements, e.value, keys)
	for _, c := range g.Computed {
		for i, part := range c.Template.Parts {
			if part.IsHole() {
				c.Template.Parts[i].Attribute = g.Entity.Attribute(part.Attribute.Name)
			}
		}
	}
	for _, key := range keys {
		if !slices.ContainsFunc(g.Computed, func(c *model.Computed) bool { return c.Name == key }) && !b.failed {
			b.fail("F004", e.key.place, "the guard has no template for %s", key)
		}
	}
}

// elementsOf returns the entity with its sets replaced by their element type: a guard has one
// row per element.
func elementsOf(e *model.Entity) *model.Entity {
	elements := &model.Entity{Name: e.Name}
	for _, a := range e.Attributes {
		if a.Type.Base == model.SetOf {
			element := *a
			element.Type = *a.Type.Element
			a = &element
		}
		elements.Attributes = append(elements.Attributes, a)
	}
	return elements
}

// keeps reports whether a guard is for a unique rule: its attributes, with or without
// the scope they are unique in.
func keeps(g *model.Guard, u *model.Unique) bool {
	for _, a := range u.Attributes {
		if !slices.Contains(g.Attributes, a) {
			return false
		}
	}
	for _, a := range g.Attributes {
		if !slices.Contains(u.Attributes, a) && !slices.Contains(u.Per, a) {
			return false
		}
	}
	return true
}
