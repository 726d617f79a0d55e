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

// A hole is a placeholder of a key: an attribute and its filter.
type hole struct {
	*attribute
	filter string
}

func (h hole) String() string { return "{" + h.name + h.filter + "}" }

// isShard reports whether the placeholder has a shard filter.
func (h hole) isShard() bool { return strings.Contains(h.filter, "shard") }

// A path is the key of a table or an index for an entity.
type path struct {
	index    string // "": the table
	global   bool
	pk, sk   []hole
	when     []clause
	composed bool     // some of its keys are templates
	holds    []string // names of attributes besides keys; nil: all
}

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

// generateTables puts all entities into one table, or each into its own.
func (m *maker) generateTables() *node {
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

// options adds settings that are unrelated to keys.
func (m *maker) options(n *node, entities []*entity) {
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
func (m *maker) generateShared(entities []*entity) *node {
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
	if indexes := m.generateIndexes(t, entities, items); len(indexes.kids) > 0 {
		n.add(indexes)
	}
	n.add(items)
	if len(guards.kids) > 0 {
		n.add(guards)
	}
	return n
}

// generateKeys composes the primary key of an entity.
func (m *maker) generateKeys(e *entity, t *table) *node {
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
		p.pk = m.holes(e.id[:split])
	}
	if m.chance(15) && !sharesPK {
		p.pk = append(p.pk, hole{pick(m, e.id...), fmt.Sprintf("|shard %d", 2+m.IntN(4))})
	}
	n := mapping(e.name, scalar(t.pk, m.template(pkPrefix, p.pk)))
	if t.sk != "" {
		p.sk = m.sortHoles(e, p.pk)
		n.add(scalar(t.sk, m.template(prefix, p.sk)))
	}
	for _, h := range slices.Concat(p.pk, p.sk) {
		e.fixed[h.attribute] = true
		h.sealed = false
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

// sortHoles returns the ids that are not in the partition key, after an attribute to sort by.
func (m *maker) sortHoles(e *entity, pk []hole) []hole {
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
	return append(sk, m.holes(rest)...)
}

// whole returns a lossless filter that sorts.
func whole(a *attribute) string {
	switch a.base {
	case "int":
		return "|pad 12"
	case "unixtime":
		return "|pad 11"
	}
	return ""
}

// holes returns placeholders with lossless filters.
func (m *maker) holes(list []*attribute) []hole {
	var all []hole
	for _, a := range list {
		all = append(all, hole{a, whole(a)})
	}
	return all
}

// anyHoles returns placeholders with possibly lossy filters.
func (m *maker) anyHoles(list []*attribute) []hole {
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

func (m *maker) filter(a *attribute) string {
	f := ""
	switch a.base {
	case "string":
		f = pick(m, "", "|lower", "|upper", "|prefix 3", "|prefix 2|lower", "|lower|prefix 4")
	case "enum", "uuid":
		f = pick(m, "", "|lower", "|upper")
	case "geohash":
		f = pick(m, "|prefix 4", "|prefix 1", "|upper", "")
	case "int":
		f = pick(m, "", "|pad 12", "|pad 20")
	case "unixtime":
		f = pick(m, "|date", "|month", "|hour", "")
	case "timestamp", "ulid", "uuidv7":
		f = pick(m, "|date", "|month", "|hour")
	}
	if !strings.Contains(f, "pad") && m.chance(15) {
		f += fmt.Sprintf("|shard %d", 2+m.IntN(4))
	}
	return f
}

// template joins a literal and holes, mostly by #.
func (m *maker) template(prefix string, holes []hole) string {
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
	return strings.Join(parts, "#")
}

// generateGuards adds guard rows for unique values to the table.
func (m *maker) generateGuards(e *entity, t *table, guards *node) {
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
			text += "#" + h.String()
		}
		guard := mapping(e.name+"."+names, scalar(t.pk, text))
		if t.sk != "" {
			guard.add(scalar(t.sk, "GUARD"))
		}
		guards.add(guard)
	}
}

// generateOwn returns a table of one entity whose attributes are its keys.
func (m *maker) generateOwn(e *entity, i int) *node {
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
	if indexes := m.generateIndexes(t, []*entity{e}, items); len(indexes.kids) > 0 {
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

// natural returns the attributes that can be keys without a template.
func (m *maker) natural(e *entity, optional bool, except []*attribute) []*attribute {
	var fit []*attribute
	for _, a := range e.attributes {
		if (inText(a) && a.base != "bool" || a.base == "bytes") && (optional || !a.optional) && !a.kept && !m.sealedAnywhere(a.inKey()) && !slices.Contains(except, a) {
			fit = append(fit, a)
		}
	}
	return fit
}

// sealedAnywhere reports whether an attribute stored under a name is encrypted in any
// entity: in a shared table it would be in the same index.
func (m *maker) sealedAnywhere(stored string) bool {
	for _, e := range m.entities {
		if slices.ContainsFunc(e.attributes, func(a *attribute) bool { return a.sealed && a.inKey() == stored }) {
			return true
		}
	}
	return false
}
