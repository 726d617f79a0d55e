package patterns

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// suffix ends the names of what a package has for the version before.
const suffix = "Before"

// Before returns the patterns of a package on the layout of the version before, given that layout with the entities of the
// package. They share the types of the package, and their own variables and functions have names of their own.
func Before(p *Package, i *items.Items) *Package {
	for _, e := range i.Design.Entities {
		for key := range i.Names.KeyFuncs[e] {
			i.Names.KeyFuncs[e][key] += suffix
		}
		i.Names.Shapes[e] += suffix
	}
	b := New(i, map[*model.Entity]*Changed{})
	for _, m := range b.Methods {
		m.Pattern += suffix
		m.NameMap += suffix
	}
	b.of = p
	return b
}

// Method returns the method of the pattern of a name with the same arguments as another method, or nil.
func (p *Package) Method(like *Method) *Method {
	for _, m := range p.Methods {
		if m.Call.Pattern.Name == like.Call.Pattern.Name && slices.EqualFunc(m.Args, like.Args, func(a, b syntax.Param) bool { return a.Name == b.Name && syntax.Equal(a.Type, b.Type) }) {
			return m
		}
	}
	return nil
}

// ReadBefore notes that a method of the version before is called, and returns the name of the function that makes its query.
func (m *Method) ReadBefore() string {
	if !slices.Contains(m.Package.used, m) {
		m.Package.used = append(m.Package.used, m)
	}
	return m.before()
}

func (m *Method) before() string { return "query" + m.Name + suffix }

// Used builds the descriptions of the patterns that are read on the layout of the version before.
func (p *Package) Used() []syntax.Decl {
	if len(p.used) == 0 {
		return nil
	}
	vars := &syntax.Group{Doc: syntax.Doc{"Patterns as the version before of the design serves them."}, Keyword: "var"}
	for _, m := range p.used {
		vars.Specs = append(vars.Specs, syntax.Spec{Name: m.Pattern, Value: syntax.Addr(syntax.Make(library.Access("Pattern"), m.description()...))})
	}
	return []syntax.Decl{vars}
}

// readsParts returns the parts that readers of old items look for under other names or with other defaults.
func (m *Method) readsParts() []string {
	of := m.Package
	if of.of != nil {
		of = of.of
	}
	var names []string
	for _, r := range m.Call.Reads() {
		for _, e := range r.Read.Entities {
			if c := of.changedNamed(e.Name); c != nil && (c.Renamed || c.Moved) && !slices.Contains(names, c.Part) {
				names = append(names, c.Part)
			}
		}
	}
	return names
}

func (p *Package) changedNamed(entity string) *Changed {
	for e, c := range p.Changed {
		if e.Name == entity {
			return c
		}
	}
	return nil
}

// OnNewPath reports whether a read uses a key that only the new one of two versions stores, or queries items that lie elsewhere in the old
// one.
func (m *Method) OnNewPath() bool {
	r := m.Call.Read
	if r == nil {
		return false
	}
	isMoved := func(e *model.Entity) bool { return m.Package.Changed[e] != nil && m.Package.Changed[e].Moved }
	if r.Operation == resolve.Query && slices.ContainsFunc(r.Entities, isMoved) {
		return true
	}
	if r.Entry.Path.Index == nil {
		return false
	}
	keys := slices.Concat(r.Entry.Path.Index.PK, r.Entry.Path.Index.SK)
	return slices.ContainsFunc(r.Entities, func(e *model.Entity) bool {
		c := m.Package.Changed[e]
		return c != nil && slices.ContainsFunc(keys, func(k model.KeyName) bool { return slices.Contains(c.Keys, k.Name) })
	})
}

// ChangedBy returns what differs in the items of an entity that a write uses, or nil. Under other names the item differs that an update or
// a failed condition returns.
func (p *Package) ChangedBy(e *model.Entity, names []resolve.Name, whole bool) *Changed {
	c := p.Changed[e]
	if c == nil || whole || c.Renamed || c.Moved {
		return c
	}
	if slices.ContainsFunc(names, func(n resolve.Name) bool {
		return slices.Contains(c.Names, n.Attribute) || slices.Contains(c.Sources, n.Attribute)
	}) {
		return c
	}
	return nil
}
