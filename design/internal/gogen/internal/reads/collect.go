package reads

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A kind is one of the entities that a collect reads.
type kind struct {
	entity     *model.Entity
	field, typ string
	decode     syntax.Expr
}

// collect builds a pattern that reads several entities with one query.
func (r *read) collect() ([]syntax.Decl, error) {
	m := r.m
	if r.phased && len(m.Call.Pattern.Select) > 0 {
		return nil, fmt.Errorf("%s selects attributes of several entities through a key that only the new version of the design has; select none until the migration is over", m.Call.Pattern.Name)
	}
	kinds := r.kinds()
	result := &syntax.StructType{}
	for _, e := range r.Entities {
		k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.entity == e })]
		result.Fields = append(result.Fields, syntax.Field{Name: k.field, Type: syntax.ListOf(syntax.Name(k.typ))})
	}
	query, err := r.query(func(q syntax.Expr) syntax.Stmt { return syntax.Let("query", q) })
	if err != nil {
		return nil, err
	}
	found, problem, none := syntax.Name("found"), syntax.Name("err"), syntax.Make(syntax.Name(m.Result))
	body := append([]syntax.Stmt{&syntax.Var{Name: "found", Type: syntax.Name(m.Result)}}, query...)
	sent, args := "CollectAll", []syntax.Expr{syntax.Addr(syntax.Name("query"))}
	switch {
	case r.was != nil:
		body = append(body, syntax.Let("before", syntax.Method(syntax.Name("db"), r.was.m.ReadBefore(), m.PassedOn()...)))
		sent, args = "CollectOfBoth", append([]syntax.Expr{syntax.Addr(syntax.Name("before"))}, args...)
	case r.phased:
		sent, args = "CollectOfBoth", append([]syntax.Expr{syntax.Nil}, args...)
	}
	args = append(append([]syntax.Expr{syntax.Name("ctx"), patterns.Client}, args...), &syntax.Func{
		Params:  []syntax.Param{{Name: "item", Type: library.Access("Item")}},
		Results: []syntax.Param{{Type: syntax.Name("error")}},
		Body:    []syntax.Stmt{r.choose(kinds), syntax.Returns(library.Access("Skip"))},
	})
	body = append(body, syntax.Let("err", library.Call(sent, args...)))
	failed := &syntax.If{Cond: syntax.IsSet(problem), Then: []syntax.Stmt{syntax.Returns(none, problem)}}
	if m.Call.Pattern.Limit > 0 {
		truncated := syntax.CallOf(library.Of("errors", "Is"), problem, library.Access("ErrTruncated"))
		failed.Cond = syntax.And(failed.Cond, syntax.Not(truncated))
		body = append(body, failed, syntax.Returns(found, problem))
	} else {
		body = append(body, failed, syntax.Returns(found, syntax.Nil))
	}
	all := append(r.names(),
		&syntax.TypeDecl{Doc: syntax.Doc{fmt.Sprintf("%s holds the items that %s finds, each list in the order of the key.", m.Result, m.Name)}, Name: m.Result, Type: result},
		&syntax.FuncDecl{
			Doc: m.Doc(), Receiver: patterns.Receiver, Name: m.Name, Params: slices.Concat([]syntax.Param{patterns.Context()}, m.Args),
			Results: []syntax.Param{{Type: syntax.Name(m.Result)}, {Type: syntax.Name("error")}}, Body: body,
		})
	if r.was != nil {
		decls, err := r.was.queryBefore()
		if err != nil {
			return nil, err
		}
		all = append(all, decls...)
	}
	if len(m.Call.Pattern.Select) > 0 {
		for _, k := range kinds {
			all = append(all, r.row(k.typ, k.entity)...)
		}
	}
	return all, nil
}

// kinds returns the entities of a collect, in the order in which they are recognized.
func (r *read) kinds() []kind {
	i, fields := r.m.Package.Items, naming.Scope{}
	var all []kind
	for _, stored := range resolve.NarrowestFirst(r.Entry.Path.Table) {
		e := stored.Entity
		if !slices.Contains(r.Entities, e) {
			continue
		}
		k := kind{entity: e, typ: i.Names.Entities[e], decode: i.Decoder(e, patterns.Client)}
		if len(r.m.Call.Pattern.Select) > 0 {
			if shared := r.sharedRow(e); shared != nil {
				k.typ = shared.Type
			} else {
				k.typ = i.Names.Pkg.Take(r.m.Name+i.Names.Entities[e]+"Row", "Struct")
			}
			k.decode = r.rowDecoder(k.typ, e)
		}
		k.field = fields.Take(naming.Plural(i.Names.Entities[e]), "Items")
		all = append(all, k)
	}
	return all
}

// choose adds an item to the list of its entity.
func (r *read) choose(kinds []kind) syntax.Stmt {
	choice := &syntax.Switch{}
	if r.told() == byType {
		choice.Tag = library.Call("TextAt", item, syntax.Str(r.Entry.Path.Table.Type))
	}
	problem := syntax.Name("err")
	for _, k := range kinds {
		list := syntax.Dot(syntax.Name("found"), k.field)
		cond := r.isOne(k.entity)
		if choice.Tag != nil {
			cond = syntax.Str(k.entity.TypeName())
		}
		choice.Cases = append(choice.Cases, syntax.Case{Values: []syntax.Expr{cond}, Body: []syntax.Stmt{
			syntax.Lets(syntax.CallOf(k.decode, item), "one", "err"),
			&syntax.If{Cond: syntax.IsNil(problem), Then: []syntax.Stmt{syntax.Set(list, syntax.Builtin("append", list, syntax.Name("one")))}},
			syntax.Returns(problem),
		}})
	}
	return choice
}
