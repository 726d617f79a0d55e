package patterns

import (
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/resolve"
)

// List builds the descriptions of all patterns.
func (p *Package) List() []syntax.Decl {
	pattern := library.Access("Pattern")
	list := &syntax.Composite{Type: syntax.ListOf(syntax.Pointer(pattern)), Layout: syntax.Fill}
	vars := &syntax.Group{Doc: syntax.Doc{"Units is the design's estimate for one call."}, Keyword: "var"}
	for _, m := range p.Methods {
		list.Elems = append(list.Elems, syntax.Elem{Value: syntax.Name(m.Pattern)})
		vars.Specs = append(vars.Specs, syntax.Spec{Name: m.Pattern, Value: syntax.Addr(syntax.Make(pattern, m.description()...))})
	}
	all := []syntax.Decl{&syntax.VarDecl{Doc: syntax.Doc{"Patterns lists the access patterns of the design, in its order."}, Name: "Patterns", Value: list}}
	if len(p.Methods) > 0 {
		all = append(all, vars)
	}
	return all
}

// description returns what is known of a pattern before it is called.
func (m *Method) description() []syntax.Elem {
	elems := []syntax.Elem{{Field: "Name", Value: syntax.Str(m.Call.Pattern.Name)}}
	add := func(field string, value syntax.Expr) { elems = append(elems, syntax.Elem{Field: field, Value: value}) }
	priced := m.Package.estimate.Pattern(m.Call.Pattern)
	if priced == nil {
		priced = &cost.PatternCost{}
	}
	if m.Call.Parts != nil {
		add("Table", syntax.Str(m.Call.Parts[0].Read.Entry.Path.Table.Name))
		add("Units", Units(priced.Read))
		return withParts(elems, m)
	}
	r := m.Call.Read
	if r == nil {
		add("Table", syntax.Str(m.Call.Writes[0].Item.Table.Name))
		add("Units", Units(priced.Write))
		return elems
	}
	add("Table", syntax.Str(r.Entry.Path.Table.Name))
	if r.Entry.Path.Index != nil {
		add("Index", syntax.Str(r.Entry.Path.Index.Name))
	}
	add("Units", Units(priced.Read))
	add("Keys", syntax.Strings(r.Keys...))
	if len(r.Sort) > 0 {
		add("Sort", syntax.Strings(r.Sort...))
	}
	return withParts(elems, m)
}

func withParts(elems []syntax.Elem, m *Method) []syntax.Elem {
	if parts := m.readsParts(); len(parts) > 0 {
		elems = append(elems, syntax.Elem{Field: "Parts", Value: syntax.Strings(parts...)})
	}
	return elems
}

// Units returns a number of units as Go writes it.
func Units(n exact.Number) syntax.Expr {
	text := n.Fixed(2)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return syntax.Num(text)
}

// NameMap builds a variable with the names of expressions.
func NameMap(variable string, names []resolve.Name) *syntax.VarDecl {
	return &syntax.VarDecl{Name: variable, Value: nameMap(names)}
}

func nameMap(names []resolve.Name) syntax.Expr {
	m := &syntax.Composite{Type: syntax.MapOf(syntax.Name("string"), syntax.Name("string")), Layout: syntax.Fill}
	for _, n := range names {
		m.Elems = append(m.Elems, syntax.Elem{Key: syntax.Str(n.Placeholder), Value: syntax.Str(n.Attribute)})
	}
	return m
}
