package loader

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// items puts the entities into a table.
func (b layoutBuilder) items(t *model.Table, block *node) {
	n := block.get("items")
	if n == nil {
		b.partial[t] = true
		return
	}
	if n.kind == list {
		for _, name := range n.items {
			b.item(t, block, name, nil)
		}
	}
	for _, e := range n.entries {
		if e.unfit {
			b.partial[t] = true
			continue
		}
		b.item(t, block, e.key, e.value)
	}
}

// item puts one entity into a table, with its computed attributes.
func (b layoutBuilder) item(t *model.Table, block, name, computed *node) {
	item := &model.Item{Table: t, Place: name.place}
	ok := b.whole(func() {
		item.Entity = b.declared.entity(name)
		if item.Entity == nil {
			return
		}
		if have := b.placed[item.Entity]; have != nil {
			b.add(diag.Finding{
				Code: "F006", Place: name.place, Message: item.Entity.Name + " is already in table " + have.Table.Name + "; an entity is in one table of a layout",
				Related: []diag.Related{{Place: have.Place, Message: "it is added to " + have.Table.Name + " here"}},
			})
			return
		}
		b.placed[item.Entity] = item
		item.Computed = b.computed(t, item.Entity, computed, keyAttributes(t, block))
		b.ownAttributes(item)
		b.failed = b.failed || computed != nil && computed.flawed || slices.ContainsFunc(block.entries, func(e *entry) bool {
			return e.unfit && meant(e, tableSpec) == "indexes" // the misspelled key is reported; without its indexes every read would be, too
		})
	})
	if !ok {
		b.partial[t] = true
		return
	}
	t.Items = append(t.Items, item)
}

// ownAttributes checks that no computed attribute is also an attribute of the entity.
func (b layoutBuilder) ownAttributes(item *model.Item) {
	for _, c := range item.Computed {
		if a := item.Entity.Stored(c.Name); a != nil {
			b.add(diag.Finding{
				Code: "F006", Place: c.Place, Message: item.Entity.Name + " already has an attribute " + c.Name + ", so it cannot be computed",
				Related: []diag.Related{{Place: a.Place, Message: "the attribute is declared here"}},
			})
		}
	}
}

// labels checks that the type attribute tells the entities of a table apart.
func (b layoutBuilder) labels(t *model.Table) {
	first := map[string]*model.Entity{}
	for _, item := range t.Items {
		e := item.Entity
		other := first[e.TypeName()]
		if other == nil {
			first[e.TypeName()] = e
			continue
		}
		if t.Type == "" {
			continue
		}
		place := e.LabelPlace
		if e.Label == "" {
			place = other.LabelPlace
		}
		b.add(diag.Finding{
			Code: "F006", Place: place, Message: fmt.Sprintf("%s and %s are both %s in %s of table %s: give them different labels", other.Name, e.Name, e.TypeName(), t.Type, t.Name),
			Related: []diag.Related{{Place: other.Place, Message: other.Name + " is declared here"}},
		})
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
	is := func(e *entry, b *blockSpec, keys ...string) bool {
		return slices.Contains(keys, e.key.text) || e.unfit && slices.Contains(keys, meant(e, b))
	}
	raw := func(n *node, b *blockSpec) {
		for _, e := range n.entries {
			if is(e, b, "pk", "sk") {
				add(e.value)
			}
		}
	}
	raw(block, tableSpec)
	for _, e := range block.entries {
		if is(e, tableSpec, "indexes") {
			for _, index := range e.value.entries {
				raw(index.value, indexSpec)
			}
		}
	}
	return names
}

// computed reads the computed attributes of an item or guard.
func (b layoutBuilder) computed(t *model.Table, e *model.Entity, n *node, keys []string) []*model.Computed {
	var all []*model.Computed
	for _, attr := range n.fit() {
		if !slices.Contains(keys, attr.key.text) {
			if b.declared.again("key of "+t.Name+"."+attr.key.text, attr.key.place) {
				continue
			}
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
		parsed, err := model.ParseTemplate(template.text, e, t.Delimiter)
		if !b.syntax(template, err, e) {
			continue
		}
		b.delimited(template, parsed, t.Delimiter)
		parsed.Place = template.inner()
		c.Template = parsed
		c.When = b.when(e, when)
		all = append(all, c)
	}
	return all
}

// delimited checks that no value of an enum in a template contains the delimiter: where the
// value ends could not be told.
func (b layoutBuilder) delimited(n *node, t *model.Template, d model.Delimiter) {
	for _, part := range t.Parts {
		if _, sharded := part.Filter(model.Shard); !part.IsHole() || sharded {
			continue
		}
		for _, value := range part.Attribute.Type.Values {
			if strings.Contains(value, d.String()) {
				b.fail("F006", n.place, "%s can be %s, which contains the delimiter %s of the table: use another delimiter, or keep %s out of the key", part.Attribute.Name, value, d, part.Attribute.Name)
				return
			}
		}
	}
}
