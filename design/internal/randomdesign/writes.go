package randomdesign

import (
	"fmt"
	"slices"
	"strings"
)

// A writeMaker generates patterns that write.
type writeMaker struct{ *patternMaker }

// generateWrites adds writes of one entity.
func (m writeMaker) generateWrites(e *entity, all *node) {
	if m.chance(80) {
		n := m.pattern("create", e.name)
		m.addFixed(e, n)
		m.addRequires(e, n, 20)
		all.add(m.done(n))
	}
	if m.chance(35) {
		n := m.pattern("put", e.name)
		m.addFixed(e, n)
		if m.chance(25) {
			m.addIf(e, n)
		}
		all.add(m.done(n))
	}
	for range m.IntN(4) {
		n := m.pattern("update", e.name)
		if m.addUpdate(e, n, "") {
			m.addRequires(e, n, 15)
			all.add(m.done(n))
		}
	}
	if m.chance(30) {
		if n := m.pattern("update", e.name); m.addPatch(e, n) {
			all.add(m.done(n))
		}
	}
	if m.chance(40) && len(e.unique) == 0 && !m.isCounted(e) {
		n := m.pattern("upsert", e.name)
		m.addUpsert(e, n, "")
		m.addRequires(e, n, 15)
		all.add(m.done(n))
	}
	if m.chance(60) {
		n := m.pattern("delete", e.name)
		n.add(e.whereKey(""))
		m.widen(e, n, 25)
		if m.chance(40) {
			m.addIf(e, n)
		}
		m.addRequires(e, n, 15)
		all.add(m.done(n))
	}
	if m.chance(45) {
		all.add(m.generateTransact(e))
	}
}

// whereKey returns a where with the primary key of one item.
func (e *entity) whereKey(suffix string) *node {
	where := mapping("where")
	for _, h := range slices.Concat(e.paths[0].pk, e.paths[0].sk) {
		if where.has(h.name) {
			continue
		}
		value := "$"
		if suffix != "" {
			value += h.name + suffix
		}
		where.add(scalar(h.name, value))
	}
	return where
}

// widen adds attributes of index keys to where, for writes that need their values.
func (m writeMaker) widen(e *entity, n *node, percent int) {
	where := n.get("where")
	for _, p := range e.paths[1:] {
		for _, h := range slices.Concat(p.pk, p.sk) {
			if !where.has(h.name) && !h.sealed && m.chance(percent) {
				where.add(scalar(h.name, pick(m, "$", "$old_"+h.name)))
			}
		}
	}
}

// addFixed sets some attributes to constants.
func (m writeMaker) addFixed(e *entity, n *node) {
	if !m.chance(25) {
		return
	}
	set := mapping("set")
	for _, a := range some(m, ofBase(e, "enum", "bool", "int", "string", "date", "decimal"), 1) {
		value := m.constant(a)
		if a.lifecycle {
			value = a.values[0]
		}
		if !e.fixed[a] {
			set.add(scalar(a.name, value))
		}
	}
	if len(set.kids) > 0 {
		n.add(set)
	}
}

// addUpdate changes some attributes; false if there is nothing to change.
func (m writeMaker) addUpdate(e *entity, n *node, suffix string) bool {
	n.add(e.whereKey(suffix))
	var free []*attribute
	for _, a := range e.attributes {
		if !e.fixed[a] && !a.kept && !slices.Contains(e.id, a) {
			free = append(free, a)
		}
	}
	set, add, remove, needs := mapping("set"), mapping("add"), mapping("remove"), []string(nil)
	grow := mapping("append")
	for _, a := range some(m, free, 1+m.IntN(3)) {
		switch {
		case a.base == "set" && !a.sealed && m.chance(60):
			pick(m, add, remove).add(scalar(a.name, pick(m, "$", "$part_"+a.name)))
		case a.base == "list" && !a.sealed && m.chance(60):
			grow.add(scalar(a.name, pick(m, "$", "$more_"+a.name)))
		case m.hasEntries(a) && m.chance(70):
			needs = append(needs, m.addEntry(a, set, add, remove)...)
		case a.optional && m.chance(35):
			remove.add(scalar(a.name, "all"))
		case slices.Contains([]string{"int", "number", "decimal", "unixtime"}, a.base) && !a.sealed && m.chance(50):
			add.add(scalar(a.name, pick(m, "1", "-1", "$", "$by")))
		case a.lifecycle && len(a.values) > 1 && m.chance(80):
			i := 1 + m.IntN(len(a.values)-1)
			set.add(scalar(a.name, a.values[i]))
			needs = append(needs, a.name+" = "+a.values[m.IntN(i)])
		case m.chance(25) && !a.sealed:
			set.add(scalar(a.name, m.constant(a)))
		default:
			set.add(scalar(a.name, pick(m, "$", "$", "$new_"+a.name)))
		}
	}
	for _, part := range []*node{set, add, grow, m.removal(remove)} {
		if len(part.kids) > 0 {
			n.add(part)
		}
	}
	if m.chance(60) {
		m.know(e, n, set)
	}
	m.addIf(e, n, needs...)
	return len(set.kids)+len(add.kids)+len(grow.kids)+len(remove.kids) > 0
}

// removal returns a remove as a list, if it can be one, or as a mapping.
func (m writeMaker) removal(parts *node) *node {
	list := sequence("remove")
	for _, part := range parts.kids {
		if part.value != "all" {
			return parts
		}
		list.add(scalar("", part.key))
	}
	if m.chance(20) {
		return parts
	}
	return list
}

