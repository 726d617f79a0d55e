package reads

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
)

// getMany builds a BatchGetItem: the keys, one for each value, then the request.
func (r *read) getMany(decode syntax.Expr) ([]syntax.Stmt, error) {
	loop, err := r.loop(r.Fans[0])
	if err != nil {
		return nil, err
	}
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	keys := syntax.Name("keys")
	loop.Body = []syntax.Stmt{syntax.Set(keys, syntax.Builtin("append", keys, key))}
	made := syntax.Builtin("make", syntax.ListOf(library.Access("Item")), syntax.Int(0), syntax.Builtin("len", loop.X))
	before := []syntax.Stmt{syntax.Let("keys", made)}
	if _, listed := loop.X.(*syntax.Composite); listed {
		before = []syntax.Stmt{&syntax.Var{Name: "keys", Type: syntax.ListOf(library.Access("Item"))}}
	}
	gets := &syntax.Composite{Type: library.Access("Gets"), Layout: syntax.Fill}
	add := func(on bool, field string, value syntax.Expr) {
		if on {
			gets.Elems = append(gets.Elems, syntax.Elem{Field: field, Value: value})
		}
	}
	add(true, "Pattern", syntax.Name(r.m.Pattern))
	add(true, "Keys", keys)
	projection := r.projectionText()
	add(projection != "", "Projection", syntax.Str(projection))
	add(projection != "", "Names", syntax.Name(r.m.NameMap))
	add(r.Statement.Consistent, "Consistent", syntax.Name("true"))
	var body []syntax.Stmt
	if syntax.UsesIn(key, "k") {
		body = append(body, patterns.KeyVar())
		add(true, "Err", syntax.Method(syntax.Name("k"), "Err"))
	}
	body = append(append(body, before...), loop)
	return append(body, syntax.Returns(library.Call("GetMany", syntax.Name("ctx"), patterns.Client, syntax.Addr(gets), decode))), nil
}

// Batch builds the method that makes many calls of a get at once.
func Batch(m *patterns.Method) syntax.Decl {
	i, e := m.Package.Items, m.Call.Pattern.Entity
	return &syntax.FuncDecl{
		Doc:      syntax.Doc{fmt.Sprintf("%s calls %s for many keys. The items are in the order of the keys; missing ones are left out.", m.Batch, m.Name)},
		Receiver: patterns.Receiver, Name: m.Batch,
		Params:  []syntax.Param{patterns.Context(), {Name: "keys", Type: syntax.ListOf(syntax.Name(i.Names.Keys[e]))}},
		Results: []syntax.Param{{Type: syntax.ListOf(i.Entity(e))}, {Type: syntax.Name("error")}},
		Body: []syntax.Stmt{syntax.Returns(library.Call("BatchGetKeys", syntax.Name("ctx"), patterns.Client, syntax.Name(m.Pattern), syntax.Name("keys"),
			syntax.Dot(syntax.Name(i.Names.Keys[e]), "primary"), syntax.Name(fmt.Sprint(m.Call.Read.Statement.Consistent)), i.Decoder(e, patterns.Client)))},
	}
}
