package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
)

// Times are stored without what is finer than a millisecond, or than a second. A method
// named stored gives an entity the times it has once it was stored.

// printStoredForms prints the methods, for entities and structs that hold times.
func (g *generator) printStoredForms(p *printer) {
	for _, item := range g.stored() {
		if e := item.Entity; hasTimes(e.Attributes, nil) {
			g.printStoredForm(p, g.entities[e], e.Attributes)
		}
	}
	for _, s := range g.design.Structs {
		if hasTimes(s.Attributes, nil) {
			g.printStoredForm(p, g.structs[s], s.Attributes)
		}
	}
}

func (g *generator) printStoredForm(p *printer, name string, attributes []*model.Attribute) {
	receiver := begins(name)
	p.doc(fmt.Sprintf("stored is the %s with its times as they are stored.", name))
	p.line("func (%s %s) stored() %s {", receiver, name, name)
	for _, a := range attributes {
		if !holdsTimes(a.Type, nil) {
			continue
		}
		field := receiver + "." + g.fields[a]
		if !isPointer(a.Type) {
			g.printStoredValue(p, a, a.Type, field, "1")
			continue
		}
		p.line("if %s != nil {", field)
		p.line("%s = new(%s)", field, storedScalar(a.Type, field))
		p.line("}")
	}
	p.line("return %s", receiver)
	p.line("}")
	p.blank()
}

// printStoredValue prints what gives a value that is no pointer its stored form. Lists
// and maps are copied first: the caller keeps its own.
func (g *generator) printStoredValue(p *printer, a *model.Attribute, t model.Type, x, depth string) {
	index := "i" + depth
	switch t.Base {
	case model.ListOf, model.SetOf:
		p.line("%s = slices.Clone(%s)", x, x)
	case model.MapOf:
		p.line("%s = maps.Clone(%s)", x, x)
	default:
		p.line("%s = %s", x, storedScalar(t, x))
		return
	}
	p.line("for %s := range %s {", index, x)
	g.printStoredValue(p, a, *t.Element, x+"["+index+"]", depth+"1")
	p.line("}")
}

// storedScalar is the expression of a time, or of a struct that holds some, as stored.
func storedScalar(t model.Type, x string) string {
	switch t.Base {
	case model.Timestamp:
		return x + ".UTC().Truncate(time.Millisecond)"
	case model.Unixtime:
		return x + ".UTC().Truncate(time.Second)"
	}
	return x + ".stored()"
}

// asStored is the expression of an entity as it is stored.
func (g *generator) asStored(e *model.Entity, x string) string {
	if g.layout.Home(e) != nil && hasTimes(e.Attributes, nil) {
		return x + ".stored()"
	}
	return x
}

// hasTimes reports whether one of the attributes is or holds a time.
func hasTimes(attributes []*model.Attribute, inside []*model.Struct) bool {
	for _, a := range attributes {
		if holdsTimes(a.Type, inside) {
			return true
		}
	}
	return false
}

func holdsTimes(t model.Type, inside []*model.Struct) bool {
	switch t.Base {
	case model.Timestamp, model.Unixtime:
		return true
	case model.ListOf, model.SetOf, model.MapOf:
		return holdsTimes(*t.Element, inside)
	case model.StructOf:
		for _, outer := range inside {
			if outer == t.Struct {
				return false
			}
		}
		return hasTimes(t.Struct.Attributes, append(inside, t.Struct))
	}
	return false
}
