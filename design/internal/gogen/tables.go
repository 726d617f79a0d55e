package gogen

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/tabledef"
)

// tables builds the definitions of all tables.
func (g *generator) tables() ([]syntax.Decl, error) {
	constants := &syntax.Group{Doc: syntax.Doc{"The names of the tables in the design."}, Keyword: "const"}
	names := map[string]syntax.Expr{}
	for _, t := range g.items.Design.Tables {
		names[t.Name] = syntax.Name(g.items.Names.Tables[t])
		constants.Specs = append(constants.Specs, syntax.Spec{Name: g.items.Names.Tables[t], Value: syntax.Str(t.Name)})
	}
	table := library.Of("provision", "Table")
	list := &syntax.Composite{Type: syntax.ListOf(table), Layout: syntax.Tall}
	tables := tabledef.Of(g.items.Design)
	if h := g.options.History; h != nil && h.Tables != nil {
		tables = h.Tables
	}
	for _, t := range tables {
		made := literal(reflect.ValueOf(t), false).(*syntax.Composite)
		for i, e := range made.Elems {
			if e.Field == "Name" && names[t.Name] != nil {
				made.Elems[i].Value = names[t.Name]
			}
		}
		list.Elems = append(list.Elems, syntax.Elem{Value: made})
	}
	return []syntax.Decl{constants, &syntax.FuncDecl{
		Doc: syntax.Doc{"Tables returns the tables of the design, for provision.Apply."}, Name: "Tables",
		Results: []syntax.Param{{Type: syntax.ListOf(table)}}, Body: []syntax.Stmt{syntax.Returns(list)},
	}}, nil
}

// literal returns plain data of packages provision and shape in Go: zero fields are left out, maps are
// sorted. The elements of slices and maps leave out their type, which Go knows.
func literal(v reflect.Value, named bool) syntax.Expr {
	made := &syntax.Composite{}
	if named {
		made.Type = typeOf(v.Type())
	}
	switch v.Kind() {
	case reflect.Pointer:
		return syntax.Addr(literal(v.Elem(), true))
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				made.Elems = append(made.Elems, syntax.Elem{Field: v.Type().Field(i).Name, Value: literal(v.Field(i), true)})
			}
		}
		made.Layout = layout(v.Type())
		return made
	case reflect.Slice:
		for i := range v.Len() {
			made.Elems = append(made.Elems, syntax.Elem{Value: literal(v.Index(i), false)})
		}
		if v.Type().Elem().Kind() == reflect.Struct {
			made.Layout = layout(v.Type().Elem())
		}
		return made
	case reflect.Map:
		entries := map[string]reflect.Value{}
		for _, key := range v.MapKeys() {
			entries[key.String()] = v.MapIndex(key)
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			made.Elems = append(made.Elems, syntax.Elem{Key: syntax.Str(key), Value: literal(entries[key], false)})
		}
		return made
	case reflect.String:
		return syntax.Str(v.String())
	}
	return &syntax.Literal{Text: fmt.Sprint(v.Interface())}
}

// typeOf returns the name of a type of package provision or shape, or of one made of such types.
func typeOf(t reflect.Type) syntax.Expr {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		return library.Of(path.Base(t.PkgPath()), t.Name())
	case t.Kind() == reflect.Slice:
		return syntax.ListOf(typeOf(t.Elem()))
	case t.Kind() == reflect.Map:
		return syntax.MapOf(typeOf(t.Key()), typeOf(t.Elem()))
	}
	return syntax.Name(t.String())
}

// layout returns how values of a struct type are spread over lines. Tables and indexes take a line
// for each field; there are many attributes, so shapes do so only where they must.
func layout(t reflect.Type) syntax.Layout {
	switch {
	case path.Base(t.PkgPath()) == "shape":
		return syntax.Fit
	case t.NumField() > 2:
		return syntax.Tall
	}
	return syntax.Wide
}
