package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
)

// streamed are the tables whose stream holds items. One of keys alone has nothing to
// hand to typed functions.
func (g *generator) streamed() []*model.Table {
	var all []*model.Table
	for _, t := range g.design.Tables {
		if t.Stream != "" && t.Stream != "keys_only" && len(t.Items) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// printStreams prints the handlers of all streamed tables.
func (g *generator) printStreams(p *printer) error {
	tables := g.streamed()
	if len(tables) == 0 {
		return nil
	}
	p.doc("Handlers are what to do when items change. What is not set is skipped.")
	p.line("type Handlers struct {")
	for _, t := range tables {
		p.line("// Of table %s.", t.Name)
		for _, item := range t.Items {
			name := g.entities[item.Entity]
			p.line("On%s stream.On[%s]", name, name)
		}
		p.blank()
	}
	p.line("}")
	p.blank()
	p.doc("Stream hands the changes of tables to typed functions. Give it to stream.Lambda or to a stream.Consumer. "+
		"Rows that keep values unique and rows of counters are nobody's item and are skipped.",
		views(tables))
	p.line("func (db *DB) Stream(h Handlers) stream.Handler {")
	p.line("return func(ctx context.Context, r stream.Record) error {")
	p.line("switch r.Table {")
	for i, t := range tables {
		p.line("case db.c.Table(%q):", t.Name)
		p.line("return db.stream%d(ctx, r, h)", i+1)
	}
	p.line("}")
	p.line("return fmt.Errorf(%q, r.Table)", g.options.Package+": table %s has no handlers")
	p.line("}")
	p.line("}")
	p.blank()
	for i, t := range tables {
		g.printStream(p, t, i+1)
	}
	return nil
}

// views says which streams do not hold both images.
func views(tables []*model.Table) string {
	text := ""
	for _, t := range tables {
		if t.Stream != "new_and_old_images" {
			text += fmt.Sprintf("The stream of %s holds only one image of an item (%s): a function that needs the other fails. ", t.Name, t.Stream)
		}
	}
	return text
}

// printStream prints what tells the entities of one table apart.
func (g *generator) printStream(p *printer, t *model.Table, n int) {
	p.doc(fmt.Sprintf("stream%d hands on a change of table %s.", n, t.Name))
	p.line("func (db *DB) stream%d(ctx context.Context, r stream.Record, h Handlers) error {", n)
	if t.Type != "" {
		p.line("image := r.New")
		p.line("if image == nil {")
		p.line("image = r.Old")
		p.line("}")
		p.line("if image == nil { // whose item it is nobody knows: all who ask for such changes miss it")
		p.line("for _, err := range []error{")
		for _, item := range t.Items {
			p.line("%s,", g.dispatch(item.Entity))
		}
		p.line("} {")
		p.line("if err != nil {")
		p.line("return err")
		p.line("}")
		p.line("}")
		p.line("return nil")
		p.line("}")
		p.line("kind, _ := image[%q].(*types.AttributeValueMemberS)", t.Type)
		p.line("if kind == nil {")
		p.line("return nil")
		p.line("}")
		p.line("switch kind.Value {")
		for _, item := range t.Items {
			p.line("case %q:", item.Entity.Name)
			p.line("return %s", g.dispatch(item.Entity))
		}
		p.line("}")
		p.line("return nil")
		p.line("}")
		p.blank()
		return
	}
	items := bySpecificity(t)
	if !needsShape(items[0]) {
		p.line("return %s", g.dispatch(items[0].Entity))
		p.line("}")
		p.blank()
		return
	}
	p.line("switch {")
	for _, item := range items {
		p.line("case %s(r.Keys):", g.shapes[item.Entity])
		p.line("return %s", g.dispatch(item.Entity))
	}
	p.line("}")
	p.line("return nil")
	p.line("}")
	p.blank()
}

func (g *generator) dispatch(e *model.Entity) string {
	return fmt.Sprintf("stream.Dispatch(ctx, r, h.On%s, %s)", g.entities[e], g.decoder(e, "db.c"))
}
