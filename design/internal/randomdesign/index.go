package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// An indexMaker generates the indexes of a table.
type indexMaker struct{ keyMaker }

// generateIndexes adds indexes to a table, and their keys to its items.
func (m indexMaker) generateIndexes(t *table, entities []*entity, items *node) *node {
	indexes := mapping("indexes")
	for i := range m.IntN(4) {
		name := fmt.Sprintf("by_%d", i)
		var n *node
		switch kind := m.IntN(10); {
		case kind < 2 && t.sk != "":
			n = m.generateLocal(name, i, entities, items)
		case kind < 5:
			n = m.generateNatural(name, pick(m, entities...))
		default:
			n = m.generateComposed(name, i, entities, items)
		}
		if n != nil {
			indexes.add(n)
		}
	}
	return indexes
}

// generateLocal returns a local index, by an attribute or a template.
func (m indexMaker) generateLocal(name string, i int, entities []*entity, items *node) *node {
	e := pick(m, entities...)
	n := mapping(name, scalar("local", "true"))
	p := &path{index: name, pk: e.paths[0].pk, composed: e.paths[0].composed}
	if m.chance(50) {
		sorts := m.natural(e, true, e.id)
		if len(sorts) == 0 {
			return nil
		}
		a := pick(m, sorts...)
		p.sk = []hole{{a, ""}}
		n.add(scalar("sk", a.inKey()))
	} else {
		p.sk = m.anyHoles(some(m, m.textual(e), 1+m.IntN(2)))
		p.composed = true
		key := fmt.Sprintf("L%d", i)
		n.add(scalar("sk", key))
		items.get(e.name).add(m.computed(key, m.template("L", p.sk), e, p))
	}
	m.project(n, p, e)
	e.paths = append(e.paths, p)
	return n
}

// generateNatural returns a global index whose keys are attributes.
func (m indexMaker) generateNatural(name string, e *entity) *node {
	fit := m.natural(e, true, nil)
	pk := some(m, fit, 1+m.IntN(5)/3)
	if len(pk) == 0 {
		return nil
	}
	sk := some(m, slices.DeleteFunc(slices.Clone(fit), func(a *attribute) bool { return slices.Contains(pk, a) }), m.IntN(4))
	p := &path{index: name, global: true}
	n := mapping(name, storedNames("pk", pk))
	for _, a := range pk {
		p.pk = append(p.pk, hole{a, ""})
	}
	if len(sk) > 0 {
		m.Shuffle(len(sk), func(i, j int) { sk[i], sk[j] = sk[j], sk[i] })
		n.add(storedNames("sk", sk))
		for _, a := range sk {
			p.sk = append(p.sk, hole{a, ""})
		}
	}
	m.project(n, p, e)
	e.paths = append(e.paths, p)
	return n
}

func storedNames(key string, list []*attribute) *node {
	if len(list) == 1 {
		return scalar(key, list[0].inKey())
	}
	n := sequence(key)
	for _, a := range list {
		n.add(scalar("", a.inKey()))
	}
	return n
}

// generateComposed returns a global index whose keys are templates, of one or more entities.
func (m indexMaker) generateComposed(name string, i int, entities []*entity, items *node) *node {
	pk, sk := fmt.Sprintf("G%dPK", i), fmt.Sprintf("G%dSK", i)
	n := mapping(name, scalar("pk", pk))
	hasSK := m.chance(80)
	if hasSK {
		n.add(scalar("sk", sk))
	}
	shared := m.chance(30)
	var last *path
	for _, e := range some(m, entities, 1+m.IntN(2)) {
		p := &path{index: name, global: true, composed: true}
		fit := m.textual(e)
		p.pk = m.anyHoles(some(m, fit, m.IntN(5)/2))
		prefix := strings.ToUpper(e.name[:2])
		if shared {
			prefix = "ALL"
		}
		if hasSK {
			m.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
			p.sk = m.anyHoles(fit[:min(len(fit), m.IntN(4))])
			if m.chance(25) {
				m.divide(e, p)
			}
		}
		items.get(e.name).add(m.computed(pk, m.template(prefix, p.pk), e, p))
		if hasSK {
			items.get(e.name).add(m.computed(sk, m.template(strings.ToUpper(e.name[:2]), p.sk), e, p))
		}
		m.project(n, p, e)
		if last != nil {
			p.holds = last.holds
		}
		last = p
		e.paths = append(e.paths, p)
	}
	return n
}

// project sets the projection of an index once.
func (m indexMaker) project(n *node, p *path, e *entity) {
	if n.has("project") {
		return
	}
	switch m.IntN(6) {
	case 0:
		n.add(scalar("project", "keys"))
		p.holds = []string{}
	case 1:
		n.add(scalar("project", "all"))
	case 2:
		keys := slices.Concat(p.pk, p.sk, e.paths[0].pk, e.paths[0].sk)
		list := sequence("project")
		p.holds = []string{}
		for _, a := range some(m, e.attributes, 3) {
			if !slices.ContainsFunc(keys, func(h hole) bool { return h.attribute == a }) {
				list.add(scalar("", a.inKey()))
				p.holds = append(p.holds, a.name)
			}
		}
		if len(list.kids) > 0 {
			n.add(list)
		}
	}
}
