package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// An attribute is an attribute of a generated entity.
type attribute struct {
	name, stored string
	base         string   // without its parameters: enum, list, struct, …
	written      string   // the type as it is written, without the question mark
	values       []string // of an enum
	optional     bool
	lifecycle    bool
	time         *attribute // of a ulid
	size         string
	most         string // the maximum number of elements
	kept         bool   // set by the design itself: a version or a counter
	sealed       bool
	keyOnly      bool // it exists only in the primary key
}

// An entity is a generated entity.
type entity struct {
	name       string
	attributes []*attribute
	id         []*attribute
	parent     *entity // whose id it has among its attributes
	version    *attribute
	ttl        *attribute
	unique     [][]*attribute
	counters   *node
	home       *table
	paths      []*path
	fixed      map[*attribute]bool // never changed
}

// A structType is a generated struct type.
type structType struct {
	name   string
	fields [][2]string
}

func (s *structType) written() *node {
	n := mapping(s.name)
	for _, f := range s.fields {
		n.add(scalar(f[0], f[1]))
	}
	return n
}

// An entityMaker generates entities and their struct types.
type entityMaker struct{ *draft }

func (m entityMaker) generateStructs() []*structType {
	var all []*structType
	for i := range m.IntN(3) {
		s := &structType{name: []string{"Address", "part"}[i]}
		for j := range 1 + m.IntN(3) {
			kind := pick(m, "string", "int", "number", "decimal", "bool", "bytes", "timestamp", "unixtime", "date", "json", "enum(A, b)", "list<int>", "set<string>", "map<decimal>", "ulid")
			if i > 0 && m.chance(30) {
				kind = pick(m, all[0].name, "list<"+all[0].name+">")
			}
			if m.chance(30) {
				kind += "?"
			}
			s.fields = append(s.fields, [2]string{[]string{"street", "type", "Zip"}[j], kind})
		}
		all = append(all, s)
	}
	return all
}

// namesOf maps types to names of attributes; some are difficult for generated code.
var namesOf = map[string][]string{
	"string": {"name", "email", "Title", "type", "note"}, "int": {"n", "count", "len", "level"}, "number": {"ratio", "Weight"},
	"decimal": {"price", "amount"}, "bool": {"open", "archived"}, "bytes": {"hash", "blob"}, "timestamp": {"at", "created_at", "time"},
	"unixtime": {"seen", "until"}, "date": {"day", "date"}, "week": {"week"}, "uuid": {"uid", "ref"}, "uuidv7": {"event_id"},
	"ulid": {"ulid", "thing_id"}, "geohash": {"cell"}, "json": {"data", "raw"}, "enum": {"status", "kind", "state"},
	"list": {"items", "list"}, "set": {"tags", "set"}, "map": {"map", "labels"}, "struct": {"address", "part"},
}

// ordinary lists the types of attributes, frequent ones several times.
var ordinary = []string{
	"string", "string", "string", "int", "int", "int", "number", "decimal", "bool", "bytes", "timestamp", "timestamp", "unixtime", "date", "week", "uuid",
	"uuidv7", "ulid", "geohash", "json", "enum", "enum", "enum", "list", "set", "map", "struct",
}

var asID = []string{"string", "string", "uuid", "ulid", "ulid", "uuidv7", "int", "int", "date", "timestamp", "geohash", "enum", "unixtime", "week"}

func (m entityMaker) generateEntity(i int) *entity {
	e := &entity{name: []string{"User", "Order", "item", "Log_Entry"}[i], fixed: map[*attribute]bool{}}
	if i > 0 && m.chance(70) {
		e.parent = m.entities[m.IntN(i)]
		m.inherit(e)
	}
	if len(e.id) == 0 || m.chance(75) {
		e.id = append(e.id, m.generateID(e, i))
		if m.chance(20) {
			e.id = append(e.id, m.generateAttribute(e, m.baseOfID()))
		}
	}
	for range 1 + m.IntN(6) {
		a := m.generateAttribute(e, pick(m, ordinary...))
		a.optional = m.chance(30)
	}
	m.generateKept(e)
	m.generateTime(e)
	m.generateUnique(e)
	m.seal(e)
	return e
}

