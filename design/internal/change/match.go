package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A Matching says which elements of two versions of a design are the same things: those of the
// same name, and those of which the new version says what they were. It guesses nothing.
type Matching struct {
	Old, New *model.Design // with the designs they use
	Entities []*EntityPair
	Structs  []*StructPair
	Tables   []*TablePair
	Patterns []Pair[*model.Pattern]
	Lost     []Lost

	entityOfNew, entityOfOld map[*model.Entity]*EntityPair
	tableOfNew               map[*model.Table]*TablePair
}

// A Pair is a thing of the old version and the same thing of the new one. The old one of what was added
// is the zero value, as is the new one of what was removed.
type Pair[T any] struct{ Old, New T }

// An EntityPair is an entity in both versions, with its attributes.
type EntityPair struct {
	Pair[*model.Entity]
	Attributes []*AttributePair
}

// A StructPair is a struct type in both versions, with its fields.
type StructPair struct {
	Pair[*model.Struct]
	Fields []*AttributePair
}

// An AttributePair is an attribute in both versions, with the values of an enum.
type AttributePair struct {
	Pair[*model.Attribute]
	Values []Pair[string]
}

// A TablePair is a table in both versions, with its indexes. If the names differ, it is another table in
// DynamoDB that replaces the old one.
type TablePair struct {
	Pair[*model.Table]
	Indexes []Pair[*model.Index]
}

// Lost is a was of the new version that names nothing of the old one.
type Lost struct {
	Kind, Name, Was string
	Place           diag.Place
	Known           []string // names that were meant, perhaps
}

// Match pairs the elements of two versions of a design. Both are taken with the designs they use.
func Match(before, after *model.Design) *Matching {
	m := &Matching{
		Old: before.Whole(), New: after.Whole(),
		entityOfNew: map[*model.Entity]*EntityPair{}, entityOfOld: map[*model.Entity]*EntityPair{},
		tableOfNew: map[*model.Table]*TablePair{},
	}
	uses := sameUses(before, after)
	m.structs(uses)
	m.entities(uses)
	m.tables(before, after)
	m.Patterns, _ = pairs(m.Old.Patterns, m.New.Patterns, func(p *model.Pattern, isNew bool) identity {
		return identity{name: uses.name(p.Name, p.Use, isNew)}
	})
	return m
}

// EntityOf returns the pair of an entity of the new version.
func (m *Matching) EntityOf(e *model.Entity) *EntityPair { return m.entityOfNew[e] }

// EntityOfOld returns the pair of an entity of the old version.
func (m *Matching) EntityOfOld(e *model.Entity) *EntityPair { return m.entityOfOld[e] }

// TableOf returns the pair of a table of the new version.
func (m *Matching) TableOf(t *model.Table) *TablePair { return m.tableOfNew[t] }

// home returns the entity in its table, or nil.
func home(d *model.Design, e *model.Entity) *model.Item {
	for _, t := range d.Tables {
		if item := t.Item(e); item != nil && e != nil {
			return item
		}
	}
	return nil
}

// Attribute returns the pair of an attribute of the new version, or nil.
func (p *EntityPair) Attribute(a *model.Attribute) *AttributePair {
	return attributeOf(p.Attributes, a)
}

// AttributeOfOld returns the pair of an attribute of the old version, or nil.
func (p *EntityPair) AttributeOfOld(a *model.Attribute) *AttributePair {
	for _, pair := range p.Attributes {
		if a != nil && pair.Old == a {
			return pair
		}
	}
	return nil
}

func attributeOf(all []*AttributePair, a *model.Attribute) *AttributePair {
	for _, pair := range all {
		if a != nil && pair.New == a {
			return pair
		}
	}
	return nil
}

// uses maps the names of the uses of the new version to those of the old one.
type uses map[string]string

// sameUses matches uses by their names, and others by the names of their designs.
func sameUses(before, after *model.Design) uses {
	of := uses{}
	named := func(name string) func(*model.Use) bool { return func(u *model.Use) bool { return u.Name == name } }
	for _, u := range after.Uses {
		if slices.ContainsFunc(before.Uses, named(u.Name)) {
			continue
		}
		for _, o := range before.Uses {
			if o.Design.Name == u.Design.Name && !slices.ContainsFunc(after.Uses, named(o.Name)) {
				of[u.Name] = o.Name
			}
		}
	}
	return of
}

// name returns the name of an element with the use it has in the old version.
func (u uses) name(name, use string, isNew bool) string {
	if old, renamed := u[use]; renamed && isNew {
		return old + strings.TrimPrefix(name, use)
	}
	return name
}

// identity holds the names by which something is known.
type identity struct{ name, was string }

// pairs matches things: first those that say what they were, then those of the same name. What the old
// version says, too, is history. It returns the things whose was names nothing.
func pairs[T comparable](before, after []T, of func(one T, isNew bool) identity) (all []Pair[T], lost []T) {
	byName := make(map[string]T, len(before))
	for _, one := range before {
		byName[of(one, false).name] = one
	}
	from, taken := make(map[T]T, len(after)), make(map[T]bool, len(before))
	for _, one := range after {
		id := of(one, true)
		same, known := byName[id.name]
		if id.was == "" || known && of(same, false).was == id.was {
			continue
		}
		if was, ok := byName[id.was]; ok && !taken[was] {
			from[one], taken[was] = was, true
		} else if !ok && !known {
			lost = append(lost, one)
		}
	}
	for _, one := range after {
		was, known := byName[of(one, true).name]
		if _, matched := from[one]; known && !matched && !taken[was] {
			from[one], taken[was] = was, true
		}
		all = append(all, Pair[T]{from[one], one})
	}
	for _, one := range before {
		if !taken[one] {
			all = append(all, Pair[T]{Old: one})
		}
	}
	return all, lost
}
