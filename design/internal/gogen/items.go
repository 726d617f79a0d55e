package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// printItems prints what turns entities into items and back.
func (g *generator) printItems(p *printer) error {
	stored := g.stored()
	if len(stored) == 0 {
		return nil
	}
	for _, item := range stored {
		p.section(item.Entity.Name)
		g.printFixed(p, item)
		g.printEncoding(p, item)
		g.printDecoding(p, item)
	}
	for _, s := range g.design.Structs {
		p.section(s.Name)
		g.printStructCoding(p, s)
	}
	text := p.body.String()
	for _, s := range g.design.Structs {
		g.printCollections(p, s, text)
	}
	g.printStoredForms(p)
	return nil
}

// hasSealed reports whether an entity needs a client to be stored and read.
func hasSealed(e *model.Entity) bool { return len(e.Encrypt) > 0 }

func (g *generator) printEncoding(p *printer, item *model.Item) {
	e := item.Entity
	name, receiver := g.entities[e], begins(g.entities[e])
	body := g.itemBody(item, receiver)
	p.doc(fmt.Sprintf("item is the %s as it is stored.", name))
	client := "_ *access.Client"
	if hasSealed(e) {
		client = "client *access.Client"
	}
	p.line("func (%s %s) item(%s) (access.Item, error) {", receiver, name, client)
	p.body.WriteString(body)
	p.line("}")
	p.blank()
	if hasSealed(e) {
		p.doc("Item is the item as it is stored, with its keys. The client of the database seals what the design encrypts.")
		p.line("func (%s %s) Item(db *DB) (access.Item, error) { return %s.item(db.c) }", receiver, name, receiver)
	} else {
		p.doc("Item is the item as it is stored, with its keys.")
		p.line("func (%s %s) Item() (access.Item, error) { return %s.item(nil) }", receiver, name, receiver)
	}
	p.blank()
}

// itemBody is the body of item: the keys, then the attributes in the design's order.
func (g *generator) itemBody(item *model.Item, receiver string) string {
	e := item.Entity
	inner := &printer{}
	field := func(a *model.Attribute) string { return receiver + "." + g.fields[a] }
	g.naturalChecks(inner, item, field)
	slots := len(item.Computed) + len(e.Attributes)
	g.computedKeys(inner, item, field)
	if item.Table.Type != "" {
		inner.line("item[%q] = %s", item.Table.Type, g.kinds[e])
		slots++
	}
	for _, a := range e.Attributes {
		g.printMadeAt(inner, a, field)
		g.printSlot(inner, e, a, field(a))
	}
	lines := inner.body.String()
	p := &printer{}
	values := itemMembers(item).print(p)
	p.line("encode := new(marshal.EncodeItem(%q, %s, %s))", e.Name, g.room(item, field), values)
	if strings.Contains(lines, "(key,") {
		p.line("key := encode.Key()")
	}
	p.line("item := make(access.Item, %d)", slots)
	p.blank()
	p.body.WriteString(lines)
	p.line("if err := encode.Err(); err != nil {")
	p.line("return nil, err")
	p.line("}")
	p.line("return item, nil")
	return p.body.String()
}

// printMadeAt makes sure that an id which says when it was made says the truth: it is
// what newest first sorts by.
func (g *generator) printMadeAt(p *printer, a *model.Attribute, field func(*model.Attribute) string) {
	if a.Time == nil || a.Type.Base != model.ULID && a.Type.Base != model.UUIDv7 {
		return
	}
	var present []string
	for _, one := range []*model.Attribute{a, a.Time} {
		if one.Type.Optional {
			present = append(present, g.present(one, field(one)))
		}
	}
	method := "MadeAt"
	if a.Time.Type.Base == model.Unixtime {
		method = "MadeInSecond"
	}
	if len(present) > 0 {
		p.line("if %s {", strings.Join(present, " && "))
	}
	p.line("encode.%s(%q, %s, %q, %s)", method, a.Name, held(a, field(a)), a.Time.Name, held(a.Time, field(a.Time)))
	if len(present) > 0 {
		p.line("}")
	}
}

// printSlot stores one attribute, if it is there.
func (g *generator) printSlot(p *printer, e *model.Entity, a *model.Attribute, field string) {
	value := g.slot(a, held(a, field))
	if isSealed(e, a) {
		value = fmt.Sprintf("encode.Seal(client, %q, %s)", a.Stored, sealedText(a, held(a, field)))
	}
	if present := g.present(a, field); present != "" {
		p.line("if %s {", present)
		p.line("item[%q] = %s", a.Stored, value)
		p.line("}")
		return
	}
	p.line("item[%q] = %s", a.Stored, value)
}