// generateID returns an id attribute, usually named after the entity.
func (m entityMaker) generateID(e *entity, i int) *attribute {
	a := m.generateAttribute(e, m.baseOfID())
	if m.chance(80) {
		a.name = []string{"user_id", "order_id", "item_id", "log_id"}[i]
	}
	return a
}

// baseOfID returns a type for an id. Bytes cannot be part of a template.
func (m entityMaker) baseOfID() string {
	if !m.together && m.chance(10) {
		return pick(m, "bytes", "number", "decimal")
	}
	return pick(m, asID...)
}

// inherit gives an entity the id of its parent, as part of its own id or as an attribute.
func (m entityMaker) inherit(e *entity) {
	within := m.chance(60)
	optional := !within && m.chance(30)
	for _, a := range e.parent.id {
		own := *a
		own.optional, own.stored, own.time = optional, "", nil
		e.attributes = append(e.attributes, &own)
		if within {
			e.id = append(e.id, &own)
		}
	}
}

func (m entityMaker) generateAttribute(e *entity, base string) *attribute {
	if base == "struct" && len(m.structs) == 0 {
		base = "string"
	}
	a := &attribute{base: base, written: base}
	switch base {
	case "enum":
		a.values = pick(m, []string{"OPEN", "CLOSED"}, []string{"new", "old", "gone"}, []string{"A", "AB", "b"}, []string{"one"})
		a.written = "enum(" + strings.Join(a.values, ", ") + ")"
		a.lifecycle = m.chance(40)
	case "list":
		a.written = "list<" + pick(m, "string", "int", "ulid", "bytes", "timestamp", "bool", "list<int>", "map<string>", m.structName("string")) + ">"
	case "set":
		a.written = "set<" + pick(m, "string", "int", "ulid", "bytes", "timestamp", "decimal", "number", "enum(x, y)", "date") + ">"
	case "map":
		a.written = "map<" + pick(m, "string", "int", "decimal", "json", "list<string>", m.structName("unixtime")) + ">"
	case "struct":
		a.written = m.structName("")
	}
	a.name = freeName(e, namesOf[base])
	if m.chance(10) {
		a.stored = "_" + a.name[:1] + fmt.Sprint(len(e.attributes))
	}
	if m.chance(5) && slices.Contains([]string{"string", "bytes", "json"}, base) {
		a.size = pick(m, "20B", "100B", "1KB")
	}
	if slices.Contains([]string{"list", "set", "map"}, base) && m.chance(50) {
		a.most = pick(m, "7", "20")
	}
	e.attributes = append(e.attributes, a)
	return a
}

func (m entityMaker) structName(otherwise string) string {
	if len(m.structs) == 0 {
		return otherwise
	}
	return pick(m, m.structs...).name
}

func freeName(e *entity, names []string) string {
	for i := 0; ; i++ {
		name := names[i%len(names)]
		if i >= len(names) {
			name += fmt.Sprint(i / len(names))
		}
		if e.attribute(name) == nil {
			return name
		}
	}
}

func (e *entity) attribute(name string) *attribute {
	for _, a := range e.attributes {
		if a.name == name {
			return a
		}
	}
	return nil
}

// beside returns another entity in the same partition.
func (e *entity) beside() *entity {
	if e.parent == nil || e.parent.home != e.home {
		return nil
	}
	return e.parent
}

// inKey returns the name of the attribute in DynamoDB.
func (a *attribute) inKey() string {
	if a.stored != "" {
		return a.stored
	}
	return a.name
}

// generateKept adds a version and a time to live.
func (m entityMaker) generateKept(e *entity) {
	if m.chance(25) {
		e.version = &attribute{name: "version", base: "int", written: "int", kept: true}
		e.attributes = append(e.attributes, e.version)
	}
	if m.chance(20) {
		e.ttl = &attribute{name: "expires_at", base: "unixtime", written: "unixtime", optional: m.chance(50)}
		e.attributes = append(e.attributes, e.ttl)
	}
}

