package randomdesign

import (
	"fmt"
	"strings"
)

// A patternMaker generates the patterns of a design.
type patternMaker struct {
	*draft
	patterns int // generated so far, for names
}

// generatePatterns generates reads and writes of every entity.
func (m *patternMaker) generatePatterns() *node {
	all := mapping("patterns")
	for _, e := range m.entities {
		for _, p := range e.paths {
			for range 1 + m.IntN(2) {
				all.add(readMaker{m}.generateRead(e, p))
			}
		}
		if other := e.beside(); other != nil && m.chance(60) {
			all.add(readMaker{m}.generateCollect(e, other))
		}
		if m.chance(40) {
			all.add(readMaker{m}.generateScan(e))
		}
		writeMaker{m}.generateWrites(e, all)
		if m.chance(30) {
			all.add(readMaker{m}.generateSnapshot(e))
		}
	}
	return all
}

// pattern returns a pattern with a unique name.
func (m *patternMaker) pattern(verb, entity string) *node {
	m.patterns++
	name := fmt.Sprintf("%s%sP%d", strings.ToUpper(verb[:1])+verb[1:], strings.ReplaceAll(entity, "_", ""), m.patterns)
	n := mapping(name)
	if entity != "" {
		n.add(scalar(verb, entity))
	}
	return n
}

// done adds the keys that every pattern has.
func (m *patternMaker) done(n *node) *node {
	n.add(scalar("rate", pick(m, "1/day", "10/hour", "1/s")))
	return n
}

// several returns a condition with several values.
func (m *patternMaker) several(a *attribute) *node {
	if len(a.values) > 1 && m.chance(60) {
		if m.chance(50) {
			return words(a.name, a.values[:2]...)
		}
		return scalar(a.name, "in ("+strings.Join(a.values[:2], ", ")+")")
	}
	if m.chance(25) {
		return scalar(a.name, fmt.Sprintf("in ($%s_1, $%s_2)", a.name, a.name))
	}
	return scalar(a.name, "in $"+pick(m, "", "many_"+a.name))
}

// condition returns a comparison of an attribute for where or filter.
func (m *patternMaker) condition(a *attribute, ranges bool) string {
	value := "$" + pick(m, "", "", a.name+"_x")
	if c := m.constant(a); c != "$" && m.chance(25) {
		value = clauseValue(c)
	}
	if !ordered(a) {
		return strings.Trim(value, "'")
	}
	forms := []string{"lt ", "lte ", "gt ", "gte "}
	if text(a) {
		forms = append(forms, "begins_with ")
	}
	switch {
	case m.chance(25):
		return fmt.Sprintf("between $%s_from and $%s_to", a.name, a.name)
	case ranges || m.chance(60):
		return pick(m, forms...) + value
	}
	return strings.Trim(value, "'")
}
