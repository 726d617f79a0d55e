package randomdesign

import "slices"

// period returns a hole with the year, month, day or hour of an attribute whose ranges are divided
// by it; ok is false if the entity has no such attribute.
func (m keyMaker) period(e *entity) (h hole, ok bool) {
	fit := slices.DeleteFunc(ofBase(e, "timestamp", "unixtime"), func(a *attribute) bool { return a.optional || a.sealed || a.kept || a.keyOnly })
	if len(fit) == 0 {
		return hole{}, false
	}
	return hole{pick(m, fit...), pick(m, "|year", "|month", "|date", "|hour")}, true
}

// divide adds a period to the partition key of a path, and its time to the front of the sort key.
func (m keyMaker) divide(e *entity, p *path) {
	h, ok := m.period(e)
	if !ok || slices.ContainsFunc(p.pk, func(have hole) bool { return have.attribute == h.attribute }) {
		return
	}
	p.pk = append(p.pk, h)
	p.sk = slices.DeleteFunc(p.sk, func(have hole) bool { return have.attribute == h.attribute })
	p.sk = append([]hole{{h.attribute, whole(h.attribute)}}, p.sk...)
	p.divided = h.attribute
}

// span asks for a range of the time by which a path is divided, and states the number of periods.
func (m readMaker) span(p *path, where, fanout *node) {
	name := p.divided.name
	where.add(scalar(name, pick(m, "between $from and $to", "between $from and $to", "between "+m.constant(p.divided)+" and $to")))
	fanout.add(scalar(name, pick(m, "1", "2", "5", "40")))
}
