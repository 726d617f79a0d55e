package gogen

import (
	"reflect"
	"slices"

	"sortkey.dev/access/part"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/reads"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// changed returns the entities whose items differ in the two versions of the package.
func changed(d *model.Design, h *History) map[*model.Entity]*patterns.Changed {
	all := map[*model.Entity]*patterns.Changed{}
	if h == nil || h.Change == nil {
		return all
	}
	for _, p := range h.Change.Parts {
		e := d.Entity(p.Name)
		if e == nil {
			continue
		}
		c := &patterns.Changed{Part: p.Name, Moved: p.To != ""}
		for _, s := range p.Set {
			c.Names = append(c.Names, s.Attribute)
			if s.Key {
				c.Keys = append(c.Keys, s.Attribute)
			} else {
				c.Renamed = true
			}
			if s.From != "" {
				c.Names = append(c.Names, s.From)
			}
		}
		i := slices.IndexFunc(h.Change.Tables, func(t part.Table) bool { return t.Name == p.Table })
		old := shape.NewReader(h.Change.Tables[i].Old)
		for _, name := range p.Remove {
			c.Sources = append(c.Sources, old.KeySources(p.Entity, name)...)
		}
		all[e] = c
	}
	return all
}

// added returns what only the new one of the two versions counts and keeps unique.
func added(h *History) patterns.Added {
	a := patterns.Added{Unique: map[string]bool{}, Counts: map[string]string{}}
	if h == nil || h.Change == nil {
		return a
	}
	for _, p := range h.Change.Parts {
		switch {
		case p.Unique != nil:
			a.Unique[p.Name] = true
		case p.Count != nil:
			a.Counts[p.Name] = p.As
		}
	}
	return a
}

// designOf builds the variable that identifies the design.
func (g *generator) designOf() *syntax.VarDecl {
	d, h := g.items.Design, g.options.History
	made := syntax.Make(library.Access("Design"), syntax.Elem{Field: "Name", Value: syntax.Str(d.Name)}, syntax.Elem{Field: "Hash", Value: syntax.Str(hash(d))})
	if h != nil {
		made.Layout = syntax.Tall
		versions := &syntax.Composite{Type: syntax.ListOf(syntax.Name("int"))}
		for _, v := range h.Versions {
			versions.Elems = append(versions.Elems, syntax.Elem{Value: syntax.Int(v)})
		}
		made.Elems = append(made.Elems, syntax.Elem{Field: "Versions", Value: versions}, syntax.Elem{Field: "State", Value: literal(reflect.ValueOf(h.State), true)})
		if h.Change != nil {
			made.Elems = append(made.Elems, syntax.Elem{Field: "Change", Value: syntax.Name("changeOf")})
		}
	}
	return &syntax.VarDecl{Doc: syntax.Doc{"designOf identifies the design. Cursors of another design are refused."}, Name: "designOf", Value: made}
}

// change builds the description of how the items of the two versions differ.
func (g *generator) change() ([]syntax.Decl, error) {
	h := g.options.History
	if h == nil || h.Change == nil {
		return nil, nil
	}
	return []syntax.Decl{&syntax.VarDecl{
		Doc:  syntax.Doc{"changeOf describes how the items of the two versions of the design differ."},
		Name: "changeOf", Value: literal(reflect.ValueOf(h.Change), true),
	}}, nil
}

// readMethods builds the methods of patterns that read.
func (g *generator) readMethods() (_ []syntax.Decl, err error) {
	g.reads, err = reads.Methods(g.patterns, g.before)
	return g.reads, err
}

// layoutBefore builds what reads on the layout of the version before need: their descriptions, and the functions of their keys.
func (g *generator) layoutBefore() ([]syntax.Decl, error) {
	if g.before == nil {
		return nil, nil
	}
	used := g.before.Used()
	if len(used) == 0 {
		return nil, nil
	}
	keys, err := g.before.Items.Keys()
	if err != nil {
		return nil, err
	}
	for _, d := range keys {
		if f, ok := d.(*syntax.FuncDecl); ok && syntax.UsesAny(g.reads, f.Name) {
			used = append(used, f)
		}
	}
	return used, nil
}
