package randomdesign

import "slices"

// writtenEntity returns an entity as YAML.
func (m entityMaker) writtenEntity(e *entity) *node {
	n := mapping(e.name)
	if len(e.id) == 1 {
		n.add(scalar("id", e.id[0].name))
	} else {
		n.add(words("id", attributeNames(e.id)...))
	}
	if m.chance(20) {
		n.add(scalar("label", "KIND_"+e.name))
	}
	attributes := mapping("attributes")
	for _, a := range e.attributes {
		attributes.add(a.node())
	}
	n.add(attributes)
	if e.version != nil {
		n.add(scalar("version", e.version.name))
	}
	if e.ttl != nil {
		n.add(scalar("ttl", e.ttl.name))
	}
	if e.counters != nil {
		n.add(e.counters)
	}
	if len(e.unique) > 0 {
		unique := sequence("unique")
		for _, u := range e.unique {
			if len(u) == 1 {
				unique.add(scalar("", u[0].name))
			} else {
				unique.add(words("", attributeNames(u)...))
			}
		}
		n.add(unique)
	}
	if sealed := sealedOf(e); len(sealed) > 0 {
		n.add(words("encrypt", attributeNames(sealed)...))
	}
	n.add(scalar("size", pick(m, "100B", "300B", "900B", "2KB")), scalar("count", "100"))
	if e.parent != nil && m.chance(50) {
		n.add(mapping("per", scalar(e.parent.id[0].name, "5")))
	}
	return n
}

func sealedOf(e *entity) []*attribute {
	return slices.DeleteFunc(slices.Clone(e.attributes), func(a *attribute) bool { return !a.sealed })
}

func (a *attribute) node() *node {
	kind := a.written
	if a.optional {
		kind += "?"
	}
	if a.stored == "" && a.time == nil && !a.lifecycle && a.size == "" && a.most == "" && !a.keyOnly {
		return scalar(a.name, kind)
	}
	n := mapping(a.name, scalar("type", kind))
	if a.time != nil {
		n.add(scalar("time", a.time.name))
	}
	switch {
	case a.keyOnly:
		n.add(scalar("in", "key"))
	case a.stored != "":
		n.add(scalar("name", a.stored))
	}
	if a.size != "" {
		n.add(scalar("size", a.size))
	}
	if a.most != "" {
		n.add(scalar("max", a.most))
	}
	if a.lifecycle {
		steps := mapping("lifecycle")
		for i, value := range a.values {
			steps.add(words(value, a.values[i+1:]...))
		}
		n.add(steps)
	}
	return n
}

func attributeNames(list []*attribute) []string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.name
	}
	return names
}
