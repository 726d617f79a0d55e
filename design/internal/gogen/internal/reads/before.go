package reads

import (
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// phasedList builds a read that the phase of a migration decides about: on the layout of the old version, and then on that of the
// new one.
func (r *read) phasedList(decode syntax.Expr) ([]syntax.Stmt, error) {
	var before []syntax.Stmt
	body, err := r.query(func(q syntax.Expr) syntax.Stmt {
		list := syntax.CallOf(library.Of("call", "ListNotYet"), patterns.Client, q, decode)
		if r.was != nil {
			made := syntax.Method(syntax.Name("db"), r.was.m.ReadBefore(), r.m.PassedOn()...)
			before = []syntax.Stmt{syntax.Lets(made, "before", "decodeBefore")}
			list = syntax.CallOf(library.Of("call", "ListOfBoth"), patterns.Client, syntax.Name("before"), syntax.Name("decodeBefore"), q, decode)
		}
		if r.m.Call.Pattern.Verb == model.Get {
			return syntax.Returns(syntax.Method(list, "First", syntax.Name("ctx")))
		}
		return syntax.Returns(list)
	})
	return append(before, body...), err
}

// before builds the method that makes the query of the old version, and what decodes its items.
func (r *read) before(result string) ([]syntax.Decl, error) {
	decode, err := r.decoder(result)
	if err != nil {
		return nil, err
	}
	f := &syntax.FuncDecl{
		Doc:      syntax.Doc{r.m.ReadBefore() + " is the query of " + r.m.Name + " as the version before of the design serves it."},
		Receiver: patterns.Receiver, Name: r.m.ReadBefore(), Params: r.m.Args,
		Results: []syntax.Param{{Type: library.Access("Query")}, {Type: &syntax.FuncType{
			Params: []syntax.Param{{Type: library.Access("Item")}}, Results: []syntax.Param{{Type: syntax.Name(result)}, {Type: syntax.Name("error")}},
		}}},
	}
	f.Body, err = r.query(func(q syntax.Expr) syntax.Stmt { return syntax.Returns(q, decode) })
	if err != nil {
		return nil, err
	}
	all := append(r.names(), f)
	if r.m.Result != "" {
		all = append(all, r.row(r.m.Result, r.Entities[0])...)
	}
	return all, nil
}

// queryBefore builds the method that makes the query of the old version of a collect. Primary keys tell the items apart in both
// versions.
func (r *read) queryBefore() ([]syntax.Decl, error) {
	f := &syntax.FuncDecl{
		Doc:      syntax.Doc{r.m.ReadBefore() + " is the query of " + r.m.Name + " as the version before of the design serves it."},
		Receiver: patterns.Receiver, Name: r.m.ReadBefore(), Params: r.m.Args, Results: []syntax.Param{{Type: library.Access("Query")}},
	}
	var err error
	f.Body, err = r.query(func(q syntax.Expr) syntax.Stmt { return syntax.Returns(q) })
	return append(r.names(), f), err
}
