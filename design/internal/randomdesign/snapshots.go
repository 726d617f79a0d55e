package randomdesign

import "strconv"

// generateSnapshot reads several items at one moment: of the entity, of another, or two of one.
func (m readMaker) generateSnapshot(e *entity) *node {
	n := m.pattern("snapshot", "")
	parts := sequence("snapshot")
	for i := range 1 + m.IntN(3) {
		of, suffix := e, ""
		if i > 0 {
			of = pick(m, m.entities...)
			suffix = pick(m, "", "_of_"+strconv.Itoa(i))
		}
		part := mapping("", scalar("get", of.name), scalar("as", "part_"+strconv.Itoa(i)), of.whereKey(suffix))
		if m.chance(30) {
			part.add(words("select", attributeNames(some(m, of.attributes, 3))...))
		}
		parts.add(part)
	}
	n.add(parts)
	return m.done(n)
}
