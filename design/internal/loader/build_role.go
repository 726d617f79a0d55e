package loader

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// A roleBuilder builds the roles of a design, whose patterns and entities are already built.
type roleBuilder struct {
	*reader
	design *model.Design
}

func (b roleBuilder) all(n *node) []*model.Role {
	var all []*model.Role
	for _, e := range n.fit() {
		r := &model.Role{Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str()}
		b.about("role "+r.Name, func() {
			if !e.value.flawed && b.whole(func() { b.role(r, e.value) }) {
				all = append(all, r)
				return
			}
			b.declared.broken["role "+r.Name] = true
		})
	}
	return all
}

func (b roleBuilder) role(r *model.Role, block *node) {
	allowed := block.get("patterns")
	if allowed.str() == "all" && allowed.kind == scalar {
		r.Patterns = slices.Clone(b.design.Patterns)
	}
	for _, item := range allowed.list() {
		p := b.declared.pattern(item)
		switch {
		case p == nil:
		case slices.Contains(r.Patterns, p):
			b.fail("F006", item.place, "%s is listed twice", p.Name)
		default:
			r.Patterns = append(r.Patterns, p)
		}
	}
	for _, e := range block.get("bind").fit() {
		if !b.declares(e.key.text) {
			var names []string
			for _, entity := range b.design.Entities {
				names = append(names, attributeNames(entity)...)
			}
			b.fail("F007", e.key.place, "no entity has an attribute %s%s", shown(e.key.text), b.found.didYouMean(e.key.text, names))
			continue
		}
		r.Bind = append(r.Bind, model.Binding{Attribute: e.key.text, Caller: e.value.text, Place: e.key.place})
	}
}

// declares reports whether any entity declares an attribute of that name.
func (b roleBuilder) declares(name string) bool {
	for _, e := range b.design.Entities {
		if e.Attribute(name) != nil || b.declared.broken[e.Name+"."+name] {
			return true
		}
	}
	return false
}
