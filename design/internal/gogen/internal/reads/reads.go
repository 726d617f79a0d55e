// Package reads builds the methods of patterns that read: gets, queries, collects, batches of
// gets, and the sums of sharded counters. Package resolve decided which request serves a
// pattern; this package writes the request down in Go.
package reads

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// Methods builds the methods of all patterns that read. Before holds the patterns on the layout of the version before, nil if the
// package has one version.
func Methods(p, before *patterns.Package) ([]syntax.Decl, error) {
	var all []syntax.Decl
	for _, m := range p.Reads() {
		r := newRead(m)
		if before != nil && m.OnNewPath() {
			r.phased = true
			if was := before.Method(m); was != nil {
				r.was = newRead(was)
				r.was.suffix = "Before"
			}
		}
		build := r.decls
		if len(m.Parts) > 0 {
			build = func() ([]syntax.Decl, error) { return snapshot(m) }
		}
		decls, err := build()
		if err != nil {
			return nil, err
		}
		all = append(all, decls...)
	}
	return all, nil
}

// A read is a method that reads, while it is built.
type read struct {
	*program.Read
	m     *patterns.Method
	scope *patterns.Scope

	phased bool   // it uses a key that only the new one of two versions stores
	was    *read  // the read on the layout of the old version, nil if that does not serve it
	suffix string // of the names of its functions
}

func newRead(m *patterns.Method) *read {
	return &read{Read: m.Call.Read, m: m, scope: patterns.NewScope(m)}
}

func (r *read) decls() ([]syntax.Decl, error) {
	m := r.m
	if m.Call.Pattern.Verb == model.Collect {
		return r.collect()
	}
	result := m.Package.Items.Names.Entities[r.Entities[0]]
	if m.Result != "" {
		result = m.Result
	}
	decode, err := r.decoder(result)
	if err != nil {
		return nil, err
	}
	f := &syntax.FuncDecl{Doc: m.Doc(), Receiver: patterns.Receiver, Name: m.Name, Params: m.Args}
	if r.Operation == resolve.BatchGetItem {
		f.Params = slices.Concat([]syntax.Param{patterns.Context()}, m.Args)
		f.Results = []syntax.Param{{Type: syntax.ListOf(syntax.Pointer(syntax.Name(result)))}, {Type: syntax.Name("error")}}
	} else if m.Call.Pattern.Verb == model.Get {
		f.Params = slices.Concat([]syntax.Param{patterns.Context()}, m.Args)
		f.Results = []syntax.Param{{Type: syntax.Name(result)}, {Type: syntax.Name("error")}}
	} else {
		f.Results = []syntax.Param{{Type: syntax.Generic(library.Access("List"), syntax.Name(result))}}
	}
	if f.Body, err = r.body(decode); err != nil {
		return nil, err
	}
	all := append(r.names(), f)
	if r.was != nil {
		decls, err := r.was.before(result)
		if err != nil {
			return nil, err
		}
		all = append(all, decls...)
	}
	if m.Result != "" {
		all = append(all, r.row(m.Result, r.Entities[0])...)
	}
	return all, nil
}

func (r *read) body(decode syntax.Expr) ([]syntax.Stmt, error) {
	switch {
	case r.Operation == resolve.BatchGetItem:
		return r.getMany(decode)
	case r.m.Call.Pattern.Verb == model.Get && r.Operation == resolve.GetItem:
		return r.get(decode)
	case r.phased:
		return r.phasedList(decode)
	case r.m.Call.Pattern.Verb == model.Get:
		return r.query(func(q syntax.Expr) syntax.Stmt {
			return syntax.Returns(library.Call("QueryOne", syntax.Name("ctx"), patterns.Client, syntax.Addr(q), decode))
		})
	}
	return r.query(func(q syntax.Expr) syntax.Stmt {
		return syntax.Returns(syntax.CallOf(library.Of("call", "List"), patterns.Client, q, decode))
	})
}

// names builds the variable with the names of the expressions.
func (r *read) names() []syntax.Decl {
	names := r.allNames()
	if len(names) == 0 {
		return nil
	}
	return []syntax.Decl{patterns.NameMap(r.m.NameMap, names)}
}

// allNames returns the names of all expressions. A projection has the keys too, so that any
// item can be the end of a page, and the attribute that tells entities apart.
func (r *read) allNames() []resolve.Name {
	names := slices.Clone(r.Statement.Names)
	for _, attribute := range r.projection() {
		if !slices.ContainsFunc(names, func(n resolve.Name) bool { return n.Attribute == attribute }) {
			names = append(names, resolve.Name{Placeholder: freePlaceholder(names, attribute), Attribute: attribute})
		}
	}
	return names
}

// projection returns the attributes a read asks for, none for all of them.
func (r *read) projection() []string {
	if len(r.Statement.Projection) == 0 {
		return nil
	}
	all := slices.Clone(r.Statement.Projection)
	add := func(name string) {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if !r.ByKey() {
		for _, name := range r.Keys {
			add(name)
		}
	}
	if r.told() == byType {
		add(r.Entry.Path.Table.Type)
	}
	return all
}

func freePlaceholder(names []resolve.Name, attribute string) string {
	base := "#" + strings.Map(func(c rune) rune {
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, attribute)
	free := base
	for n := 2; slices.ContainsFunc(names, func(have resolve.Name) bool { return have.Placeholder == free }); n++ {
		free = base + strconv.Itoa(n)
	}
	return free
}

// projectionText returns the projection expression.
func (r *read) projectionText() string {
	names := r.allNames()
	var all []string
	for _, attribute := range r.projection() {
		i := slices.IndexFunc(names, func(n resolve.Name) bool { return n.Attribute == attribute })
		all = append(all, names[i].Placeholder)
	}
	return strings.Join(all, ", ")
}

// keyed returns the item whose keys the read asks for.
func (r *read) keyed() patterns.Keyed {
	return patterns.Keyed{Item: r.Entry.Item, Entity: r.Entry.Item.Entity}
}

// key builds the primary key of an item.
func (r *read) key() (*syntax.Composite, error) {
	key := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, c := range r.Statement.Key {
		x, err := r.scope.KeyOf(nil, r.keyed(), c.Name, c.Kind, c.Low)
		if err != nil {
			return nil, err
		}
		key.Elems = append(key.Elems, syntax.Elem{Key: syntax.Str(c.Name), Value: x})
	}
	return key, nil
}

// get builds a GetItem.
func (r *read) get(decode syntax.Expr) ([]syntax.Stmt, error) {
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	get := &syntax.Composite{Type: library.Access("Get"), Layout: syntax.Fill}
	add := func(on bool, field string, value syntax.Expr) {
		if on {
			get.Elems = append(get.Elems, syntax.Elem{Field: field, Value: value})
		}
	}
	add(true, "Pattern", syntax.Name(r.m.Pattern))
	add(true, "Key", key)
	projection := r.projectionText()
	add(projection != "", "Projection", syntax.Str(projection))
	add(projection != "", "Names", syntax.Name(r.m.NameMap))
	add(r.Statement.Consistent, "Consistent", syntax.Name("true"))
	var body []syntax.Stmt
	if syntax.UsesIn(key, "k") {
		body = append(body, patterns.KeyVar())
		add(true, "Err", syntax.Method(syntax.Name("k"), "Err"))
	}
	return append(body, syntax.Returns(library.Call("GetOne", syntax.Name("ctx"), patterns.Client, syntax.Addr(get), decode))), nil
}
