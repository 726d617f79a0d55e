package gogen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
)

// How generated code tells the entities of a table apart where an item does not say what
// it is: by what its primary key looks like.

// needsShape reports whether items of the entity must be told from others by their keys:
// the table has no type attribute, and not only this entity in it.
func needsShape(item *model.Item) bool {
	t := item.Table
	return t.Type == "" && (len(t.Items) > 1 || len(t.Guards) > 0 || len(sharded(item.Entity)) > 0)
}

// sharded are the counters of an entity that are spread over rows of their own.
func sharded(e *model.Entity) []*model.Counter {
	var all []*model.Counter
	for _, c := range e.Counters {
		if c.Shards > 1 {
			all = append(all, c)
		}
	}
	return all
}

// printShape prints the function that knows the keys of an entity, if one is needed.
func (g *generator) printShape(p *printer, item *model.Item) {
	if !needsShape(item) {
		return
	}
	e := item.Entity
	conditions := g.shape(item)
	p.doc(fmt.Sprintf("%s reports whether a key of table %s is that of one %s.", g.shapes[e], item.Table.Name, g.entities[e]))
	if len(conditions) == 0 {
		p.line("func %s(access.Item) bool { return true }", g.shapes[e])
	} else {
		p.line("func %s(key access.Item) bool {", g.shapes[e])
		p.line("return %s", strings.Join(conditions, " &&\n"))
		p.line("}")
	}
	p.blank()
}

// shape are the conditions on the texts of a primary key.
func (g *generator) shape(item *model.Item) []string {
	var all []string
	names := tableKeys(item.Table)
	for i, name := range names {
		key := item.Key(name)
		text := fmt.Sprintf("textIn(key, %q)", name)
		switch {
		case key.Template != nil:
			all = append(all, fmt.Sprintf("marshal.Matches(%s, %s)", text, strings.Join(shapeOf(key.Template), ", ")))
		case i == len(names)-1 && key.Kind() == "S": // a counter's rows go on behind it
			for _, c := range sharded(item.Entity) {
				all = append(all, fmt.Sprintf("!isShard(%s, %q)", text, model.Delimiter+c.Attribute.Name+model.Delimiter))
			}
		}
	}
	return all
}

// shapeOf is a template as marshal.Matches takes it.
func shapeOf(t *model.Template) []string {
	all := make([]string, len(t.Parts))
	for i, part := range t.Parts {
		switch width := fixedWidth(part); {
		case !part.IsHole():
			all[i] = strconv.Quote(part.Literal)
		case width > 0:
			all[i] = fmt.Sprintf("marshal.Wide(%d)", width)
		default:
			all[i] = `""`
		}
	}
	return all
}

// fixedWidths are the types whose texts always have the same number of characters.
var fixedWidths = map[model.Base]int{
	model.Timestamp: 24, model.Date: 10, model.Week: 8,
}

// fixedWidth is how many characters a hole always has; 0 if that differs. Ids are not
// counted on: nothing checks their texts when they are written.
func fixedWidth(part model.Part) int {
	if !part.IsHole() || len(part.Filters) > 1 {
		return 0
	}
	if len(part.Filters) == 0 {
		return fixedWidths[elementOf(part.Attribute.Type).Base]
	}
	switch f := part.Filters[0]; f.Name {
	case model.Pad:
		return f.N
	case model.ByDate:
		return len("2026-02-17")
	case model.ByMon:
		return len("2026-02")
	case model.ByHour:
		return len("2026-02-17T10")
	}
	return 0
}

// bySpecificity are the items of a table, those first whose keys have the most literal
// text, so that a wider shape does not take what a narrower one means.
func bySpecificity(t *model.Table) []*model.Item {
	all := slices.Clone(t.Items)
	slices.SortStableFunc(all, func(a, b *model.Item) int { return cmp.Compare(literals(b), literals(a)) })
	return all
}

func literals(item *model.Item) int {
	n := 0
	for _, name := range tableKeys(item.Table) {
		if key := item.Key(name); key != nil {
			for _, part := range key.Parts() {
				n += len(part.Literal)
			}
		}
	}
	return n
}
