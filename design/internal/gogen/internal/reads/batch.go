package reads

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
)

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
