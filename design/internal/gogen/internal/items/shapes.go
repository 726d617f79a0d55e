package items

import (
	"cmp"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// How generated code recognizes the entities of a table where items have no type attribute:
// by the form of the primary key.

// NeedsShape reports whether items of the entity must be recognized by their keys: the table
// has no type attribute, and holds more than this entity.
func NeedsShape(item *model.Item) bool {
	t := item.Table
	return t.Type == "" && (len(t.Items) > 1 || len(t.Guards) > 0 || len(Sharded(item.Entity)) > 0)
}

// Sharded returns the counters of an entity that are spread over rows of their own.
func Sharded(e *model.Entity) []*model.Counter {
	var all []*model.Counter
	for _, c := range e.Counters {
		if c.Shards > 1 {
			all = append(all, c)
		}
	}
	return all
}

// shapeFunc builds the function that recognizes the keys of an entity, if one is needed.
func (i *Items) shapeFunc(item *model.Item) []syntax.Decl {
	if !NeedsShape(item) {
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
	names, d := TableKeys(item.Table), item.Table.Delimiter.String()
	for i, name := range names {
		key := item.Key(name)
		text := library.Call("TextAt", variable, syntax.Str(name))
		switch {
		case key.Template != nil:
			all = append(all, library.Call("Matches", append([]syntax.Expr{text}, values.Template(key.Template)...)...))
		case i == len(names)-1 && key.Kind() == "S": // the keys of a counter's rows go on behind it
			for _, c := range Sharded(item.Entity) {
				all = append(all, syntax.Not(library.Call("IsShard", text, syntax.Str(d+c.Attribute.Name+d))))
			}
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

// BySpecificity returns the items of a table, those first whose keys have the most literal
// text, so that a wider form does not match the keys of a narrower one.
func BySpecificity(t *model.Table) []*model.Item {
	all := slices.Clone(t.Items)
	slices.SortStableFunc(all, func(a, b *model.Item) int { return cmp.Compare(literals(b), literals(a)) })
	return all
}

func literals(item *model.Item) int {
	n := 0
	for _, name := range TableKeys(item.Table) {
		if key := item.Key(name); key != nil {
			for _, part := range key.Parts() {
				n += len(part.Literal)
			}
		}
	}
	return n
}
