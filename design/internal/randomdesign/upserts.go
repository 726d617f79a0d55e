package randomdesign

import (
	"slices"
	"strings"
)

// isCounted reports whether a counter counts an entity.
func (m writeMaker) isCounted(e *entity) bool {
	for _, owner := range m.entities {
		if owner.counters == nil {
			continue
		}
		for _, c := range owner.counters.kids {
			if of := c.get("count"); of != nil && of.value == e.name {
				return true
			}
			if of := c.get("sum"); of != nil && strings.HasPrefix(of.value, e.name+".") {
				return true
			}
		}
	}
	return false
}

// addUpsert gives an upsert the id of its item and a value of every required attribute.
func (m writeMaker) addUpsert(e *entity, n *node, suffix string) {
	where := e.whereKey(suffix)
	for _, a := range e.id {
		if !where.has(a.name) {
			where.add(scalar(a.name, "$"))
		}
	}
	n.add(where)
	set, initial, add, remove := mapping("set"), mapping("initial"), mapping("add"), sequence("remove")
	for _, a := range e.attributes {
		composes := slices.ContainsFunc(e.paths[1:], func(p *path) bool {
			return slices.ContainsFunc(slices.Concat(p.pk, p.sk), func(h hole) bool { return h.name == a.name })
		})
		switch {
		case where.has(a.name) || a == e.version:
		case a.kept:
			initial.add(scalar(a.name, "0"))
		case a.optional && !composes && m.chance(40):
			if m.chance(30) {
				remove.add(scalar("", a.name))
			}
		case a.base == "set" && !a.sealed && m.chance(50):
			add.add(scalar(a.name, "$"))
		case a.lifecycle:
			initial.add(scalar(a.name, a.values[0]))
		case composes && m.chance(90):
			set.add(scalar(a.name, "$"))
		case slices.Contains([]string{"int", "number", "decimal"}, a.base) && !a.sealed && m.chance(50):
			add.add(scalar(a.name, pick(m, "1", "$", "$by")))
		case m.chance(50):
			initial.add(scalar(a.name, pick(m, "$", "$first_"+a.name)))
		default:
			set.add(scalar(a.name, "$"))
		}
	}
	for _, part := range []*node{set, initial, add, remove} {
		if len(part.kids) > 0 {
			n.add(part)
		}
	}
	m.addIf(e, n)
}
