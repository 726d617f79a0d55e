package gogen

import (
	"fmt"
	"strings"
)

// printDB prints the database itself, and above it what the package is.
func (g *generator) printDB(p *printer) error {
	d := g.design
	p.packageDoc(g.overview()...)
	p.doc(fmt.Sprintf("DB is the database of the design %s. It is safe for use by many goroutines at once.", d.Name))
	p.line("type DB struct{ c *access.Client }")
	p.blank()
	p.doc("New is a database on DynamoDB, or on what stands in for it: a *dynamodb.Client, or the API of an embedded engine.")
	p.line("func New(api access.API, options ...access.Option) *DB {")
	p.line("return &DB{c: access.NewClient(api, designOf, options...)}")
	p.line("}")
	p.blank()
	p.doc("Client is what the database calls DynamoDB with.")
	p.line("func (db *DB) Client() *access.Client { return db.c }")
	p.blank()
	p.doc("designOf is the design the package was generated from. Cursors of another one are refused.")
	p.line("var designOf = access.Design{Name: %q, Hash: %q}", d.Name, g.hash())
	return nil
}

// overview is the package comment.
func (g *generator) overview() []string {
	d := g.design
	text := []string{
		fmt.Sprintf("Package %s is the database of the design %s. %s", g.options.Package, d.Name, sentence(d.Doc)),
		"Each access pattern of the design is a method of DB with its name. The entities:",
		g.entityTable(),
		fmt.Sprintf("Package %stest has databases in memory for tests.", g.options.Package),
	}
	if g.options.Command != "" {
		text = append(text, "The package is generated; change the design, then:", "\t"+g.options.Command)
	}
	return text
}

// entityTable is a line for each entity: its name, its table, its primary key.
func (g *generator) entityTable() string {
	var rows [][]string
	for _, e := range g.design.Entities {
		row := []string{g.entities[e], "in no table"}
		if home := g.layout.Home(e); home != nil {
			row[1] = home.Table.Name
			for _, name := range tableKeys(home.Table) {
				row = append(row, keyText(home.Key(name)))
			}
		}
		rows = append(rows, row)
	}
	return columns(rows)
}

// columns is a table as preformatted text of a comment.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			lines[i] += fmt.Sprintf("%-*s  ", widths[j], cell)
		}
		lines[i] = "\t" + strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
