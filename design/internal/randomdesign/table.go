package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// A table is a generated table.
type table struct {
	name   string
	pk, sk string
}

// A path is the key of a table or an index for an entity.
type path struct {
	index    string // "": the table
	global   bool
	pk, sk   []hole
	when     []clause
	composed bool       // some of its keys are templates
	holds    []string   // names of attributes besides keys; nil: all
	divided  *attribute // the time of which the partition key has a period and the sort key begins with; nil: none
}

// A tableMaker generates tables with the primary keys of their items.
type tableMaker struct{ keyMaker }

// generateTables puts all entities into one table, or each into its own.
func (m tableMaker) generateTables() *node {
	tables := mapping("tables")
	if m.together {
		tables.add(m.generateShared(m.entities))
		return tables
	}
	for i, e := range m.entities {
		if !fitsKey(e) || m.chance(25) && inText(e.id[0]) {
			tables.add(m.generateShared([]*entity{e}))
			tables.kids[i].key += fmt.Sprint(i)
			continue
		}
		tables.add(m.generateOwn(e, i))
	}
	return tables
}

// fitsKey reports whether the id of an entity can be a key without a template.
func fitsKey(e *entity) bool { return len(e.id) <= 2 }

// options adds settings, among them the delimiter of the keys.
func (m tableMaker) options(n *node, entities []*entity) {
	m.delimiter = "#"
	if m.chance(20) {
		m.delimiter = pick(m, ":", "|", "/", "_")
		n.add(scalar("delimiter", m.delimiter))
	}
	if m.chance(30) {
		n.add(scalar("type", pick(m, "EntityType", "kind_of")))
	}
	if m.chance(20) {
		n.add(scalar("stream", pick(m, "keys_only", "new_image", "old_image", "new_and_old_images")))
	}
	if m.chance(20) {
		n.add(pick(m, scalar("billing", "provisioned"), mapping("billing", scalar("mode", "provisioned"), scalar("rcu", "50"), scalar("wcu", "50"))))
	}
	for _, e := range entities {
		if e.ttl != nil {
			n.add(scalar("ttl", e.ttl.name))
			return
		}
	}
}

// generateShared returns a table whose keys are templates.
func (m tableMaker) generateShared(entities []*entity) *node {
	t := &table{name: "app", pk: "PK", sk: "SK"}
	if m.chance(12) {
		t.sk = ""
	}
	n := mapping(t.name, scalar("pk", t.pk))
	if t.sk != "" {
		n.add(scalar("sk", t.sk))
	}
	m.options(n, entities)
	items, guards := mapping("items"), mapping("guards")
	for _, e := range entities {
		e.home = t
		items.add(m.generateKeys(e, t))
		m.generateGuards(e, t, guards)
	}
	if indexes := indexMaker(m).generateIndexes(t, entities, items); len(indexes.kids) > 0 {
		n.add(indexes)
	}
	n.add(items)
	if len(guards.kids) > 0 {
		n.add(guards)
	}
	return n
}

// generateKeys composes the primary key of an entity.
func (m tableMaker) generateKeys(e *entity, t *table) *node {
	prefix := strings.ToUpper(e.name)
	p := &path{composed: true}
	e.paths = append(e.paths, p)
	sharesPK := e.parent != nil && e.parent.home == t && t.sk != "" && m.chance(60)
	split := 1 + m.IntN(len(e.id))
	if t.sk == "" {
		split = len(e.id)
	}
	pkPrefix := prefix
	if sharesPK {
		pkPrefix = strings.ToUpper(e.parent.name)
		p.pk = sameHoles(e, e.parent.paths[0].pk)
	}
	if len(p.pk) == 0 {
		pkPrefix = prefix
		p.pk = wholeHoles(e.id[:split])
	}
	if m.chance(15) && !sharesPK {
		p.pk = append(p.pk, hole{pick(m, e.id...), fmt.Sprintf("|shard %d", 2+m.IntN(4))})
	}
	n := mapping(e.name, scalar(t.pk, m.template(pkPrefix, p.pk)))
	if t.sk != "" {
		p.sk = m.sortHoles(e, p.pk)
		n.add(scalar(t.sk, m.template(prefix, p.sk)))
	}
	keyOnly := m.chance(20)
	for _, h := range slices.Concat(p.pk, p.sk) {
		e.fixed[h.attribute] = true
		h.sealed = false
		if keyOnly && h.filter == whole(h.attribute) && !h.optional && !h.lifecycle && h.attribute != e.ttl {
			h.keyOnly = true
		}
	}
	return n
}

// sameHoles returns the placeholders of a parent's key with the attributes of the child, or
// none.
func sameHoles(e *entity, of []hole) []hole {
	var same []hole
	for _, h := range of {
		own := e.attribute(h.name)
		if own == nil || own.optional || own.base != h.base {
			return nil
		}
		same = append(same, hole{own, h.filter})
	}
	return same
}

// generateGuards adds guard rows for unique values to the table.
func (m tableMaker) generateGuards(e *entity, t *table, guards *node) {
	for _, u := range e.unique {
		var holes []hole
		for _, a := range u {
			filter := ""
			if a.base == "string" && m.chance(40) {
				filter = "|lower"
			}
			holes = append(holes, hole{a, filter})
		}
		names := strings.Join(attributeNames(u), "+")
		text := "G" + strings.ToUpper(e.name)
		for _, h := range holes {
			text += m.delimiter + h.String()
		}
		guard := mapping(e.name+"."+names, scalar(t.pk, text))
		if t.sk != "" {
			guard.add(scalar(t.sk, "GUARD"))
		}
		guards.add(guard)
	}
}

// generateOwn returns a table of one entity whose attributes are its keys.
func (m tableMaker) generateOwn(e *entity, i int) *node {
	t := &table{name: fmt.Sprintf("table.%d", i), pk: e.id[0].inKey()}
	p := &path{pk: []hole{{e.id[0], ""}}}
	switch {
	case len(e.id) == 2:
		t.sk = e.id[1].inKey()
		p.sk = []hole{{e.id[1], ""}}
	case m.chance(30):
		if sorts := m.natural(e, false, e.id); len(sorts) > 0 {
			a := pick(m, sorts...)
			t.sk, p.sk = a.inKey(), []hole{{a, ""}}
		}
	}
	e.home, e.paths = t, append(e.paths, p)
	for _, h := range slices.Concat(p.pk, p.sk) {
		e.fixed[h.attribute] = true
		h.sealed = false
	}
	n := mapping(t.name, scalar("pk", t.pk))
	if t.sk != "" {
		n.add(scalar("sk", t.sk))
	}
	m.options(n, []*entity{e})
	items, guards := mapping("items", mapping(e.name)), mapping("guards")
	if e.id[0].base == "string" {
		m.generateGuards(e, t, guards)
	}
	if indexes := indexMaker(m).generateIndexes(t, []*entity{e}, items); len(indexes.kids) > 0 {
		n.add(indexes)
	}
	if len(items.kids[0].kids) == 0 {
		items = words("items", e.name)
	}
	n.add(items)
	if len(guards.kids) > 0 {
		n.add(guards)
	}
	return n
}
