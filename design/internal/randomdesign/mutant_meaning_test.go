package randomdesign

import (
	"fmt"
	"strings"
)

// Changes that know what a design means, so that the design still loads and later commands run on it.

// of returns a random child of a block of the design, or nil.
func (m *mutant) of(block string) *node {
	b := m.root.get(block)
	if b == nil || len(b.kids) == 0 {
		return nil
	}
	return b.kids[m.IntN(len(b.kids))]
}

// attribute returns the name of a random attribute of an entity, or of another one.
func (m *mutant) attribute(entity string) string {
	entities := m.root.get("entities")
	if entities == nil {
		return "id"
	}
	of := entities.get(entity)
	if of == nil || m.IntN(8) == 0 {
		of = m.of("entities")
	}
	if of == nil || of.get("attributes") == nil || len(of.get("attributes").kids) == 0 {
		return "id"
	}
	kids := of.get("attributes").kids
	return kids[m.IntN(len(kids))].key
}

// verbs are the verbs of patterns.
var patternVerbs = strings.Fields("get list collect scan create put update upsert delete")

// asked returns the name of an entity that a pattern is about, or "".
func asked(pattern *node) string {
	for _, verb := range patternVerbs {
		if n := pattern.get(verb); n != nil && n.isText {
			return n.value
		} else if n != nil && len(n.kids) > 0 {
			return n.kids[0].value
		}
	}
	return ""
}

// ask changes what a pattern asks for.
func (m *mutant) ask(_, _ *node) {
	p := m.of("patterns")
	if p == nil || p.isText {
		return
	}
	entity := asked(p)
	a, b := m.attribute(entity), m.attribute(entity)
	condition := func() *node {
		operand := []string{"$", "$x", "in $", "in $xs", "between $from and $to", "lt $", "gte $", "begins_with $", "1", "active", "2026-01-01T00:00:00.000Z", "!= $", "exists", "missing"}
		return scalar(a, operand[m.IntN(len(operand))])
	}
	into := func(key string, kid *node) {
		if at := p.get(key); at == nil || at.isText || m.IntN(3) == 0 {
			p.put(mapping(key, kid))
		} else {
			at.put(kid)
		}
	}
	switch m.IntN(14) {
	case 0, 1:
		p.put(scalar("order", a+[]string{" asc", " desc"}[m.IntN(2)]))
	case 2, 3:
		into("where", condition())
	case 4:
		into("filter", condition())
	case 5:
		p.put(words("select", a, b))
	case 6:
		p.put(scalar("limit", fmt.Sprint(m.IntN(3))))
	case 7:
		into("fanout", scalar(a, fmt.Sprint(m.IntN(4))))
	case 8:
		into("set", scalar(a, []string{"$", "1", b, "now"}[m.IntN(4)]))
	case 9:
		p.put(scalar("if", fmt.Sprintf("%s %s %s", a, []string{"=", "!=", "<", ">="}[m.IntN(4)], []string{b, "$x", "1"}[m.IntN(3)])))
	case 10:
		into("add", scalar(a, []string{"$", "1", "-1"}[m.IntN(3)]))
	case 11:
		p.put(words([]string{"patch", "remove", "set"}[m.IntN(3)], a, b))
	case 12:
		p.put(scalar([]string{"consistent", "returns", "hot", "segments"}[m.IntN(4)], []string{"true", "1", "0.5", "3"}[m.IntN(4)]))
	default:
		for _, verb := range patternVerbs {
			if n := p.get(verb); n != nil {
				n.key = patternVerbs[m.IntN(len(patternVerbs))]
				return
			}
		}
	}
}

// put adds a child in the place of the one with its key.
func (n *node) put(kid *node) {
	for i, old := range n.kids {
		if old.key == kid.key {
			n.kids[i] = kid
			return
		}
	}
	n.add(kid)
}

// gather turns a list into a collect, and changes the entities of a collect.
func (m *mutant) gather(_, _ *node) {
	p, other := m.of("patterns"), m.of("entities")
	if p == nil || other == nil {
		return
	}
	entity := asked(p)
	for i, kid := range p.kids {
		if kid.key == "list" || kid.key == "get" || kid.key == "collect" {
			p.kids[i] = words("collect", entity, other.key)
			if m.IntN(2) == 0 {
				p.kids[i] = words("collect", other.key, entity)
			}
		}
	}
	if m.IntN(2) == 0 {
		p.put(scalar("order", m.attribute([]string{entity, other.key}[m.IntN(2)])+" desc"))
	}
	m.neighbour(entity, other.key)
}

// neighbour gives an entity keys like those of another one, with a literal or an attribute of its own,
// so that both lie in one partition.
func (m *mutant) neighbour(entity, other string) {
	tables := m.root.get("tables")
	if tables == nil || m.IntN(3) == 0 {
		return
	}
	for _, table := range tables.kids {
		items := table.get("items")
		if items == nil || items.isList || items.get(entity) == nil || items.get(other) == nil {
			continue
		}
		like := items.get(entity).copied()
		like.key = other
		items.put(like)
		have := m.root.get("entities").get(other)
		theirs := m.root.get("entities").get(entity)
		if have == nil || theirs == nil || have.get("attributes") == nil || theirs.get("attributes") == nil {
			return
		}
		for _, a := range theirs.get("attributes").kids {
			if !have.get("attributes").has(a.key) && m.IntN(4) > 0 {
				have.get("attributes").add(a.copied())
			}
		}
		m.refillIn(like, other)
	}
}

// retype changes the type of an attribute.
func (m *mutant) retype(_, _ *node) {
	e := m.of("entities")
	if e == nil || e.get("attributes") == nil || len(e.get("attributes").kids) == 0 {
		return
	}
	kids := e.get("attributes").kids
	types := strings.Fields("string int number decimal bool bytes timestamp unixtime date week uuid uuidv7 ulid geohash json enum(a,b,c) list<string> set<string> set<int> map<int> map<string> int? string? ulid? timestamp?")
	a, typ := kids[m.IntN(len(kids))], types[m.IntN(len(types))]
	if a.isText {
		a.value = typ
	} else {
		a.put(scalar("type", typ))
	}
	if m.IntN(4) == 0 {
		b := kids[m.IntN(len(kids))]
		kids[m.IntN(len(kids))] = mapping(a.key, scalar("type", "ulid"), scalar("time", b.key))
	}
}

// refill changes a template of an item.
func (m *mutant) refill(_, _ *node) {
	table := m.of("tables")
	if table == nil || table.get("items") == nil || table.get("items").isList || len(table.get("items").kids) == 0 {
		return
	}
	items := table.get("items").kids
	item := items[m.IntN(len(items))]
	m.refillIn(item, item.key)
}

func (m *mutant) refillIn(item *node, entity string) {
	if len(item.kids) == 0 {
		return
	}
	key := item.kids[m.IntN(len(item.kids))]
	if !key.isText {
		return
	}
	hole := "{" + m.attribute(entity) + "}"
	if m.IntN(2) == 0 {
		hole = strings.TrimSuffix(hole, "}") + "|" + holeFilters[m.IntN(len(holeFilters))] + "}"
	}
	parts := strings.Split(key.value, "#")
	switch i := m.IntN(len(parts)); m.IntN(5) {
	case 0:
		parts = append(parts, hole)
	case 1:
		parts = parts[:i+1]
	case 2:
		parts[i] = strings.ToUpper(entity)
	default:
		parts[i] = hole
	}
	key.value = strings.Join(parts, "#")
}
