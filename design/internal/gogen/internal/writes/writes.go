// Package writes builds the methods of patterns that write, alone and in transactions, and the
// actions that patterns share. Packages resolve and program decided which requests a pattern
// sends; this package writes them down in Go.
package writes

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/resolve"
)

// A writer builds the methods of all patterns that write.
type writer struct {
	*patterns.Package
	builders    map[string]*builder // by their text
	builderList []*builder
}

// Methods builds the methods of all patterns that write.
func Methods(p *patterns.Package) ([]syntax.Decl, error) {
	w := &writer{Package: p, builders: map[string]*builder{}}
	transactions := map[*patterns.Method]*transaction{}
	for _, m := range p.Writes() {
		if m.Call.Transaction() {
			t, err := w.transaction(m)
			if err != nil {
				return nil, err
			}
			transactions[m] = t
		}
	}
	w.nameBuilders()
	var all []syntax.Decl
	for _, m := range p.Writes() {
		all = append(all, m.Params()...)
		all = append(all, method(m))
		if t := transactions[m]; t != nil {
			all = append(all, t.decls()...)
			continue
		}
		decls, err := single(m)
		if err != nil {
			return nil, err
		}
		all = append(all, decls...)
	}
	all = append(all, w.shared()...)
	return append(all, tables(p, all)...), nil
}

func writeType() syntax.Expr { return library.Access("Action") }

// method builds the method of DB.
func method(m *patterns.Method) syntax.Decl {
	params := slices.Concat([]syntax.Param{patterns.Context()}, m.Args)
	given, list := m.Given(), "write"
	if m.Call.Transaction() {
		params = append(params, syntax.Param{Name: "options", Type: syntax.Ellipsis(library.Access("WriteOption"))})
		list = "writes"
	}
	f := &syntax.FuncDecl{Doc: m.Doc(), Receiver: patterns.Receiver, Name: m.Name, Params: params}
	made := syntax.Method(syntax.Name("db"), m.Builder, m.PassedOn()...)
	failure := syntax.Param{Type: syntax.Name("error")}
	if given == nil {
		f.Results = []syntax.Param{failure}
		if updates(m) {
			f.Results = []syntax.Param{{Type: m.Package.Items.Entity(m.Call.Pattern.Entity)}, failure}
		}
		f.Body = []syntax.Stmt{syntax.Returns(send(m, made))}
		return f
	}
	typ, item := m.Package.Items.Entity(given.Entity), m.Place(given)
	f.Results = []syntax.Param{{Type: typ}, failure}
	f.Body = []syntax.Stmt{
		syntax.Lets(made, syntax.String(item), list),
		syntax.OnError(send(m, syntax.Name(list)), syntax.Returns(syntax.Make(typ), syntax.Name("err"))),
		syntax.Returns(m.Package.Items.AsStored(given.Entity, item), syntax.Nil),
	}
	return f
}

// updates reports whether the call is one update, which returns the item.
func updates(m *patterns.Method) bool {
	return !m.Call.Transaction() && m.Call.Writes[0].Operation == resolve.UpdateItem
}

// send returns the call that sends the writes: a variable, or the call that makes them.
func send(m *patterns.Method, list syntax.Expr) syntax.Expr {
	args := []syntax.Expr{syntax.Name("ctx"), patterns.Client, syntax.Name(m.Pattern)}
	if m.Call.Transaction() {
		call := library.Call("Transact", append(args, list, syntax.Name("options"))...)
		call.Spread = true
		return call
	}
	if _, ok := list.(*syntax.Ident); ok {
		args = append(args, syntax.Addr(list))
	} else {
		args = append(args, syntax.Builtin("new", list))
	}
	switch m.Call.Writes[0].Operation {
	case resolve.UpdateItem:
		return library.Call("UpdateItem", append(args, m.Package.Items.Decoder(m.Call.Pattern.Entity, patterns.Client))...)
	case resolve.DeleteItem:
		return library.Call("DeleteItem", args...)
	}
	return library.Call("PutItem", args...)
}

// single builds the method that makes the write of a call that is no transaction, for a call
// of its own and for a transaction of several patterns.
func single(m *patterns.Method) ([]syntax.Decl, error) {
	w := m.Call.Writes[0]
	var fixes []syntax.Stmt
	if w.Given != nil {
		var err error
		if fixes, err = fix(m, w); err != nil {
			return nil, err
		}
	}
	a, err := newAction(m, w, syntax.Name(m.NameMap), nil)
	if err != nil {
		return nil, err
	}
	f := &syntax.FuncDecl{
		Receiver: patterns.Receiver, Name: m.Builder, Params: m.Args,
		Results: []syntax.Param{{Type: writeType()}}, Body: a.body(),
	}
	if w.Given != nil {
		fixes = withoutUnused(fixes, m.Seen[w.Given], a.body())
		f.Results = []syntax.Param{{Type: m.Package.Items.Entity(w.Given.Entity)}, {Type: writeType()}}
		f.Body = slices.Concat(fixes, a.before, []syntax.Stmt{syntax.Returns(m.Place(w.Given), a.write)})
	}
	if len(a.names) > 0 {
		return []syntax.Decl{patterns.NameMap(m.NameMap, a.names), f}, nil
	}
	return []syntax.Decl{f}, nil
}

// withoutUnused returns statements without the declaration of a variable that neither the
// statements after it nor other statements use.
func withoutUnused(body []syntax.Stmt, name string, others []syntax.Stmt) []syntax.Stmt {
	for i, s := range body {
		d, ok := s.(*syntax.Define)
		if ok && name != "" && slices.Equal(d.Names, []string{name}) && !syntax.Uses(body[i+1:], name) && !syntax.Uses(others, name) {
			return slices.Concat(body[:i], body[i+1:])
		}
	}
	return body
}
