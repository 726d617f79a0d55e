package loader

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// items puts the entities into a table.
func (b *builder) items(t *model.Table, block *node, placed map[*model.Entity]*model.Item) {
	n := block.get("items")
	if n == nil {
		b.broken["items of "+t.Place.String()] = true
		return
	}
	if n.kind == list {
		for _, name := range n.items {
			b.item(t, block, name, nil, placed)
		}
	}
	for _, e := range n.entries {
		if e.unfit {
			b.broken["items of "+t.Place.String()] = true
			continue
		}
		b.item(t, block, e.key, e.value, placed)
	}
}

// item puts one entity into a table, with its computed attributes.
func (b *builder) item(t *model.Table, block, name, computed *node, placed map[*model.Entity]*model.Item) {
	item := &model.Item{Table: t, Place: name.place}
	ok := b.whole(func() {
		item.Entity = b.entity(name)
		if item.Entity == nil {
			return
		}
		if have := placed[item.Entity]; have != nil {
			b.add(diag.Finding{
				Code: "F006", Place: name.place, Message: item.Entity.Name + " is already in table " + have.Table.Name + "; an entity is in one table of a layout",
				Related: []diag.Related{{Place: have.Place, Message: "it is added to " + have.Table.Name + " here"}},
			})
			return
		}
		placed[item.Entity] = item
		item.Computed = b.computed(item.Entity, computed, keyAttributes(t, block))
		b.ownAttributes(item)
		b.failed = b.failed || computed != nil && computed.flawed
	})
	if !ok {
		b.broken["items of "+t.Place.String()] = true
		return
	}
	t.Items = append(t.Items, item)
}

// ownAttributes checks that no computed attribute is also an attribute of the entity.
func (b *builder) ownAttributes(item *model.Item) {
	for _, c := range item.Computed {
		if a := item.Entity.Stored(c.Name); a != nil {
			b.add(diag.Finding{
				Code: "F006", Place: c.Place, Message: item.Entity.Name + " already has an attribute " + c.Name + ", so it cannot be computed",
				Related: []diag.Related{{Place: a.Place, Message: "the attribute is declared here"}},
			})
		}
	}
}

// keyAttributes returns the names of all key attributes of a table and its indexes, including
// those that could not be parsed.
func keyAttributes(t *model.Table, block *node) []string {
	names := []string{t.PK.Name}
	add := func(n *node) {
		if n == nil {
			return
		}
		for _, one := range append(n.items[:len(n.items):len(n.items)], n) {
			if one.kind == scalar && !slices.Contains(names, one.text) {
				names = append(names, one.text)
			}
		}
	}
	raw := func(n *node, keys ...string) {
		for _, e := range n.entries {
			if slices.Contains(keys, e.key.text) {
				add(e.value)
			}
		}
	}
	raw(block, "sk")
	for _, e := range block.entries {
		if e.key.text == "indexes" {
			for _, index := range e.value.entries {
				raw(index.value, "pk", "sk")
			}
		}
	}
	return names
}

// computed reads the computed attributes of an item or guard.
func (b *builder) computed(e *model.Entity, n *node, keys []string) []*model.Computed {
	var all []*model.Computed
	for _, attr := range n.fit() {
		if !slices.Contains(keys, attr.key.text) {
			b.fail("F007", attr.key.place, "the table has no key attribute %s%s", shown(attr.key.text), b.found.didYouMean(attr.key.text, keys))
			continue
		}
		template, when := attr.value, (*node)(nil)
		if attr.value.kind == mapping {
			template, when = attr.value.get("value"), attr.value.get("when")
		}
		if template == nil {
			b.failed = true
			continue
		}
		c := &model.Computed{Name: attr.key.text, Place: attr.key.place}
		parsed, err := model.ParseTemplate(template.text, e)
		if !b.syntax(template, err, e) {
			continue
		}
		parsed.Place = template.inner()
		c.Template = parsed
		c.When = b.clauses(e, when)
		all = append(all, c)
	}
	return all
}

// clauses reads the conditions of if and when; none if there is no node.
func (b *builder) clauses(e *model.Entity, n *node) []*model.Condition {
	if n == nil {
		return nil
	}
	all, err := model.ParseClauses(n.text, e)
	if !b.syntax(n, err, e) {
		return nil
	}
	for _, c := range all {
		c.Place = n.place
	}
	return all
}

// guards reads the guard rows of a table.
func (b *builder) guards(t *model.Table, block *node) {
	keys := []string{t.PK.Name}
	if t.SK.Name != "" {
		keys = append(keys, t.SK.Name)
	}
	for _, e := range block.get("guards").fit() {
		g := &model.Guard{Place: e.key.place}
		if !e.value.flawed && b.whole(func() { b.guard(g, e, keys) }) {
			t.Guards = append(t.Guards, g)
		}
	}
}

func (b *builder) guard(g *model.Guard, e *entry, keys []string) {
	entityName, names, _ := strings.Cut(e.key.text, ".")
	g.Entity = b.entities[entityName]
	if g.Entity == nil {
		b.unknown(e.key, "entity", entityName, slices.Sorted(maps.Keys(b.entities)))
		return
	}
	for _, name := range strings.Split(names, "+") {
		named := *e.key
		named.text = name
		if a := b.attribute(g.Entity, &named); a != nil {
			g.Attributes = append(g.Attributes, a)
		}
	}
	if !b.failed && !slices.ContainsFunc(g.Entity.Unique, func(u *model.Unique) bool { return keeps(g, u) }) {
		b.fail("F007", e.key.place, "%s has no unique rule for %s", g.Entity.Name, names)
	}
	elements := elementsOf(g.Entity)
	g.Computed = b.computed(elements, e.value, keys)
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
