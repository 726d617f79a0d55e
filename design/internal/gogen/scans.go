package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// scans builds a method for each entity that reads all of its items.
func (g *generator) scans() ([]syntax.Decl, error) {
	var all []syntax.Decl
	for _, item := range g.items.Stored() {
		all = append(all, g.scan(item))
	}
	return all, nil
}

func (g *generator) scan(item *model.Item) syntax.Decl {
	e := item.Entity
	name, method := g.items.Names.Entities[e], g.items.Names.Scans[e]
	pattern := syntax.Make(library.Access("Pattern"), syntax.Elem{Field: "Name", Value: syntax.Str(method)}, syntax.Elem{Field: "Table", Value: syntax.Str(item.Table.Name)},
		syntax.Elem{Field: "Keys", Value: syntax.Strings(items.TableKeys(item.Table)...)})
	if c := g.patterns.Changed[e]; c != nil && c.Renamed {
		pattern.Elems = append(pattern.Elems, syntax.Elem{Field: "Parts", Value: syntax.Strings(c.Part)})
	}
	sweep := &syntax.Composite{Type: library.Access("Sweep"), Elems: []syntax.Elem{{Field: "Pattern", Value: syntax.Addr(pattern)}}, Layout: syntax.Fill}
	sweep.Elems = append(sweep.Elems, g.scanFilter(item)...)
	return &syntax.FuncDecl{
		Doc: syntax.Doc{fmt.Sprintf("%s reads every %s, in no order. It reads and pays for the whole table %s.",
			method, name, item.Table.Name)},
		Receiver: patterns.Receiver, Name: method, Results: []syntax.Param{{Type: syntax.Generic(library.Access("Scan"), syntax.Name(name))}},
		Body: []syntax.Stmt{syntax.Returns(syntax.CallOf(library.Of("call", "Scan"), patterns.Client, sweep, g.onlyThese(item)))},
	}
}

// onlyThese returns the decode function of a scan, which skips items of other entities that
// the filter does not exclude.
func (g *generator) onlyThese(item *model.Item) syntax.Expr {
	e := item.Entity
	decode, stored := g.items.Decoder(e, patterns.Client), syntax.Name("item")
	if !g.items.NeedsShape(item) || items.Shape(item, stored) == nil {
		return decode
	}
	typ := g.items.Entity(e)
	shape := syntax.CallOf(syntax.Name(g.items.Names.Shapes[e]), stored)
	return &syntax.Func{
		Params:  []syntax.Param{{Name: "item", Type: library.Access("Item")}},
		Results: []syntax.Param{{Type: typ}, {Type: syntax.Name("error")}},
		Body: []syntax.Stmt{
			&syntax.If{Cond: syntax.Not(shape), Then: []syntax.Stmt{syntax.Returns(syntax.Make(typ), library.Access("Skip"))}},
			syntax.Returns(syntax.CallOf(decode, stored)),
		},
	}
}

// scanFilter returns the filter of a scan: by the type, or by the beginnings of the keys.
func (g *generator) scanFilter(item *model.Item) []syntax.Elem {
	var filters []string
	names := syntax.Make(syntax.MapOf(syntax.Name("string"), syntax.Name("string")))
	values := syntax.Make(library.Access("Item"))
	add := func(filter, name, attribute, value, text string) {
		filters = append(filters, filter)
		names.Elems = append(names.Elems, syntax.Elem{Key: syntax.Str(name), Value: syntax.Str(attribute)})
		values.Elems = append(values.Elems, syntax.Elem{Key: syntax.Str(value), Value: library.Call("S", syntax.Str(text))})
	}
	if t := item.Table; t.Type != "" {
		add("#type = :type", "#type", t.Type, ":type", item.Entity.TypeName())
	} else if g.items.NeedsShape(item) {
		for i, name := range items.TableKeys(t) {
			if begin := beginning(item.Key(name)); begin != "" {
				hash, colon := "#k"+strconv.Itoa(i), ":k"+strconv.Itoa(i)
				add(fmt.Sprintf("begins_with(%s, %s)", hash, colon), hash, name, colon, begin)
			}
		}
	}
	if len(filters) == 0 {
		return nil
	}
	return []syntax.Elem{{Field: "Filter", Value: syntax.Str(strings.Join(filters, " AND "))}, {Field: "Names", Value: names}, {Field: "Values", Value: values}}
}

// beginning returns the literal that a key begins with.
func beginning(key *model.Key) string {
	text := ""
	for _, part := range key.Parts() {
		if part.IsHole() {
			break
		}
		text += part.Literal
	}
	return text
}
