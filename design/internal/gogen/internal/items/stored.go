package items

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// Times are stored in milliseconds, or in seconds, and some attributes have a default. The method
// stored returns an entity with its times as they are stored, and with its defaults.

// storedForms builds the methods of entities and structs that hold times.
func (i *Items) storedForms() []syntax.Decl {
	var all []syntax.Decl
	for _, item := range i.Stored() {
		if e := item.Entity; hasStoredForm(e) {
			all = append(all, i.storedForm(i.Names.Entities[e], e.Attributes))
		}
	}
	for _, s := range i.Design.Structs {
		if hasTimes(s.Attributes, nil) {
			all = append(all, i.storedForm(i.Names.Structs[s], s.Attributes))
		}
	}
	return all
}

func (i *Items) storedForm(name string, attributes []*model.Attribute) syntax.Decl {
	receiver := naming.Receiver(name)
	body, as := i.defaults(attributes, receiver), "its times as they are stored"
	switch {
	case len(body) > 0 && hasTimes(attributes, nil):
		as = "its defaults, and its times as they are stored"
	case len(body) > 0:
		as = "its defaults"
	}
	for _, a := range attributes {
		if !holdsTimes(a.Type, nil) {
			continue
		}
		field := syntax.Dot(syntax.Name(receiver), i.Names.Fields[a])
		if !values.IsPointer(a.Type) {
			body = append(body, storedValue(a.Type, field, "i1")...)
			continue
		}
		body = append(body, syntax.Set(field, library.Call("OptStored", field, i.storedFunc(a))))
	}
	return &syntax.FuncDecl{
		Doc: syntax.Doc{fmt.Sprintf("stored returns the %s with %s.", name, as)}, Receiver: &syntax.Param{Name: receiver, Type: syntax.Name(name)},
		Name: "stored", Results: []syntax.Param{{Type: syntax.Name(name)}}, Body: append(body, syntax.Returns(syntax.Name(receiver))),
	}
}

// storedValue gives a value that is no pointer its stored form. Lists and maps are copied
// first, because the caller still has them.
func storedValue(t model.Type, x syntax.Expr, index string) []syntax.Stmt {
	pkg := "slices"
	switch t.Base {
	case model.ListOf, model.SetOf:
	case model.MapOf:
		pkg = "maps"
	default:
		return []syntax.Stmt{syntax.Set(x, storedScalar(t, x))}
	}
	return []syntax.Stmt{
		syntax.Set(x, syntax.CallOf(library.Of(pkg, "Clone"), x)),
		&syntax.Range{Key: index, X: x, Body: storedValue(*t.Element, &syntax.Index{X: x, Index: syntax.Name(index)}, index+"1")},
	}
}

// storedScalar returns a time, or a struct that holds times, as it is stored.
func storedScalar(t model.Type, x syntax.Expr) syntax.Expr {
	switch t.Base {
	case model.Timestamp:
		return library.Call("StoredTime", x)
	case model.Unixtime:
		return library.Call("StoredUnix", x)
	}
	return syntax.Method(x, "stored")
}

// storedFunc returns the function from a value of an attribute to its stored form.
func (i *Items) storedFunc(a *model.Attribute) syntax.Expr {
	switch a.Type.Base {
	case model.Timestamp:
		return library.Access("StoredTime")
	case model.Unixtime:
		return library.Access("StoredUnix")
	}
	return syntax.Dot(i.Values.ValueType(a), "stored")
}

// AsStored returns an entity with its times and defaults as they are stored.
func (i *Items) AsStored(e *model.Entity, x syntax.Expr) syntax.Expr {
	if i.Layout.Home(e) != nil && hasStoredForm(e) {
		return syntax.Method(x, "stored")
	}
	return x
}

// hasStoredForm reports whether an entity has a method stored.
func hasStoredForm(e *model.Entity) bool {
	return hasTimes(e.Attributes, nil) || slices.ContainsFunc(e.Attributes, filled)
}

// filled reports whether the zero value of an attribute stands for its default.
func filled(a *model.Attribute) bool { return a.Default != nil && values.ZeroIsNone(a.Type) }

// defaults sets the fields that have no value to their defaults. The receiver is a copy.
func (i *Items) defaults(attributes []*model.Attribute, receiver string) []syntax.Stmt {
	var all []syntax.Stmt
	for _, a := range attributes {
		if !filled(a) {
			continue
		}
		field := syntax.Dot(syntax.Name(receiver), i.Names.Fields[a])
		all = append(all, syntax.When(values.IsNone(a.Type, field), syntax.Set(field, i.Values.Default(a)))...)
	}
	return all
}

// hasTimes reports whether one of the attributes is or holds a time.
func hasTimes(attributes []*model.Attribute, inside []*model.Struct) bool {
	return slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return holdsTimes(a.Type, inside) })
}

func holdsTimes(t model.Type, inside []*model.Struct) bool {
	switch t.Base {
	case model.Timestamp, model.Unixtime:
		return true
	case model.ListOf, model.SetOf, model.MapOf:
		return holdsTimes(*t.Element, inside)
	case model.StructOf:
		return !slices.Contains(inside, t.Struct) && hasTimes(t.Struct.Attributes, append(inside, t.Struct))
	}
	return false
}
