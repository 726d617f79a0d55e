package loader

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// declarations holds the declared names of a design and resolves references to them.
type declarations struct {
	*reporter
	structs  map[string]*model.Struct
	entities map[string]*model.Entity
	patterns map[string]*model.Pattern
	named    map[string]*model.NamedProjection
	indexed  map[*model.Entity]map[string]*model.Attribute // attributes by name, of entities with many

	usedEntities map[string]*model.Entity  // of used designs, by qualified name
	usedPatterns map[string]*model.Pattern // of used designs, by qualified name
	usedRoles    []*node                   // roles that uses name

	told   map[string]diag.Place // undeclared names that were reported, and where
	broken map[string]bool       // names that are in the file but could not be parsed: "entity User", "User.email"
}

func newDeclarations(r *reporter) *declarations {
	return &declarations{
		reporter: r,
		structs:  map[string]*model.Struct{},
		entities: map[string]*model.Entity{},
		patterns: map[string]*model.Pattern{},
		named:    map[string]*model.NamedProjection{},
		indexed:  map[*model.Entity]map[string]*model.Attribute{},
		told:     map[string]diag.Place{},
		broken:   map[string]bool{},

		usedEntities: map[string]*model.Entity{},
		usedPatterns: map[string]*model.Pattern{},
	}
}

// entity returns the entity a node names.
func (d *declarations) entity(n *node) *model.Entity {
	if n == nil {
		d.failed = true
		return nil
	}
	return d.entityNamed(n, n.text)
}

// entityNamed returns the entity of that name, which is the text of a node or a part of it.
func (d *declarations) entityNamed(n *node, name string) *model.Entity {
	e := d.entities[name]
	if e == nil {
		d.unknown(n, "entity", name, slices.Sorted(maps.Keys(d.entities)))
	}
	return e
}

// pattern returns the pattern a node names.
func (d *declarations) pattern(n *node) *model.Pattern {
	p := d.patterns[n.text]
	if p == nil {
		d.unknown(n, "pattern", n.text, slices.Sorted(maps.Keys(d.patterns)))
	}
	return p
}

// anyEntity returns the entity a node names, of the design or of a used one.
func (d *declarations) anyEntity(n *node) *model.Entity {
	if use, _, qualified := strings.Cut(n.text, "."); qualified {
		return usedName(d, n, use, "entity", d.usedEntities)
	}
	return d.entity(n)
}

// anyPattern returns the pattern a node names, of the design or of a used one.
func (d *declarations) anyPattern(n *node) *model.Pattern {
	if use, _, qualified := strings.Cut(n.text, "."); qualified {
		return usedName(d, n, use, "pattern", d.usedPatterns)
	}
	return d.pattern(n)
}

// usedName returns the element of a used design that a node names. A use that could not be
// loaded is already reported.
func usedName[T any](d *declarations, n *node, use, kind string, all map[string]*T) *T {
	found := all[n.text]
	switch {
	case found != nil:
	case d.broken["use "+use]:
		d.failed = true
	default:
		d.unknown(n, kind, n.text, slices.Sorted(maps.Keys(all)))
	}
	return found
}

// unknown reports an undeclared name, unless its declaration was already reported.
func (d *declarations) unknown(n *node, kind, name string, candidates []string) {
	d.failed = true
	if !d.broken[kind+" "+name] && !d.again(kind+" "+name, n.place) {
		d.fail("F007", n.place, "there is no %s %s%s", kind, shown(name), d.found.didYouMean(name, candidates))
	}
}

// mostUses is the number of further uses of an undeclared name that its finding lists.
const mostUses = 3

// again reports whether an undeclared name was reported before, and adds the place to that
// finding. A misspelled declaration is one mistake, however often the name is used.
func (d *declarations) again(name string, place diag.Place) bool {
	first, again := d.told[name]
	if !again {
		d.told[name] = place
		return false
	}
	d.failed = true
	d.found.report.Relate("F007", first, mostUses, diag.Related{Place: place, Message: "it is used here, too"})
	return true
}

// attribute returns the attribute of an entity a node names.
func (d *declarations) attribute(e *model.Entity, n *node) *model.Attribute {
	a := d.find(e, n.text)
	if a != nil {
		return a
	}
	d.failed = true
	if !d.broken[e.Name+"."+n.text] && !d.found.full() && !d.again(e.Name+"."+n.text, n.place) {
		d.fail("F007", n.place, "%s has no attribute %s%s", e.Name, shown(n.text), d.found.didYouMean(n.text, d.declaredNames(e)))
	}
	return nil
}

// few is the number of attributes up to which a linear search is faster than a map.
const few = 32

// find returns the attribute of an entity by its name, or nil.
func (d *declarations) find(e *model.Entity, name string) *model.Attribute {
	if len(e.Attributes) <= few {
		return e.Attribute(name)
	}
	index := d.indexed[e]
	if len(index) != len(e.Attributes) {
		index = make(map[string]*model.Attribute, len(e.Attributes))
		for _, a := range e.Attributes {
			index[a.Name] = a
		}
		d.indexed[e] = index
	}
	return index[name]
}

// declaredNames returns the names of an entity's attributes, including those that could not
// be parsed.
func (d *declarations) declaredNames(e *model.Entity) []string {
	names := attributeNames(e)
	for _, key := range slices.Sorted(maps.Keys(d.broken)) {
		if name, ok := strings.CutPrefix(key, e.Name+"."); ok {
			names = append(names, name)
		}
	}
	return names
}

func attributeNames(e *model.Entity) []string {
	names := make([]string, len(e.Attributes))
	for i, a := range e.Attributes {
		names[i] = a.Name
	}
	return names
}

// attributes returns the attributes a node names: one, or a list.
func (d *declarations) attributes(e *model.Entity, n *node) []*model.Attribute {
	if n == nil {
		return nil
	}
	names := n.items
	if n.kind == scalar {
		names = []*node{n}
	}
	all := make([]*model.Attribute, 0, len(names))
	var seen attributeSet
	for _, item := range names {
		a := d.attribute(e, item)
		switch {
		case a == nil:
		case !seen.add(a):
			d.fail("F006", item.place, "%s is listed twice", a.Name)
		default:
			all = append(all, a)
		}
	}
	return all
}

// An attributeSet is a set of attributes, usually small.
type attributeSet struct {
	some []*model.Attribute
	many map[*model.Attribute]bool
}

// add reports whether an attribute is new to the set, and adds it.
func (s *attributeSet) add(a *model.Attribute) bool {
	if len(s.some) < few {
		if slices.Contains(s.some, a) {
			return false
		}
		s.some = append(s.some, a)
		return true
	}
	if s.many == nil {
		s.many = map[*model.Attribute]bool{}
	}
	if s.many[a] || slices.Contains(s.some, a) {
		return false
	}
	s.many[a] = true
	return true
}

// optionalAttribute returns the attribute a key of an entity names, or nil if there is no key.
func (d *declarations) optionalAttribute(e *model.Entity, n *node) *model.Attribute {
	if n == nil {
		return nil
	}
	return d.attribute(e, n)
}
