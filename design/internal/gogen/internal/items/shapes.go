package items

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// How generated code recognizes the entities of a table where items have no type attribute:
// by the form of the primary key.

// NeedsShape reports whether items of the entity must be recognized by their keys: the table
// has no type attribute, and holds more than this entity.
func (i *Items) NeedsShape(item *model.Item) bool {
	t := item.Table
	return t.Type == "" && (len(t.Items) > 1 || t.Name == i.StateIn || len(t.Guards) > 0 || len(resolve.Sharded(item.Entity)) > 0)
}

// shapeFunc builds the function that recognizes the keys of an entity, if one is needed.
func (i *Items) shapeFunc(item *model.Item) []syntax.Decl {
	if !i.NeedsShape(item) {
		return nil
	}
	e := item.Entity
	f := &syntax.FuncDecl{
		Doc:  syntax.Doc{fmt.Sprintf("%s reports whether a key of table %s is the key of a %s.", i.Names.Shapes[e], item.Table.Name, i.Names.Entities[e])},
		Name: i.Names.Shapes[e], Params: []syntax.Param{{Name: "key", Type: itemType()}}, Results: []syntax.Param{{Type: syntax.Name("bool")}},
	}
	cond := Shape(item, syntax.Name("key"))
	if cond == nil {
		f.Params[0].Name, f.Short, cond = "", true, syntax.Name("true")
	}
	f.Body = []syntax.Stmt{syntax.Returns(cond)}
	return []syntax.Decl{f}
}

// Shape returns the condition that a variable holds the primary key of an entity, nil if
// every key has its form.
func Shape(item *model.Item, variable syntax.Expr) syntax.Expr {
	var all []syntax.Expr
	d := item.Table.Delimiter.String()
	for _, tell := range resolve.Tells(item) {
		text := library.Call("TextAt", variable, syntax.Str(tell.Key.Name))
		switch {
		case tell.Exact:
			all = append(all, library.Call("HasForm", text, syntax.Str(tell.Form)))
		case tell.Form != "":
			all = append(all, library.Call("Matches", append([]syntax.Expr{text}, values.Template(tell.Key.Template)...)...))
		}
		for _, c := range tell.Counters { // the keys of a counter's rows go on behind it
			all = append(all, syntax.Not(library.Call("IsShard", text, syntax.Str(d+c.Attribute.Name+d))))
		}
	}
	var cond syntax.Expr
	for _, x := range all {
		if cond == nil {
			cond = x
			continue
		}
		cond = &syntax.Binary{Op: "&&", X: cond, Y: x, Break: true}
	}
	return cond
}
