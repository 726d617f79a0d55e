package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// A hole is a placeholder of a key: an attribute and its filter.
type hole struct {
	*attribute
	filter string
}

func (h hole) String() string { return "{" + h.name + h.filter + "}" }

// isShard reports whether the placeholder has a shard filter.
func (h hole) isShard() bool { return strings.Contains(h.filter, "shard") }

// A clause compares an attribute with a constant, for when.
type clause struct {
	*attribute
	op, value string
}

func (c clause) String() string {
	if c.value == "" {
		return c.name + " " + c.op
	}
	return c.name + " " + c.op + " " + c.value
}

// A keyMaker generates the parts of keys.
type keyMaker struct{ *draft }

// sortHoles returns the ids that are not in the partition key, after an attribute to sort by.
func (m keyMaker) sortHoles(e *entity, pk []hole) []hole {
	var front []*attribute
	for _, a := range e.attributes {
		if !a.optional && inText(a) && !a.kept && a != e.ttl && !slices.Contains(e.id, a) {
			front = append(front, a)
		}
	}
	var sk []hole
	if m.chance(30) {
		sk = m.anyHoles(some(m, front, 1+m.IntN(2)))
	}
	var rest []*attribute
	for _, a := range e.id {
		if !slices.ContainsFunc(pk, func(h hole) bool { return h.attribute == a && h.filter == whole(a) }) {
			rest = append(rest, a)
		}
	}
	return append(sk, wholeHoles(rest)...)
}

// wholeHoles returns placeholders with lossless filters.
func wholeHoles(list []*attribute) []hole {
	var all []hole
	for _, a := range list {
		all = append(all, hole{a, whole(a)})
	}
	return all
}

// whole returns a lossless filter that sorts.
func whole(a *attribute) string {
	switch a.base {
	case "int":
		return "|pad 12"
	case "unixtime":
		return "|pad 11"
	case "string":
		if len(a.name)%2 == 0 { // some texts, and each of them in all keys
			return "|escape"
		}
	}
	return ""
}

// anyHoles returns placeholders with possibly lossy filters.
func (m keyMaker) anyHoles(list []*attribute) []hole {
	var all []hole
	for _, a := range list {
		filter := whole(a)
		if m.chance(45) {
			filter = m.filter(a)
		}
		all = append(all, hole{a, filter})
	}
	return all
}

func (m keyMaker) filter(a *attribute) string {
	f := ""
	switch a.base {
	case "string":
		f = pick(m, "", "|lower", "|upper", "|prefix 3", "|prefix 2|lower", "|lower|prefix 4", "|escape", "|lower|escape", "|prefix 3|escape")
	case "enum", "uuid":
		f = pick(m, "", "|lower", "|upper")
	case "geohash":
		f = pick(m, "|prefix 4", "|prefix 1", "|upper", "")
	case "int":
		f = pick(m, "", "|pad 12", "|pad 20")
	case "unixtime":
		f = pick(m, "|year", "|date", "|month", "|hour", "")
	case "timestamp", "ulid", "uuidv7":
		f = pick(m, "|year", "|date", "|month", "|hour")
	}
	if !strings.Contains(f, "pad") && !strings.Contains(f, "escape") && m.chance(15) {
		f += fmt.Sprintf("|shard %d", 2+m.IntN(4))
	}
	return f
}

// template joins a literal and holes, mostly by #.
func (m keyMaker) template(prefix string, holes []hole) string {
	parts := []string{prefix}
	if len(holes) > 0 && m.chance(10) {
		parts = nil
	}
	for i, h := range holes {
		if i > 0 && m.chance(15) {
			parts = append(parts, pick(m, "X", "by", "0"))
		}
		parts = append(parts, h.String())
	}
	if len(holes) > 0 && m.chance(5) {
		parts = append(parts, "END")
	}
	return strings.Join(parts, m.delimiter)
}

// natural returns the attributes that can be keys without a template.
func (m keyMaker) natural(e *entity, optional bool, except []*attribute) []*attribute {
	var fit []*attribute
	for _, a := range e.attributes {
		if (inText(a) && a.base != "bool" || a.base == "bytes") && (optional || !a.optional) && !a.kept && !a.keyOnly && !m.sealedAnywhere(a.inKey()) && !slices.Contains(except, a) {
			fit = append(fit, a)
		}
	}
	return fit
}

// textual returns the attributes that can be part of a template, optional ones rarely.
func (m keyMaker) textual(e *entity) []*attribute {
	var fit []*attribute
	for _, a := range e.attributes {
		if inText(a) && !a.kept && !a.sealed && (!a.optional || m.chance(40)) {
			fit = append(fit, a)
		}
	}
	return fit
}

// computed returns a computed key attribute, with or without a condition.
func (m keyMaker) computed(key, template string, e *entity, p *path) *node {
	if !m.chance(25) {
		return scalar(key, template)
	}
	c, ok := m.generateClause(e)
	if !ok {
		return scalar(key, template)
	}
	p.when = append(p.when, c)
	return mapping(key, scalar("value", template), scalar("when", c.String()))
}

// generateClause returns a comparison with a constant that a key can depend on.
func (m keyMaker) generateClause(e *entity) (clause, bool) {
	fit := ofBase(e, "enum", "enum", "bool", "int", "string", "date")
	if len(fit) == 0 {
		return clause{}, false
	}
	a := pick(m, fit...)
	if a.optional && m.chance(40) {
		return clause{a, pick(m, "exists", "missing"), ""}, true
	}
	op := "="
	if m.chance(25) {
		op = pick(m, "!=", "<", "<=", ">", ">=")
	}
	return clause{a, op, clauseValue(m.constant(a))}, true
}

// clauseValue returns a constant in the syntax of clauses.
func clauseValue(constant string) string {
	if strings.Contains(constant, " ") {
		return "'" + constant + "'"
	}
	return constant
}
