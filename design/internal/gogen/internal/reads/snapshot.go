package reads

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
)

// snapshot builds a pattern that reads several items in one transaction.
func snapshot(m *patterns.Method) ([]syntax.Decl, error) {
	var types, decls []syntax.Decl
	result := &syntax.StructType{}
	parts := &syntax.Composite{Type: syntax.ListOf(library.Access("Part")), Layout: syntax.Tall}
	for _, p := range m.Parts {
		r := newRead(p.Method)
		result.Fields = append(result.Fields, syntax.Field{Name: p.Field, Type: syntax.Pointer(syntax.Name(p.Type))})
		part, err := r.part(p)
		if err != nil {
			return nil, err
		}
		parts.Elems = append(parts.Elems, syntax.Elem{Value: part})
		decls = append(decls, r.names()...)
		if p.Result != "" {
			types = append(types, r.row(p.Result, r.Entities[0])...)
		}
	}
	decls = append(decls,
		&syntax.TypeDecl{Doc: syntax.Doc{fmt.Sprintf("%s holds the items that %s finds at one moment, nil where there is none.", m.Result, m.Name)}, Name: m.Result, Type: result},
		&syntax.FuncDecl{
			Doc: m.Doc(), Receiver: patterns.Receiver, Name: m.Name, Params: slices.Concat([]syntax.Param{patterns.Context()}, m.Args),
			Results: []syntax.Param{{Type: syntax.Name(m.Result)}, {Type: syntax.Name("error")}}, Body: snapshotBody(m, parts),
		})
	return append(decls, types...), nil
}

// snapshotBody sends the request and returns the items.
func snapshotBody(m *patterns.Method, parts *syntax.Composite) []syntax.Stmt {
	request := &syntax.Composite{Type: library.Access("Snapshot"), Layout: syntax.Fill, Elems: []syntax.Elem{
		{Field: "Pattern", Value: syntax.Name(m.Pattern)}, {Field: "Parts", Value: parts},
	}}
	body := []syntax.Stmt{&syntax.Var{Name: "found", Type: syntax.Name(m.Result)}}
	if syntax.UsesIn(parts, "k") {
		body = append(body, patterns.KeyVar())
		request.Elems = append(request.Elems, syntax.Elem{Field: "Err", Value: syntax.Method(syntax.Name("k"), "Err")})
	}
	problem := syntax.Name("err")
	return append(body,
		syntax.Let("err", library.Call("ReadSnapshot", syntax.Name("ctx"), patterns.Client, syntax.Addr(request))),
		&syntax.If{Cond: syntax.IsSet(problem), Then: []syntax.Stmt{syntax.Returns(syntax.Make(syntax.Name(m.Result)), problem)}},
		syntax.Returns(syntax.Name("found"), syntax.Nil))
}

// part builds the request of one part.
func (r *read) part(p patterns.Part) (syntax.Expr, error) {
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	decode, err := r.decoder(p.Type)
	if err != nil {
		return nil, err
	}
	part := &syntax.Composite{Layout: syntax.Fill}
	add := func(field string, value syntax.Expr) {
		part.Elems = append(part.Elems, syntax.Elem{Field: field, Value: value})
	}
	add("Name", syntax.Str(p.Call.Pattern.Part))
	add("Table", syntax.Str(r.Entry.Path.Table.Name))
	add("Key", key)
	if projection := r.projectionText(); projection != "" {
		add("Projection", syntax.Str(projection))
		add("Names", syntax.Name(p.NameMap))
	}
	add("Into", library.Call("Into", syntax.Addr(syntax.Dot(syntax.Name("found"), p.Field)), decode))
	return part, nil
}