// generateTime sets the time attribute of some ids. Such a time never changes: a design cannot
// express that, but every order by the id relies on it.
func (m entityMaker) generateTime(e *entity) {
	for _, a := range e.attributes {
		if a.base != "ulid" && a.base != "uuidv7" || m.chance(60) {
			continue
		}
		for _, t := range e.attributes {
			if t.base == "timestamp" && !t.optional && !a.optional {
				a.time = t
				e.fixed[t], e.fixed[a] = true, true
				break
			}
		}
	}
}

func (m entityMaker) generateUnique(e *entity) {
	if !m.chance(25) {
		return
	}
	var fit []*attribute
	for _, a := range e.attributes {
		if !slices.Contains(e.id, a) && !a.kept && inText(a) && a.base != "bool" && a.base != "number" && a.base != "enum" {
			fit = append(fit, a)
		}
	}
	for range 1 + m.IntN(2) {
		chosen := some(m, fit, 1+m.IntN(5)/4)
		if len(chosen) > 0 && !slices.ContainsFunc(e.unique, func(u []*attribute) bool { return u[0] == chosen[0] }) {
			e.unique = append(e.unique, chosen)
		}
	}
}

// seal selects attributes to encrypt.
func (m entityMaker) seal(e *entity) {
	for _, a := range e.attributes {
		if slices.Contains(e.id, a) || a.kept || a == e.ttl || e.fixed[a] || gapSealedMany && isMany(a) {
			continue
		}
		if e.isUnique(a) {
			continue
		}
		a.sealed = m.chance(5)
	}
}

// isMany reports whether the attribute has several values.
func isMany(a *attribute) bool {
	return slices.Contains([]string{"list", "set", "map", "struct"}, a.base)
}

// isUnique reports whether the attribute is in a unique rule.
func (e *entity) isUnique(a *attribute) bool {
	return slices.ContainsFunc(e.unique, func(u []*attribute) bool { return slices.Contains(u, a) })
}

// inText reports whether the attribute can be part of a template.
func inText(a *attribute) bool {
	return !slices.Contains([]string{"json", "bytes", "list", "set", "map", "struct"}, a.base)
}

// generateCounters lets parents count their children.
func (m entityMaker) generateCounters() {
	for _, child := range m.entities {
		parent := child.parent
		if parent == nil || !m.chance(40) {
			continue
		}
		counter := mapping(fmt.Sprintf("total%d", len(parent.attributes)))
		a := &attribute{name: counter.key, base: "int", written: "int", kept: true}
		numbers := ofBase(child, "int", "decimal", "number")
		if len(numbers) > 0 && m.chance(40) {
			summed := pick(m, numbers...)
			a.base, a.written = summed.base, summed.base
			counter.add(scalar("sum", child.name+"."+summed.name))
		} else {
			counter.add(scalar("count", child.name))
		}
		if enums := ofBase(child, "enum", "bool"); len(enums) > 0 && m.chance(40) {
			e := pick(m, enums...)
			counter.add(mapping("where", scalar(e.name, m.constant(e))))
		}
		m.bound(counter)
		parent.attributes = append(parent.attributes, a)
		if parent.counters == nil {
			parent.counters = mapping("counters")
		}
		parent.counters.add(counter)
	}
}

// bound gives a counter bounds or shards.
func (m entityMaker) bound(counter *node) {
	if m.chance(25) {
		counter.add(scalar("min", pick(m, "0", "-5")))
	}
	if m.chance(25) {
		counter.add(scalar("max", pick(m, "10", "1000", "1000000")))
	}
	if len(counter.kids) == 1 && m.chance(30) {
		counter.add(scalar("shards", pick(m, "2", "4")))
	}
}

// ofBase returns the attributes of some types.
func ofBase(e *entity, bases ...string) []*attribute {
	var found []*attribute
	for _, a := range e.attributes {
		if slices.Contains(bases, a.base) && !a.kept && !a.sealed {
			found = append(found, a)
		}
	}
	return found
}
