package writes

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/program"
)

// Tx builds the transaction of several patterns.
func Tx(p *patterns.Package) []syntax.Decl {
	writes := p.Writes()
	if len(writes) == 0 {
		return nil
	}
	pointer, client := syntax.Pointer(syntax.Name("Tx")), syntax.Name("tx")
	on := &syntax.Param{Name: "tx", Type: pointer}
	inner := syntax.Dot(client, "tx")
	options := syntax.Param{Name: "options", Type: syntax.Ellipsis(library.Access("WriteOption"))}
	commit := syntax.Method(inner, "Commit", syntax.Name("ctx"), syntax.Name("options"))
	commit.Spread = true
	begun := syntax.Make(syntax.Name("Tx"), syntax.Elem{Field: "db", Value: syntax.Name("db")}, syntax.Elem{Field: "tx", Value: library.Call("NewTx", patterns.Client)})
	all := []syntax.Decl{
		&syntax.TypeDecl{
			Doc: syntax.Doc{"Tx is a transaction of several patterns. Its methods add writes, and Commit sends them, all or none. " +
				"A Tx is for one goroutine and one Commit. Two patterns of one Tx cannot write the same item."},
			Name: "Tx", Type: &syntax.StructType{Fields: []syntax.Field{{Name: "db", Type: syntax.Pointer(syntax.Name("DB"))}, {Name: "tx", Type: syntax.Pointer(library.Access("Tx"))}}},
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Tx begins a transaction."}, Receiver: patterns.Receiver, Name: "Tx",
			Results: []syntax.Param{{Type: pointer}}, Body: []syntax.Stmt{syntax.Returns(syntax.Addr(begun))}, Short: true,
		},
		&syntax.FuncDecl{
			Doc:      syntax.Doc{"Commit sends all writes as one transaction. Conditions that fail are in an *access.TxError, by action."},
			Receiver: on, Name: "Commit", Params: []syntax.Param{patterns.Context(), options}, Results: []syntax.Param{{Type: syntax.Name("error")}},
			Body: []syntax.Stmt{syntax.Returns(commit)},
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Len returns the number of actions. DynamoDB takes 100 in one transaction."}, Receiver: on, Name: "Len",
			Results: []syntax.Param{{Type: syntax.Name("int")}}, Body: []syntax.Stmt{syntax.Returns(syntax.Method(inner, "Len"))}, Short: true,
		},
	}
	all = append(all, joining(on, inner)...)
	for _, m := range writes {
		all = append(all, txMethod(m, on, inner))
	}
	return all
}

// joining builds the methods by which transactions of several packages become one.
func joining(on *syntax.Param, inner syntax.Expr) []syntax.Decl {
	other := library.Of("access", "Tx")
	joined := syntax.Make(syntax.Name("Tx"), syntax.Elem{Field: "db", Value: syntax.Name("db")},
		syntax.Elem{Field: "tx", Value: library.Call("Join", patterns.Client, syntax.Name("tx"))})
	return []syntax.Decl{
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Join returns a transaction that adds to another one, of this package or of another generated package on the same " +
				"DynamoDB. Commit of either sends the writes of both, all or none."},
			Receiver: patterns.Receiver, Name: "Join", Params: []syntax.Param{{Name: "tx", Type: other}},
			Results: []syntax.Param{{Type: on.Type}}, Body: []syntax.Stmt{syntax.Returns(syntax.Addr(joined))}, Short: true,
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Shared returns the writes that were added, for the Join method of another package."}, Receiver: on, Name: "Shared",
			Results: []syntax.Param{{Type: syntax.Pointer(library.Access("Tx"))}}, Body: []syntax.Stmt{syntax.Returns(inner)}, Short: true,
		},
	}
}

func txMethod(m *patterns.Method, on *syntax.Param, inner syntax.Expr) syntax.Decl {
	f := &syntax.FuncDecl{Doc: txDoc(m), Receiver: on, Name: m.Name, Params: m.Args}
	made := syntax.Method(syntax.Dot(syntax.Name("tx"), "db"), m.Builder, m.PassedOn()...)
	add := func(writes syntax.Expr) syntax.Stmt {
		call := syntax.Method(inner, "Add", syntax.Name(m.Pattern), writes)
		call.Spread = m.Call.Transaction()
		return &syntax.Do{X: call}
	}
	given := m.Given()
	if given == nil {
		f.Body = []syntax.Stmt{add(made)}
		return f
	}
	list := "write"
	if m.Call.Transaction() {
		list = "writes"
	}
	f.Results = []syntax.Param{{Type: m.Package.Items.Entity(given.Entity)}}
	f.Body = []syntax.Stmt{
		syntax.Lets(made, syntax.String(m.Place(given)), list),
		add(syntax.Name(list)),
		syntax.Returns(m.Package.Items.AsStored(given.Entity, m.Place(given))),
	}
	return f
}

// txDoc returns the doc comment of a pattern as a part of a transaction.
func txDoc(m *patterns.Method) syntax.Doc {
	return syntax.Doc{fmt.Sprintf("%s adds [DB.%s] to the transaction.", m.Name, m.Name), m.Renamed()}
}

// Batch builds the method that makes many calls of a put or delete at once.
func Batch(m *patterns.Method) syntax.Decl {
	input := m.Call.Inputs[0]
	list, item, typ := "keys", "key", syntax.Name(m.Package.Items.Names.Keys[input.Entity])
	write := []syntax.Expr{&syntax.Index{X: writesVar, Index: syntax.Name("i")}}
	if input.Kind == program.Whole {
		list, item, typ = "items", "item", syntax.Name(m.Package.Items.Names.Entities[input.Entity])
		write = append([]syntax.Expr{syntax.Name("_")}, write...)
	}
	made := &syntax.Assign{Left: write, Right: []syntax.Expr{syntax.Method(syntax.Name("db"), m.Builder, syntax.Name(item))}}
	return &syntax.FuncDecl{
		Doc:      syntax.Doc{fmt.Sprintf("%s calls %s for many items, which is not a transaction. An *access.BatchError lists the writes that failed.", m.Batch, m.Name)},
		Receiver: patterns.Receiver, Name: m.Batch,
		Params:  []syntax.Param{patterns.Context(), {Name: list, Type: syntax.ListOf(typ)}},
		Results: []syntax.Param{{Type: syntax.Name("error")}},
		Body: []syntax.Stmt{
			syntax.Let("writes", syntax.Builtin("make", syntax.ListOf(writeType()), syntax.Builtin("len", syntax.Name(list)))),
			&syntax.Range{Key: "i", Value: item, X: syntax.Name(list), Body: []syntax.Stmt{made}},
			syntax.Returns(library.Call("BatchWrite", syntax.Name("ctx"), patterns.Client, syntax.Name(m.Pattern), writesVar)),
		},
	}
}