// know adds the other attributes of the index keys that an update changes.
func (m writeMaker) know(e *entity, n, set *node) {
	where := n.get("where")
	for _, p := range e.paths[1:] {
		holes := slices.Concat(p.pk, p.sk)
		touched := slices.ContainsFunc(holes, func(h hole) bool { return set.has(h.name) })
		for _, h := range holes {
			if touched && !set.has(h.name) && !where.has(h.name) && !h.sealed {
				where.add(scalar(h.name, "$"))
			}
		}
	}
}

// addIf adds conditions besides the required ones.
func (m writeMaker) addIf(e *entity, n *node, clauses ...string) {
	for range m.IntN(5) / 2 {
		if c := m.generateIf(e); c != "" {
			clauses = append(clauses, c)
		}
	}
	if len(clauses) > 0 {
		n.add(scalar("if", strings.Join(append(clauses, m.alternatives(e)...), " and ")))
	}
}

// alternatives returns at most one group of clauses of which one must hold.
func (m *patternMaker) alternatives(e *entity) []string {
	if !m.chance(25) {
		return nil
	}
	var all []string
	for range 2 + m.IntN(2) {
		c := writeMaker{m}.generateIf(e)
		for _, a := range e.attributes { // a list or a set of the caller is no alternative
			if strings.HasPrefix(c, a.name+" ") && (a.base == "set" || strings.Contains(c, " in $")) {
				c = ""
			}
		}
		if c != "" {
			all = append(all, c)
		}
	}
	if len(all) < 2 {
		return nil
	}
	if len(all) == 3 && m.chance(50) {
		all = []string{all[0], "(" + all[1] + " and " + all[2] + ")"}
	}
	return []string{"(" + strings.Join(all, " or ") + ")"}
}

func (m writeMaker) generateIf(e *entity) string {
	a := pick(m, e.attributes...)
	if a.sealed || slices.Contains(e.id, a) {
		return ""
	}
	switch {
	case a.optional && m.chance(50):
		return a.name + pick(m, " exists", " missing")
	case len(a.values) > 1 && m.chance(30):
		return a.name + " in (" + strings.Join(a.values[:2], ", ") + ")"
	case m.chance(10) && ordered(a):
		return a.name + " in $some_" + a.name
	case m.chance(15):
		for _, b := range e.attributes {
			if b != a && b.base == a.base && a.base != "enum" && ordered(a) && !b.sealed {
				return a.name + pick(m, " = ", " != ", " < ", " >= ") + b.name
			}
		}
	}
	ops := []string{" = ", " != "}
	if ordered(a) {
		ops = append(ops, " < ", " <= ", " > ", " >= ")
	}
	value := "$was_" + a.name
	if c := m.constant(a); c != "$" && m.chance(60) {
		value = clauseValue(c)
	}
	return a.name + pick(m, ops...) + value
}

// addRequires adds a requirement on another item.
func (m writeMaker) addRequires(e *entity, n *node, percent int) {
	if !m.chance(percent) {
		return
	}
	other := pick(m, m.entities...)
	suffix := ""
	if other == e || m.chance(20) {
		suffix = "_other"
	}
	r := mapping("", scalar("entity", other.name), other.whereKey(suffix))
	switch m.IntN(5) {
	case 0:
		r.add(scalar("exists", "false"))
	case 1:
		r.add(scalar("consume", "true"))
	case 2:
		m.addChange(other, r)
	case 3:
		m.addIf(other, r)
	}
	n.add(sequence("requires", r))
}

func (m writeMaker) addChange(e *entity, r *node) {
	for _, a := range ofBase(e, "enum", "bool", "string", "int") {
		if e.fixed[a] || slices.Contains(e.id, a) {
			continue
		}
		r.add(mapping("change", scalar(a.name, pick(m, m.constant(a), "$changed"))))
		if m.chance(50) {
			m.addIf(e, r)
		}
		return
	}
}

// generateTransact writes several items at once.
func (m writeMaker) generateTransact(e *entity) *node {
	n := m.pattern("transact", "")
	steps := sequence("transact")
	for i := range 1 + m.IntN(3) {
		on := e
		if i > 0 {
			on = pick(m, m.entities...)
		}
		steps.add(m.generateStep(on, i))
	}
	n.add(steps)
	m.addRequires(e, n, 15)
	return m.done(n)
}

func (m writeMaker) generateStep(e *entity, i int) *node {
	verb := pick(m, "create", "create", "put", "update", "update", "delete", "check")
	if verb == "put" && len(e.unique) == 0 && !m.isCounted(e) && m.chance(50) {
		verb = "upsert"
	}
	n := mapping("", scalar(verb, e.name))
	suffix := ""
	if i > 0 && m.chance(50) {
		suffix = fmt.Sprintf("_%d", i)
	}
	switch verb {
	case "create", "put":
		m.addFixed(e, n)
	case "upsert":
		m.addUpsert(e, n, suffix)
	case "update":
		if !m.addUpdate(e, n, suffix) {
			n = mapping("", scalar("check", e.name), e.whereKey(suffix))
		}
	case "delete", "check":
		n.add(e.whereKey(suffix))
		m.addIf(e, n)
	}
	if m.chance(25) && !n.has("check") {
		n.add(scalar("each", pick(m, "2", "3", "5")))
	}
	return n
}
