package randomdesign

import "slices"

// addPatch lets an update set some attributes only if they are given; false if there are none
// that can be left out.
func (m writeMaker) addPatch(e *entity, n *node) bool {
	n.add(e.whereKey(""))
	var free []*attribute
	for _, a := range e.attributes {
		if m.mayPatch(e, a) {
			free = append(free, a)
		}
	}
	patch := sequence("patch")
	for _, a := range some(m, free, 1+m.IntN(4)) {
		patch.add(scalar("", a.name))
	}
	if len(patch.kids) == 0 {
		return false
	}
	n.add(patch)
	m.addIf(e, n)
	return true
}

// mayPatch reports whether nothing has to know whether an attribute changes: it is in no key that
// is composed, and in no rule.
func (m writeMaker) mayPatch(e *entity, a *attribute) bool {
	if e.fixed[a] || a.kept || a.lifecycle || slices.Contains(e.id, a) || e.isUnique(a) || m.isCounted(e) {
		return false
	}
	return !slices.ContainsFunc(e.paths, func(p *path) bool {
		inKey := slices.ContainsFunc(slices.Concat(p.pk, p.sk), func(h hole) bool { return h.attribute == a })
		decides := slices.ContainsFunc(p.when, func(c clause) bool { return c.attribute == a })
		return decides || inKey && (p.composed || p.index == "")
	})
}
