package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
)

// testPackage builds the package that opens databases in memory for tests.
func (g *generator) testPackage() *syntax.File {
	pkg := g.options.Package
	own := func(name string) syntax.Expr {
		return &syntax.Qualified{Path: g.options.ImportPath, Package: pkg, Name: name}
	}
	t, db, memory, problem := syntax.Name("t"), syntax.Name("db"), syntax.Name("memory"), syntax.Name("err")
	params := []syntax.Param{{Name: "t", Type: library.Of("testing", "TB")}, {Name: "options", Type: syntax.Ellipsis(library.Access("Option"))}}
	database := syntax.Pointer(own("DB"))
	engineOptions := syntax.Name("engineOptions")
	configured := []syntax.Param{params[0], {Name: "engineOptions", Type: syntax.Pointer(library.Of("engine", "Options"))}, params[1]}
	opened := syntax.Builtin("Open", t, syntax.Name("options"))
	opened.Spread = true
	withDefaults := syntax.Builtin("OpenWith", t, syntax.Nil, syntax.Name("options"))
	withDefaults.Spread = true
	call := func(x syntax.Expr, method string, args ...syntax.Expr) syntax.Stmt {
		return &syntax.Do{X: syntax.Method(x, method, args...)}
	}
	message := syntax.Str(pkg + "test: %v")
	fatal := &syntax.If{Cond: syntax.IsSet(problem), Then: []syntax.Stmt{call(t, "Fatalf", message, problem)}}
	closed := syntax.OnError(syntax.Method(memory, "Close"), call(t, "Errorf", message, problem))
	api := syntax.Method(memory, "API")
	key := syntax.Name("testKey")
	made := syntax.CallOf(own("New"), api, syntax.Name("options"))
	made.Spread = true
	first := []syntax.Expr{library.Call("WithSealer", syntax.Name("sealer"))}
	if g.options.History != nil { // no migration is under way in a test, and no other process
		first = append(first, library.Call("WithoutState"))
	}
	options := syntax.Builtin("append", syntax.List(library.Access("Option"), first...), syntax.Name("options"))
	options.Spread = true
	provisioned := syntax.Make(library.Of("provision", "Options"), syntax.Elem{Field: "TableNames", Value: syntax.Dot(syntax.Method(db, "Client"), "Table")},
		syntax.Elem{Field: "KMSKey", Value: key}, syntax.Elem{Field: "Poll", Value: library.Of("time", "Millisecond")})
	applied := syntax.CallOf(library.Of("provision", "Apply"), syntax.Method(t, "Context"), api, syntax.CallOf(own("Tables")), syntax.Name("tables"))
	both := []syntax.Param{{Type: database}, {Type: syntax.Pointer(library.Of("engine", "DB"))}}
	return &syntax.File{
		Package: pkg + "test",
		Doc: syntax.Doc{fmt.Sprintf("Package %stest opens databases of the design %s in memory, with all tables, for tests. It links the engine; programs use %[1]s alone.",
			pkg, g.items.Design.Name)},
		Decls: []syntax.Decl{
			&syntax.FuncDecl{
				Doc: syntax.Doc{"New returns an empty database for one test."}, Name: "New", Params: params,
				Results: []syntax.Param{{Type: database}},
				Body:    []syntax.Stmt{call(t, "Helper"), syntax.Lets(opened, "db", "_"), syntax.Returns(db)},
			},
			&syntax.FuncDecl{
				Doc: syntax.Doc{"Open is New and returns the engine too, for streams and for other requests."}, Name: "Open", Params: params,
				Results: both,
				Body:    []syntax.Stmt{call(t, "Helper"), syntax.Returns(withDefaults)},
			},
			&syntax.FuncDecl{
				Doc: syntax.Doc{"OpenWith is Open with options of the engine, such as a clock of engine.NewClock that the test advances."}, Name: "OpenWith", Params: configured,
				Results: both,
				Body: []syntax.Stmt{
					call(t, "Helper"),
					syntax.Lets(syntax.CallOf(library.Of("engine", "Open"), syntax.Str(""), engineOptions), "memory", "err"), fatal,
					call(t, "Cleanup", &syntax.Func{Body: []syntax.Stmt{closed}}),
					syntax.Lets(library.Call("NewSealer", syntax.CallOf(syntax.ListOf(syntax.Name("byte")), key)), "sealer", "err"), fatal,
					syntax.Set(syntax.Name("options"), options),
					syntax.Let("db", made),
					syntax.Let("tables", provisioned),
					&syntax.If{Init: syntax.Lets(applied, "_", "err"), Cond: syntax.IsSet(problem), Then: fatal.Then},
					syntax.Returns(db, memory),
				},
			},
			&syntax.ConstDecl{
				Doc:  syntax.Doc{"testKey encrypts attributes. It is no secret: the data lives as long as the test."},
				Name: "testKey", Value: syntax.Str("a key for tests!"),
			},
		},
	}
}
