package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// streamed returns the tables whose stream holds items. A stream of keys has nothing to hand
// to typed functions.
func (g *generator) streamed() []*model.Table {
	var all []*model.Table
	for _, t := range g.items.Design.Tables {
		if t.Stream != "" && t.Stream != "keys_only" && len(t.Items) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func handlerParams() []syntax.Param {
	return []syntax.Param{patterns.Context(), {Name: "r", Type: library.Of("stream", "Record")}}
}

func errorResult() []syntax.Param { return []syntax.Param{{Type: syntax.Name("error")}} }

// streams builds the handlers of all streamed tables.
func (g *generator) streams() ([]syntax.Decl, error) {
	tables := g.streamed()
	if len(tables) == 0 {
		return nil, nil
	}
	handlers := &syntax.StructType{}
	table := syntax.Dot(syntax.Name("r"), "Table")
	choice := &syntax.Switch{Tag: table}
	var each []syntax.Decl
	for i, t := range tables {
		for n, item := range t.Items {
			name := g.items.Names.Entities[item.Entity]
			f := syntax.Field{Name: "On" + name, Type: syntax.Generic(library.Of("stream", "On"), syntax.Name(name))}
			if n == 0 {
				f.Doc = []string{"Of table " + t.Name + "."}
			}
			handlers.Fields = append(handlers.Fields, f)
		}
		handlers.Fields = append(handlers.Fields, syntax.Field{})
		method := fmt.Sprintf("stream%d", i+1)
		body := g.stream(t)
		one := syntax.Case{Values: []syntax.Expr{syntax.Method(patterns.Client, "Table", syntax.Str(t.Name))}, Body: body}
		if len(body) == 1 { // there is nothing to tell apart
			choice.Cases = append(choice.Cases, one)
			continue
		}
		one.Body = []syntax.Stmt{syntax.Returns(syntax.Method(syntax.Name("db"), method, syntax.Name("ctx"), syntax.Name("r"), syntax.Name("h")))}
		choice.Cases = append(choice.Cases, one)
		each = append(each, &syntax.FuncDecl{
			Doc: syntax.Doc{fmt.Sprintf("%s dispatches a change of table %s.", method, t.Name)}, Receiver: patterns.Receiver, Name: method,
			Params:  append(handlerParams(), syntax.Param{Name: "h", Type: syntax.Name("Handlers")}),
			Results: errorResult(), Body: body,
		})
	}
	unknown := syntax.CallOf(library.Of("fmt", "Errorf"), syntax.Str(g.options.Package+": table %s has no handlers"), table)
	handle := &syntax.Func{Params: handlerParams(), Results: errorResult(), Body: []syntax.Stmt{choice, syntax.Returns(unknown)}}
	return append([]syntax.Decl{
		&syntax.TypeDecl{Doc: syntax.Doc{"Handlers holds the functions that are called when items change. Those that are nil are skipped."}, Name: "Handlers", Type: handlers},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Stream calls handlers for the changes of tables. Pass it to stream.Lambda or to a stream.Consumer. " +
				"Rows that keep values unique and rows of sharded counters are skipped.", views(tables)},
			Receiver: patterns.Receiver, Name: "Stream", Params: []syntax.Param{{Name: "h", Type: syntax.Name("Handlers")}},
			Results: []syntax.Param{{Type: library.Of("stream", "Handler")}}, Body: []syntax.Stmt{syntax.Returns(handle)},
		},
	}, each...), nil
}

// views says which streams do not hold both images.
func views(tables []*model.Table) string {
	text := ""
	for _, t := range tables {
		if t.Stream != "new_and_old_images" {
			text += fmt.Sprintf("The stream of %s holds only one image of an item (%s): a handler that needs the other fails. ", t.Name, t.Stream)
		}
	}
	return text
}

// stream builds what tells the entities of one table apart.
func (g *generator) stream(t *model.Table) []syntax.Stmt {
	if t.Type != "" {
		return g.streamByType(t)
	}
	stored := resolve.NarrowestFirst(t)
	if !g.items.NeedsShape(stored[0]) {
		return []syntax.Stmt{syntax.Returns(g.dispatch(stored[0].Entity))}
	}
	choice := &syntax.Switch{}
	for _, item := range stored {
		shape := syntax.CallOf(syntax.Name(g.items.Names.Shapes[item.Entity]), syntax.Dot(syntax.Name("r"), "Keys"))
		choice.Cases = append(choice.Cases, syntax.Case{Values: []syntax.Expr{shape}, Body: []syntax.Stmt{syntax.Returns(g.dispatch(item.Entity))}})
	}
	return []syntax.Stmt{choice, syntax.Returns(syntax.Nil)}
}

// streamByType tells entities apart by the attribute that holds their name.
func (g *generator) streamByType(t *model.Table) []syntax.Stmt {
	image, kind, problem := syntax.Name("image"), syntax.Name("kind"), syntax.Name("err")
	record := syntax.Name("r")
	every := &syntax.Composite{Type: syntax.ListOf(syntax.Name("error")), Layout: syntax.Tall}
	choice := &syntax.Switch{Tag: syntax.Dot(kind, "Value")}
	for _, item := range t.Items {
		every.Elems = append(every.Elems, syntax.Elem{Value: g.dispatch(item.Entity)})
		choice.Cases = append(choice.Cases, syntax.Case{Values: []syntax.Expr{syntax.Str(item.Entity.TypeName())}, Body: []syntax.Stmt{syntax.Returns(g.dispatch(item.Entity))}})
	}
	text := &syntax.Assert{X: &syntax.Index{X: image, Index: syntax.Str(t.Type)}, Type: syntax.Pointer(library.Of("types", "AttributeValueMemberS"))}
	return []syntax.Stmt{
		syntax.Let("image", syntax.Dot(record, "New")),
		&syntax.If{Cond: syntax.IsNil(image), Then: []syntax.Stmt{syntax.Set(image, syntax.Dot(record, "Old"))}},
		&syntax.If{Cond: syntax.IsNil(image), Note: "the entity is unknown: every handler that asks for such changes fails", Then: []syntax.Stmt{
			&syntax.Range{Value: "err", X: every, Body: []syntax.Stmt{&syntax.If{Cond: syntax.IsSet(problem), Then: []syntax.Stmt{syntax.Returns(problem)}}}},
			syntax.Returns(syntax.Nil),
		}},
		syntax.Lets(text, "kind", "_"),
		&syntax.If{Cond: syntax.IsNil(kind), Then: []syntax.Stmt{syntax.Returns(syntax.Nil)}},
		choice,
		syntax.Returns(syntax.Nil),
	}
}

// dispatch calls the handler of an entity.
func (g *generator) dispatch(e *model.Entity) syntax.Expr {
	handler := syntax.Dot(syntax.Name("h"), "On"+g.items.Names.Entities[e])
	if c := g.patterns.Changed[e]; c != nil {
		return syntax.CallOf(library.Of("stream", "DispatchChanged"), syntax.Name("ctx"), patterns.Client, syntax.Str(c.Part), syntax.Name("r"), handler, g.items.Decoder(e, patterns.Client))
	}
	return syntax.CallOf(library.Of("stream", "Dispatch"), syntax.Name("ctx"), syntax.Name("r"), handler, g.items.Decoder(e, patterns.Client))
}