// naturalChecks refuse empty texts where an attribute is a key as it is.
func (g *generator) naturalChecks(p *printer, item *model.Item, field func(*model.Attribute) string) {
	for _, name := range keyNames(item.Table) {
		key := item.Key(name)
		if key == nil || key.Template != nil {
			continue
		}
		a := key.Attribute
		x := held(a, field(a))
		empty := ""
		switch {
		case a.Type.Base == model.Bytes:
			empty = "len(" + x + ") == 0"
		case a.Type.KeyKind() == "S" && a.Type.Base != model.Timestamp:
			empty = x + ` == ""`
		}
		if empty == "" {
			continue
		}
		if a.Type.Optional {
			empty = g.present(a, field(a)) + " && " + empty
		}
		p.line("if %s {", empty)
		p.line("return nil, &access.KeyError{Entity: %q, Attribute: %q, Reason: %q}", item.Entity.Name, a.Name, "is empty")
		p.line("}")
	}
}

// computedKeys prints the computed keys. Keys that are there on the same condition stand
// together.
func (g *generator) computedKeys(p *printer, item *model.Item, field func(*model.Attribute) string) {
	e := item.Entity
	value := func(a *model.Attribute) string { return held(a, field(a)) }
	condition := func(c *model.Computed) string {
		when := slices.Clone(c.When)
		for _, a := range holesOf(c.Template) {
			exists := &model.Condition{Attribute: a, Op: model.Exists}
			if a.Type.Optional && !slices.ContainsFunc(when, func(w *model.Condition) bool { return needs(w, a) }) {
				when = append(when, exists)
			}
		}
		return g.holds(when, field)
	}
	open := ""
	for _, c := range item.Computed {
		when := condition(c)
		if when != open {
			if open != "" {
				p.line("}")
			}
			if when != "" {
				p.line("if %s {", when)
			}
			open = when
		}
		switch same := sameKey(item, c); {
		case !hasHoles(c.Template):
			p.line("item[%q] = %s", c.Name, g.keyFuncs[e][c.Name])
		case same != c:
			p.line("item[%q] = item[%q]", c.Name, same.Name)
		default:
			strictest, why := strictestKey(item, c), ""
			if strictest != c {
				why = fmt.Sprintf(" // %s has the same text and the shorter limit", strictest.Name)
			}
			p.line("item[%q] = encode.S(%s)%s", c.Name, g.keyExpr(e, strictest, "key", value), why)
		}
	}
	if open != "" {
		p.line("}")
	}
}

// sameKey is the first key of an item with the same text on the same condition, or the
// key itself.
func sameKey(item *model.Item, c *model.Computed) *model.Computed {
	first := slices.IndexFunc(item.Computed, func(other *model.Computed) bool { return isSameKey(other, c) })
	return item.Computed[first]
}

// strictestKey is the key that refuses what any key with the same text refuses: a text
// that is short enough for a partition key may be too long for a sort key.
func strictestKey(item *model.Item, c *model.Computed) *model.Computed {
	for _, other := range item.Computed {
		if isSameKey(other, c) && finish(item.Table, other.Name) == "Sort" {
			return other
		}
	}
	return c
}

func isSameKey(a, b *model.Computed) bool {
	return a.Template.Text == b.Template.Text && whenText(a.When) == whenText(b.When)
}

// printFixed prints the values that all items of an entity have.
func (g *generator) printFixed(p *printer, item *model.Item) {
	e := item.Entity
	var rows []string
	for _, c := range item.Computed {
		if !hasHoles(c.Template) {
			rows = append(rows, fmt.Sprintf("%s = &types.AttributeValueMemberS{Value: %q} // %s", g.keyFuncs[e][c.Name], literalOf(c.Template), c.Name))
		}
	}
	if item.Table.Type != "" {
		rows = append(rows, fmt.Sprintf("%s = &types.AttributeValueMemberS{Value: %q} // %s", g.kinds[e], e.Name, item.Table.Type))
	}
	if len(rows) == 0 {
		return
	}
	p.line("// What every %s has.", g.entities[e])
	p.line("var (")
	for _, row := range rows {
		p.line("%s", row)
	}
	p.line(")")
	p.blank()
}

// needs reports whether a condition holds only if the attribute is there.
func needs(c *model.Condition, a *model.Attribute) bool {
	if c.Op == model.Missing || c.Op == model.Ne {
		return false
	}
	return c.Attribute == a || slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Attribute == a && len(c.Values) == 1 })
}
