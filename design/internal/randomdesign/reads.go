package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// A readMaker generates patterns that read.
type readMaker struct{ *patternMaker }

// generateRead returns a get or a list through a path.
func (m readMaker) generateRead(e *entity, p *path) *node {
	where, fanout := mapping("where"), mapping("fanout")
	divided := p.divided != nil && m.chance(70)
	if divided {
		m.span(p, where, fanout)
	}
	fanned := m.bindPartition(p, where)
	for _, c := range p.when {
		if c.op == "=" && !where.has(c.name) {
			where.add(scalar(c.name, strings.Trim(c.value, "'")))
		}
	}
	if !divided && m.chance(35) {
		return m.generateGet(e, p, where)
	}
	next := 0
	if !divided {
		next = m.bindSort(p, where)
	}
	n := m.pattern("list", e.name)
	if len(where.kids) > 0 {
		n.add(where)
	}
	if next < len(p.sk) && m.chance(50) {
		n.add(scalar("order", p.sk[next].name+pick(m, " asc", " desc")))
	}
	if fanned != "" && m.chance(80) {
		fanout.add(scalar(fanned, "3"))
	}
	if len(fanout.kids) > 0 {
		n.add(fanout)
	}
	if m.chance(30) {
		m.addFilter(e, p, where, n)
	}
	m.addSelect(e, p, n)
	if m.chance(30) {
		n.add(scalar("limit", pick(m, "1", "3", "20")))
	}
	if !p.global && m.chance(20) {
		n.add(scalar("consistent", "true"))
	}
	return m.done(n)
}

// bindPartition binds every attribute of the partition key. It returns the name of one with
// several values.
func (m readMaker) bindPartition(p *path, where *node) (fanned string) {
	for _, h := range p.pk {
		switch {
		case where.has(h.name) || h.isShard() && m.chance(60):
		case fanned == "" && m.chance(12):
			fanned = h.name
			where.add(m.several(h.attribute))
		case h.base == "enum" && m.chance(50):
			where.add(scalar(h.name, m.constant(h.attribute)))
		case m.chance(10):
			where.add(scalar(h.name, "$of_"+h.name))
		default:
			where.add(scalar(h.name, "$"))
		}
	}
	return fanned
}

// bindSort binds a prefix of the sort key, possibly with a range. It returns the index of the
// first unbound part.
func (m readMaker) bindSort(p *path, where *node) int {
	next := 0
	for ; next < len(p.sk) && m.chance(45); next++ {
		if h := p.sk[next]; !where.has(h.name) {
			where.add(scalar(h.name, "$"))
		}
	}
	for next < len(p.sk) && where.has(p.sk[next].name) {
		next++
	}
	if next < len(p.sk) && m.chance(50) {
		where.add(scalar(p.sk[next].name, m.condition(p.sk[next].attribute, true)))
	}
	return next
}

func ordered(a *attribute) bool {
	return !slices.Contains([]string{"bool", "json", "list", "set", "map", "struct"}, a.base)
}

func text(a *attribute) bool {
	return slices.Contains([]string{"string", "timestamp", "date", "week", "uuid", "uuidv7", "ulid", "geohash", "bytes"}, a.base)
}

// generateGet binds the whole key and the id, and maybe more.
func (m readMaker) generateGet(e *entity, p *path, where *node) *node {
	n := m.pattern("get", e.name)
	for _, h := range p.sk {
		if !where.has(h.name) {
			where.add(scalar(h.name, "$"))
		}
	}
	for _, a := range e.id {
		if !where.has(a.name) && !m.chance(5) {
			where.add(scalar(a.name, "$"))
		}
	}
	if a := pick(m, e.attributes...); m.chance(25) && !where.has(a.name) && (inText(a) || a.base == "bytes") && !a.sealed {
		where.add(scalar(a.name, pick(m, "$", m.constant(a))))
	}
	n.add(where)
	m.addSelect(e, p, n)
	if !p.global && m.chance(30) {
		n.add(scalar("consistent", "true"))
	}
	return m.done(n)
}

