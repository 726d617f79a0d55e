package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
)

// db builds the database itself.
func (g *generator) db() ([]syntax.Decl, error) {
	d := g.items.Design
	client := syntax.Pointer(library.Access("Client"))
	made := library.Call("NewClient", syntax.Name("api"), syntax.Name("designOf"), syntax.Name("options"))
	made.Spread = true
	return []syntax.Decl{
		&syntax.TypeDecl{
			Doc:  syntax.Doc{fmt.Sprintf("DB is the database of the design %s. It is safe for use by many goroutines at once.", d.Name)},
			Name: "DB", Type: &syntax.StructType{Fields: []syntax.Field{{Name: "c", Type: client}}, Wide: true},
		},
		&syntax.FuncDecl{
			Doc:     syntax.Doc{"New returns a database on DynamoDB: api is a *dynamodb.Client, or the API of an embedded engine."},
			Name:    "New",
			Params:  []syntax.Param{{Name: "api", Type: library.Access("API")}, {Name: "options", Type: syntax.Ellipsis(library.Access("Option"))}},
			Results: []syntax.Param{{Type: syntax.Pointer(syntax.Name("DB"))}},
			Body:    []syntax.Stmt{syntax.Returns(syntax.Addr(syntax.Make(syntax.Name("DB"), syntax.Elem{Field: "c", Value: made})))},
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Client returns the client that sends the requests of the database."}, Receiver: patterns.Receiver, Name: "Client",
			Results: []syntax.Param{{Type: client}}, Body: []syntax.Stmt{syntax.Returns(patterns.Client)}, Short: true,
		},
		g.designOf(),
	}, nil
}

// overview returns the package comment.
func (g *generator) overview() syntax.Doc {
	d := g.items.Design
	doc := syntax.Doc{
		fmt.Sprintf("Package %s is the database of the design %s. %s", g.options.Package, d.Name, naming.Sentence(d.Doc)),
		"Each access pattern of the design is a method of DB with its name. The entities:",
		g.entityTable(),
		"A method that returns the updated item fails with an *access.DoneError if the write succeeded but the item cannot be decoded. " +
			fmt.Sprintf("Package %stest opens databases in memory for tests.", g.options.Package),
	}
	if g.options.Command != "" {
		doc = append(doc, "The package is generated; change the design, then:", "\t"+g.options.Command)
	}
	return doc
}

// entityTable returns a line for each entity: its name, its table, its primary key.
func (g *generator) entityTable() string {
	var rows [][]string
	for _, e := range g.items.Design.Entities {
		row := []string{g.items.Names.Entities[e], "in no table"}
		if home := g.items.Layout.Home(e); home != nil {
			row[1] = home.Table.Name
			for _, name := range items.TableKeys(home.Table) {
				row = append(row, items.KeyText(home.Key(name)))
			}
		}
		rows = append(rows, row)
	}
	return items.Columns(rows)
}
