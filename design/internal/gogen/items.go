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
		g.printEncoding(p, item)
		g.printDecoding(p, item)
	}
	for _, s := range g.design.Structs {
		p.section(s.Name)
		g.printStructCoding(p, s)
	}
	p.section("memory")
	printSlab(p, "textSlab", "texts", "S")
	printSlab(p, "numberSlab", "numbers", "N")
	return nil
}

// printSlab prints a type that makes the values of an item in one piece of memory.
func printSlab(p *printer, name, what, kind string) {
	p.doc(fmt.Sprintf("%s makes the %s of one item in one piece of memory. It is made with room for all of them.", name, what))
	p.line("type %s []types.AttributeValueMember%s", name, kind)
	p.blank()
	p.line("func (s *%s) of(value string) types.AttributeValue {", name)
	p.line("*s = append(*s, types.AttributeValueMember%s{Value: value})", kind)
	p.line("return &(*s)[len(*s)-1]")
	p.line("}")
	p.blank()
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
	slots := g.computedKeys(inner, item, field)
	if item.Table.Type != "" {
		inner.line("item[%q] = texts.of(%q)", item.Table.Type, e.Name)
		slots.texts++
		slots.all++
	}
	for _, a := range e.Attributes {
		slots.add(a, isSealed(e, a))
		g.printSlot(inner, e, a, field(a))
	}
	return g.itemHead(item, slots, inner.body.String())
}

// itemHead declares what the body of item uses, and ends it with the errors it may have.
func (g *generator) itemHead(item *model.Item, slots slots, lines string) string {
	p := &printer{}
	var errs []string
	declare := func(used, line, err string) {
		if !strings.Contains(lines, used) {
			return
		}
		p.line("%s", line)
		if err != "" {
			errs = append(errs, err)
		}
	}
	declare("&key", "var key access.KeyText", "key.Err()")
	declare("encode", fmt.Sprintf("encode := new(access.Encode(%q))", item.Entity.Name), "encode.Err()")
	p.line("item := make(access.Item, %d)", slots.all)
	declare("texts.of(", fmt.Sprintf("texts := make(textSlab, 0, %d)", slots.texts), "")
	declare("numbers.of(", fmt.Sprintf("numbers := make(numberSlab, 0, %d)", slots.numbers), "")
	p.blank()
	p.body.WriteString(lines)
	for _, err := range errs {
		p.line("if err := %s; err != nil {", err)
		p.line("return nil, err")
		p.line("}")
	}
	p.line("return item, nil")
	return p.body.String()
}

// slots count the attributes an item can have.
type slots struct{ all, texts, numbers int }

func (s *slots) add(a *model.Attribute, sealed bool) {
	s.all++
	switch kind := a.Type.KeyKind(); {
	case sealed:
	case kind == "S":
		s.texts++
	case kind == "N":
		s.numbers++
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
func (g *generator) computedKeys(p *printer, item *model.Item, field func(*model.Attribute) string) slots {
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
		p.line("item[%q] = texts.of(%s)", c.Name, g.keyExpr(e, c, "&key", value))
	}
	if open != "" {
		p.line("}")
	}
	return slots{all: len(item.Computed), texts: len(item.Computed)}
}

// needs reports whether a condition holds only if the attribute is there.
func needs(c *model.Condition, a *model.Attribute) bool {
	if c.Op == model.Missing || c.Op == model.Ne {
		return false
	}
	return c.Attribute == a || slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Attribute == a && len(c.Values) == 1 })
}