func (p *path) has(e *entity, a *attribute) bool {
	if p.holds == nil || slices.Contains(p.holds, a.name) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(p.pk, p.sk, e.paths[0].pk, e.paths[0].sk), func(h hole) bool {
		return h.attribute == a && (h.filter == "" || h.filter == whole(a))
	})
}

// held returns the attributes that a path projects.
func (p *path) held(e *entity) []*attribute {
	return slices.DeleteFunc(slices.Clone(e.attributes), func(a *attribute) bool { return !p.has(e, a) })
}

func (m readMaker) addFilter(e *entity, p *path, where, n *node) {
	if p.holds == nil && len(p.pk) == 0 && m.chance(30) { // of a scan, which may filter by any attribute
		if either := m.alternatives(e); either != nil {
			n.add(scalar("filter", either[0]))
			return
		}
	}
	filter := mapping("filter")
	for _, a := range some(m, p.held(e), 1+m.IntN(2)) {
		primary := slices.ContainsFunc(slices.Concat(p.pk, p.sk), func(h hole) bool { return h.attribute == a })
		if where.has(a.name) || a.sealed || primary {
			continue
		}
		switch {
		case ordered(a) && m.chance(25):
			filter.add(m.several(a))
		default:
			filter.add(scalar(a.name, m.condition(a, false)))
		}
	}
	if len(filter.kids) > 0 {
		n.add(filter)
	}
}

// addSelect adds select, always if the index does not project all attributes.
func (m readMaker) addSelect(e *entity, p *path, n *node) {
	if p.holds == nil && !m.chance(25) {
		return
	}
	held := p.held(e)
	chosen := some(m, held, 1+m.IntN(4))
	switch {
	case len(chosen) == 0:
	case m.chance(30):
		name := fmt.Sprintf("View%d", len(m.views)+1)
		m.views = append(m.views, words(name, attributeNames(chosen)...))
		n.add(pick(m, scalar("select", name), words("select", name)))
	default:
		n.add(words("select", attributeNames(chosen)...))
	}
}

// generateScan returns a scan, or a list of which no key serves the condition.
func (m readMaker) generateScan(e *entity) *node {
	n, where := m.pattern("scan", e.name), mapping("where")
	if a := pick(m, e.attributes...); m.chance(40) && ordered(a) && !a.sealed && !m.keyed(e, a) {
		n = m.pattern("list", e.name)
		where.add(scalar(a.name, m.condition(a, false)))
		n.add(where, mapping("accept", scalar("C301", "there are few")))
	} else if m.chance(30) {
		n.add(scalar("segments", pick(m, "2", "5")))
	}
	if m.chance(40) {
		m.addFilter(e, &path{}, where, n)
	}
	if m.chance(30) {
		n.add(scalar("limit", pick(m, "1", "4")))
	}
	if m.chance(25) {
		n.add(scalar("consistent", "true"))
	}
	m.addSelect(e, &path{}, n)
	return m.done(n)
}

// keyed reports whether a key of the entity holds an attribute.
func (m readMaker) keyed(e *entity, a *attribute) bool {
	return slices.ContainsFunc(e.paths, func(p *path) bool {
		return slices.ContainsFunc(slices.Concat(p.pk, p.sk), func(h hole) bool { return h.attribute == a })
	})
}

// generateCollect reads two entities of one partition.
func (m readMaker) generateCollect(e, other *entity) *node {
	n := m.pattern("collect", "")
	n.add(words("collect", other.name, e.name))
	where := mapping("where")
	for _, h := range other.paths[0].pk {
		if !where.has(h.name) {
			where.add(scalar(h.name, "$"))
		}
	}
	n.add(where)
	if m.chance(25) {
		n.add(scalar("consistent", "true"))
	}
	if m.chance(20) {
		n.add(scalar("limit", "5"))
	}
	if m.chance(20) {
		n.add(words("select", attributeNames(some(m, e.attributes, 3))...))
	}
	return m.done(n)
}
