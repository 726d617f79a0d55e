// Package interim makes one design of two versions: the tables hold both shapes of the items and all
// indexes, as they do while code of both versions runs. Everything that works on designs works on it
// unchanged.
//
// It reports nothing and knows no classes of changes; package change calls it, and says which elements
// of the versions are the same.
package interim

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// Pairs says which elements of an old and a new version are the same: the old one first, nil for what was
// added, or removed.
type Pairs struct {
	Entities   [][2]*model.Entity
	Attributes [][2]*model.Attribute
	Tables     [][2]*model.Table
	Patterns   [][2]*model.Pattern
	// Apart holds the old entities whose items lie under other keys, or in another table, than the new ones.
	Apart map[*model.Entity]bool
}

// before is what names of the old version end with where the new version has the name.
const before = "Before"

// NameBefore returns the name that an element of both versions has in the old one.
func NameBefore(name string) string { return strings.TrimSuffix(name, before) }

// Of returns both versions as one design. Neither of them is changed.
func Of(old, new *model.Design, p Pairs) *model.Design {
	m := &merger{Pairs: p}
	m.design = model.Copy(&m.copier, new)
	m.design.Alternatives = nil
	m.entities()
	m.tables()
	m.patterns(old)
	return m.design
}

type merger struct {
	Pairs
	copier model.Copier // knows the elements of the new version, and those of the old one that they stand for
	design *model.Design
}

// entities gives the entities of the new version what only the old one has.
func (m *merger) entities() {
	same := map[*model.Attribute]*model.Attribute{}
	for _, a := range m.Attributes {
		if a[0] != nil && a[1] != nil && a[0].Stored == a[1].Stored && a[0].InKey == a[1].InKey && a[0].Type.Base == a[1].Type.Base {
			same[a[0]] = a[1]
		}
	}
	for _, e := range m.Entities {
		switch old, new := e[0], e[1]; {
		case old == nil:
		case new == nil || m.Apart[old]:
			own := model.Copy(&m.copier, old)
			if m.design.Entity(own.Name) != nil {
				own.Label = own.TypeName()
				own.Name += before
			}
			m.design.Entities = append(m.design.Entities, own)
		default:
			both := model.Copy(&m.copier, new)
			m.copier.Use(old, both)
			for _, a := range old.Attributes {
				m.attribute(both, a, same[a])
			}
		}
	}
}

// attribute gives an entity an attribute of the old version, unless it has it.
func (m *merger) attribute(to *model.Entity, old, same *model.Attribute) {
	if same != nil {
		m.copier.Use(old, model.Copy(&m.copier, same))
		return
	}
	if have := to.Stored(old.Stored); have != nil && !old.InKey {
		m.copier.Use(old, have) // one name for two things: another finding says so
		return
	}
	own := model.Copy(&m.copier, old)
	if to.Attribute(own.Name) != nil {
		own.Name += before
	}
	own.Type.Optional = true
	to.Attributes = append(to.Attributes, own)
}

// tables gives the tables of the new version the indexes, items and guards of the old one.
func (m *merger) tables() {
	for _, t := range m.Tables {
		switch old, new := t[0], t[1]; {
		case old == nil:
		case new == nil || old.Name != new.Name:
			own := model.Copy(&m.copier, old)
			m.design.Tables = append(m.design.Tables, own)
		default:
			both := model.Copy(&m.copier, new)
			m.copier.Use(old, both)
			m.table(both, old)
		}
	}
}

func (m *merger) table(both, old *model.Table) {
	for _, x := range old.Indexes {
		if have := both.Index(x.Name); have != nil {
			m.copier.Use(x, have)
			continue
		}
		both.Indexes = append(both.Indexes, model.Copy(&m.copier, x))
	}
	for _, item := range old.Items {
		have := both.Item(model.Copy(&m.copier, item.Entity))
		if have == nil {
			both.Items = append(both.Items, model.Copy(&m.copier, item))
			continue
		}
		for _, c := range item.Computed {
			if !slices.ContainsFunc(have.Computed, func(own *model.Computed) bool { return own.Name == c.Name }) {
				have.Computed = append(have.Computed, model.Copy(&m.copier, c))
			}
		}
	}
	for _, g := range old.Guards {
		own := model.Copy(&m.copier, g)
		if !slices.ContainsFunc(both.Guards, func(have *model.Guard) bool {
			return have.Entity == own.Entity && slices.Equal(have.Attributes, own.Attributes)
		}) {
			both.Guards = append(both.Guards, own)
		}
	}
}

// patterns adds the patterns of the old version that the new one does not have, or that use items which lie
// elsewhere.
func (m *merger) patterns(old *model.Design) {
	for _, p := range m.Patterns {
		if p[0] == nil || p[1] != nil && !slices.ContainsFunc(p[0].Entities(), func(e *model.Entity) bool { return m.Apart[e] }) {
			continue
		}
		own := model.Copy(&m.copier, p[0])
		if m.design.Pattern(own.Name) != nil {
			own.Name += before
		}
		m.design.Patterns = append(m.design.Patterns, own)
		for _, theirs := range old.Roles {
			for _, role := range m.design.Roles {
				if role.Name == theirs.Name && slices.Contains(theirs.Patterns, p[0]) {
					role.Patterns = append(role.Patterns, own)
				}
			}
		}
	}
}
