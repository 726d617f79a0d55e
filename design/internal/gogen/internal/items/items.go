// Package items builds the part of a generated package that knows the entities of a design:
// their types, their keys, and the functions between entities and stored items. It knows no
// access patterns; the rooms that build those call what is declared here.
package items

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Items builds the declarations of the entities of one layout.
type Items struct {
	Names  *naming.Names
	Values *values.Values
	Layout *resolve.Layout
	Design *model.Design

	StateIn string // the table that the state row of migrations is in, or ""
}

// New returns the items of a layout.
func New(l *resolve.Layout) *Items {
	names := naming.New(l)
	return &Items{Names: names, Values: values.New(names), Layout: l, Design: l.Design()}
}

// Stored returns the entities that live in a table, in the order of the design.
func (i *Items) Stored() []*model.Item {
	var all []*model.Item
	for _, e := range i.Design.Entities {
		if home := i.Layout.Home(e); home != nil {
			all = append(all, home)
		}
	}
	return all
}

// Entity returns the type of an entity.
func (i *Items) Entity(e *model.Entity) syntax.Expr { return syntax.Name(i.Names.Entities[e]) }

// fieldsOf returns a function that finds the fields of a variable.
func (i *Items) fieldsOf(variable string) func(*model.Attribute) syntax.Expr {
	return func(a *model.Attribute) syntax.Expr { return syntax.Dot(syntax.Name(variable), i.Names.Fields[a]) }
}

// TableKeys returns the primary key attributes of a table.
func TableKeys(t *model.Table) []string {
	if t.SK.Name == "" {
		return []string{t.PK.Name}
	}
	return []string{t.PK.Name, t.SK.Name}
}

// KeyNames returns all key attributes of a table and its indexes, each once: those of the
// table first.
func KeyNames(t *model.Table) []string {
	all := TableKeys(t)
	for _, x := range t.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			if !slices.Contains(all, key.Name) {
				all = append(all, key.Name)
			}
		}
	}
	return all
}

// Codecs builds the functions that turn entities into items and back.
func (i *Items) Codecs() []syntax.Decl {
	var all []syntax.Decl
	for _, item := range i.Stored() {
		all = append(all, i.fixed(item)...)
		all = append(all, i.encoding(item)...)
		all = append(all, i.decoding(item)...)
	}
	if len(all) == 0 {
		return nil
	}
	for _, s := range i.Design.Structs {
		all = append(all, i.structCoding(s)...)
	}
	coding := all
	for _, s := range i.Design.Structs {
		all = append(all, i.collections(s, coding)...)
	}
	return append(all, i.storedForms()...)
}

// fixed builds the values that all items of an entity have.
func (i *Items) fixed(item *model.Item) []syntax.Decl {
	e := item.Entity
	group := &syntax.Group{Doc: syntax.Doc{"Values that every " + i.Names.Entities[e] + " has."}, Keyword: "var"}
	add := func(name, text, attribute string) {
		group.Specs = append(group.Specs, syntax.Spec{
			Name: name, Value: syntax.Addr(syntax.Make(library.Of("types", "AttributeValueMemberS"), syntax.Elem{Field: "Value", Value: syntax.Str(text)})), Note: attribute,
		})
	}
	for _, c := range item.Computed {
		if !values.HasHoles(c.Template) {
			add(i.Names.KeyFuncs[e][c.Name], values.LiteralOf(c.Template), c.Name)
		}
	}
	if item.Table.Type != "" {
		add(i.Names.Kinds[e], e.TypeName(), item.Table.Type)
	}
	if len(group.Specs) == 0 {
		return nil
	}
	return []syntax.Decl{group}
}
