package sample

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A family holds the references between entities, and an order with parents before children.
type family struct {
	layout *resolve.Layout
	owners map[owned]*model.Entity
	order  []*model.Entity
}

// An owned names the one attribute that is the id of an entity, in a part of the program.
type owned struct{ use, name string }

func newFamily(l *resolve.Layout) *family {
	f := &family{layout: l, owners: map[owned]*model.Entity{}}
	for _, e := range l.Design().Entities {
		if len(e.ID) != 1 {
			continue
		}
		name := owned{e.Use, e.ID[0].Name}
		if other := f.owners[name]; other == nil || claim(e) > claim(other) {
			f.owners[name] = e
		}
	}
	state := map[*model.Entity]int{}
	for _, e := range l.Design().Entities {
		f.visit(e, state)
	}
	return f
}

// claim rates how well the name of an entity's id matches the entity: project_id belongs to
// Project rather than to ProjectStat.
func claim(e *model.Entity) int {
	id := e.ID[0]
	switch {
	case stem(id.Name) == strings.ToLower(e.LocalName()):
		return 2
	case id.Time != nil:
		return 1
	}
	return 0
}

// stem returns the name of an id without its suffix: projectId, project_id -> project.
func stem(name string) string {
	if isID(name) {
		name = name[:len(name)-len("id")]
	}
	return strings.TrimRight(strings.ToLower(name), "_0123456789")
}

// visit sorts parents before children; cycles are cut.
func (f *family) visit(e *model.Entity, state map[*model.Entity]int) {
	if state[e] != 0 {
		return
	}
	state[e] = 1
	for _, a := range e.Attributes {
		if parent := f.parent(e, a); parent != nil {
			f.visit(parent, state)
		}
	}
	f.order = append(f.order, e)
}

// parent returns the entity an attribute refers to: the one that has it as its id, the one
// that counts by it, or the one it is named after. An entity never refers to itself.
func (f *family) parent(e *model.Entity, a *model.Attribute) *model.Entity {
	if owner := f.owners[owned{e.Use, a.Name}]; owner != nil {
		if owner == e || owner.ID[0].Type.Base != a.Type.Base {
			return nil
		}
		return owner
	}
	if counting := f.counting(e, a); counting != nil {
		return counting
	}
	if !isID(a.Name) {
		return nil
	}
	for _, other := range f.layout.Design().Entities {
		if other != e && other.Use == e.Use && len(other.ID) == 1 && strings.ToLower(other.LocalName()) == stem(a.Name) && other.ID[0].Type.Base == a.Type.Base {
			return other
		}
	}
	parent, _ := f.role(e, a)
	return parent
}

// counting returns the entity that counts e and is found by the attribute alone, as a counter
// says with match.
func (f *family) counting(e *model.Entity, a *model.Attribute) *model.Entity {
	for _, other := range f.layout.Design().Entities {
		if other == e || other.Use != e.Use || len(other.ID) != 1 || other.ID[0].Type.Base != a.Type.Base {
			continue
		}
		for _, c := range other.Counters {
			if c.Of == e && slices.Contains(c.Match, model.Match{Mine: other.ID[0], Theirs: a}) {
				return other
			}
		}
	}
	return nil
}

// role returns the entity that an attribute names by its role: admin_id is a User whose role
// can be ADMIN. The condition is the one such a parent meets.
func (f *family) role(e *model.Entity, a *model.Attribute) (*model.Entity, *model.Condition) {
	for _, other := range f.layout.Design().Entities {
		if other == e || other.Use != e.Use || len(other.ID) != 1 || other.ID[0].Type.Base != a.Type.Base {
			continue
		}
		for _, b := range other.Attributes {
			for _, v := range b.Type.Values {
				if strings.EqualFold(b.Name, "role") && strings.EqualFold(v, stem(a.Name)) {
					return other, &model.Condition{Attribute: b, Op: model.Eq, Values: []model.Operand{{Constant: v}}}
				}
			}
		}
	}
	return nil, nil
}

// key returns the attribute of the parent a reference takes its value from.
func (f *family) key(parent *model.Entity) *model.Attribute { return parent.ID[0] }

// references returns the attributes of an entity that refer to another: those of its
// partition key first, then those of its id, then the rest.
func (f *family) references(e *model.Entity) []*model.Attribute {
	var refs []*model.Attribute
	for _, a := range e.Attributes {
		if f.parent(e, a) != nil && !a.Type.Optional {
			refs = append(refs, a)
		}
	}
	partition := f.partition(e)
	rank := func(a *model.Attribute) int {
		switch {
		case slices.Contains(partition, a):
			return 0
		case slices.Contains(e.ID, a):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(refs, func(a, b *model.Attribute) int { return cmp.Compare(rank(a), rank(b)) })
	return refs
}

// partition returns the attributes in the partition key of the entity's table.
func (f *family) partition(e *model.Entity) []*model.Attribute {
	var all []*model.Attribute
	if entries := f.layout.Entries(e); len(entries) > 0 {
		for _, key := range entries[0].PK {
			all = append(all, key.Attributes()...)
		}
	}
	return all
}

// groups reports whether items should share values of the attribute: it is in some
// partition key, and does not identify the item by itself.
func (f *family) groups(e *model.Entity, a *model.Attribute) bool {
	if len(e.ID) == 1 && e.ID[0] == a {
		return false
	}
	for _, u := range e.Unique {
		if slices.Contains(u.Attributes, a) {
			return false
		}
	}
	for _, entry := range f.layout.Entries(e) {
		for _, key := range entry.PK {
			if slices.Contains(key.Attributes(), a) {
				return true
			}
		}
	}
	return false
}

// A Reference says that an attribute of one entity names another.
type Reference struct {
	Child, Parent *model.Entity
	By            *model.Attribute // of the child
}

// References returns the references between the entities of a layout, children in the
// order of the design.
func References(l *resolve.Layout) []Reference {
	f := newFamily(l)
	var all []Reference
	for _, e := range l.Design().Entities {
		for _, a := range e.Attributes {
			if parent := f.parent(e, a); parent != nil {
				all = append(all, Reference{Child: e, Parent: parent, By: a})
			}
		}
	}
	return all
}
