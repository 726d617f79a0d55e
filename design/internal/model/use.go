package model

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
)

// A Use is another design that this one stands on. Both are one program: a system and the
// platform under it.
type Use struct {
	Name    string
	Place   diag.Place
	File    string    // of the used design
	Prefix  string    // of the names of its tables
	Accepts []*Accept // findings of the used design that this one accepts
	Roles   []RoleOf  // which roles of this design have the patterns of its roles
	Design  *Design   // its elements have qualified names, and the rates of this design
}

// A RoleOf gives the patterns of a role of a used design to a role of this design.
type RoleOf struct{ Theirs, Ours string }

// qualifier separates the name of a use from the name of an element: platform.Job.
const qualifier = "."

// Qualify puts the name of the use in front of the names of entities, patterns, types and
// projections of its design, and the prefix in front of the names of tables. What items hold in
// their type attribute stays as it is.
func (u *Use) Qualify() {
	qualified := func(name string) string { return u.Name + qualifier + name }
	for _, e := range u.Design.Entities {
		e.Label = e.TypeName()
		e.Name, e.Use = qualified(e.Name), u.Name
	}
	for _, p := range u.Design.Patterns {
		p.Name, p.Use = qualified(p.Name), u.Name
		for _, part := range p.Parts {
			part.Name, part.Use = p.Name, p.Use
		}
	}
	for _, s := range u.Design.Structs {
		s.Name = qualified(s.Name)
	}
	for _, p := range u.Design.Projections {
		p.Name = qualified(p.Name)
	}
	for _, t := range u.Design.Tables {
		t.Name = u.Prefix + t.Name
	}
}

// LocalName returns the name of an entity in its own design.
func (e *Entity) LocalName() string {
	return strings.TrimPrefix(e.Name, e.Use+qualifier)
}

// Whole returns the design together with the designs it uses, as one program. Its own elements
// come first.
func (d *Design) Whole() *Design {
	if len(d.Uses) == 0 {
		return d
	}
	whole := *d
	whole.Uses = nil
	var tables []*Table
	for _, u := range d.Uses {
		whole.Structs = slices.Concat(whole.Structs, u.Design.Structs)
		whole.Entities = slices.Concat(whole.Entities, u.Design.Entities)
		whole.Patterns = slices.Concat(whole.Patterns, u.Design.Patterns)
		whole.Projections = slices.Concat(whole.Projections, u.Design.Projections)
		whole.Roles = withRoles(whole.Roles, u)
		tables = append(tables, u.Design.Tables...)
	}
	whole.Tables = slices.Concat(d.Tables, tables)
	whole.Alternatives = make([]*Alternative, len(d.Alternatives))
	for i, a := range d.Alternatives {
		with := *a
		with.Tables = slices.Concat(a.Tables, tables)
		whole.Alternatives[i] = &with
	}
	return &whole
}

// Parts returns the design itself and the designs it uses, each alone. Names mean something
// only within a part: a user_id of one part has nothing to do with a user_id of another.
func (d *Design) Parts() []*Design {
	parts := []*Design{d}
	for _, u := range d.Uses {
		parts = append(parts, u.Design)
	}
	return parts
}

// withRoles returns roles with the patterns of a used design: those of its roles are added to the
// roles that the use names, or else to the role of the same name, or else the role is added.
func withRoles(roles []*Role, u *Use) []*Role {
	roles = slices.Clone(roles)
	for _, theirs := range u.Design.Roles {
		ours := []string{theirs.Name}
		if stated := u.rolesOf(theirs.Name); len(stated) > 0 {
			ours = stated
		}
		for _, name := range ours {
			i := slices.IndexFunc(roles, func(r *Role) bool { return r.Name == name })
			if i < 0 {
				roles = append(roles, theirs)
				continue
			}
			both := *roles[i]
			both.Patterns = slices.Concat(both.Patterns, theirs.Patterns)
			both.Bind = slices.Clone(both.Bind)
			for _, b := range theirs.Bind {
				if !slices.ContainsFunc(both.Bind, func(have Binding) bool { return have.Attribute == b.Attribute }) {
					both.Bind = append(both.Bind, b)
				}
			}
			roles[i] = &both
		}
	}
	return roles
}

// rolesOf returns the roles of this design that have the patterns of a role of the used one.
func (u *Use) rolesOf(theirs string) []string {
	var ours []string
	for _, r := range u.Roles {
		if r.Theirs == theirs {
			ours = append(ours, r.Ours)
		}
	}
	return ours
}
