package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
)

// How generated code turns a stored value into a Go value. A variable named from, an
// marshal.Decoder, reads the item.

// printDecoding prints the functions that turn a stored item into an entity.
func (g *generator) printDecoding(p *printer, item *model.Item) {
	e := item.Entity
	name, decode := g.entities[e], g.decoders[e]
	if hasSealed(e) {
		p.doc(fmt.Sprintf("%s reads a stored %s. The client opens what is sealed.", decode, name))
		p.line("func %s(client *access.Client) func(access.Item) (%s, error) {", decode, name)
		p.line("return func(item access.Item) (%s, error) {", name)
		g.printDecoder(p, e)
		p.line("}")
		p.line("}")
		p.blank()
		p.doc(fmt.Sprintf("%s reads a stored %s. The client of the database opens what is sealed.", g.fromItem[e], name))
		p.line("func %s(db *DB, item access.Item) (%s, error) { return %s(db.c)(item) }", g.fromItem[e], name, decode)
		p.blank()
		return
	}
	p.doc(fmt.Sprintf("%s reads a stored %s.", decode, name))
	p.line("func %s(item access.Item) (%s, error) {", decode, name)
	g.printDecoder(p, e)
	p.line("}")
	p.blank()
	p.doc(fmt.Sprintf("%s reads a stored %s.", g.fromItem[e], name))
	p.line("func %s(item access.Item) (%s, error) { return %s(item) }", g.fromItem[e], name, decode)
	p.blank()
}

// decoder is the expression of the function that reads an entity, given that of a client.
func (g *generator) decoder(e *model.Entity, client string) string {
	if hasSealed(e) {
		return g.decoders[e] + "(" + client + ")"
	}
	return g.decoders[e]
}

// printDecoder prints the statements that read an item into an entity.
func (g *generator) printDecoder(p *printer, e *model.Entity) {
	p.line("from := marshal.Decode(%q, item)", e.Name)
	var later []*model.Attribute // what is opened as bytes has no expression
	p.line("decoded := %s{", g.entities[e])
	for _, a := range e.Attributes {
		switch {
		case isSealed(e, a) && (a.Type.Base == model.Bytes || a.Type.Base == model.JSON):
			later = append(later, a)
		case isSealed(e, a):
			p.line("%s: %s,", g.fields[a], g.readSealed(e, a))
		default:
			p.line("%s: %s,", g.fields[a], g.read(a, a.Stored))
		}
	}
	p.line("}")
	for _, a := range later {
		p.line("decoded.%s, _ = from.Sealed(client, %q, %q)", g.fields[a], e.Name, a.Stored)
	}
	p.line("return decoded, from.Err()")
}

// decoderMethods are the methods of a Decoder for types with one, and readFuncs the
// functions for values inside others.
var (
	decoderMethods = map[model.Base]string{
		model.String: "String", model.UUID: "String", model.UUIDv7: "String", model.ULID: "String", model.Geohash: "String",
		model.Integer: "Int", model.Numeric: "Float", model.Decimal: "Decimal", model.Bool: "Bool", model.Bytes: "Bytes",
		model.Timestamp: "Time", model.Unixtime: "Unix", model.JSON: "JSON", model.Date: "Date", model.Week: "Week",
	}
	setMethods = map[string]string{
		"String": "Strings", "Int": "Ints", "Float": "Floats", "Decimal": "Decimals", "Bytes": "Blobs", "Time": "Times",
	}
	listMethods = map[string]bool{
		"String": true, "Int": true, "Float": true, "Decimal": true, "Bool": true, "Bytes": true, "Time": true,
	}
)

// read is the expression that reads an attribute by the name it is stored under.
func (g *generator) read(a *model.Attribute, stored string) string {
	t := a.Type
	if !isPointer(t) {
		return g.readValue(a, t, stored)
	}
	switch t.Base {
	case model.Enum:
		return fmt.Sprintf("marshal.OptText[%s](&from, %q)", g.enums[a], stored)
	case model.StructOf:
		return fmt.Sprintf("marshal.DecodeOpt(&from, %q, %s)", stored, g.readers[t.Struct])
	}
	return fmt.Sprintf("from.Opt%s(%q)", decoderMethods[t.Base], stored)
}

// readValue is the expression that reads a value of a type that is, or is part of, the
// type of an attribute.
func (g *generator) readValue(a *model.Attribute, t model.Type, stored string) string {
	switch t.Base {
	case model.Enum:
		return fmt.Sprintf("marshal.DecodeText[%s](&from, %q)", g.enums[a], stored)
	case model.StructOf:
		return fmt.Sprintf("marshal.DecodeOne(&from, %q, %s)", stored, g.readers[t.Struct])
	case model.ListOf:
		return g.readList(a, *t.Element, stored)
	case model.SetOf:
		return g.readSet(a, *t.Element, stored)
	case model.MapOf:
		if decoderMethods[t.Element.Base] == "String" {
			return fmt.Sprintf("from.StringMap(%q)", stored)
		}
		return fmt.Sprintf("marshal.DecodeMap(&from, %q, %s)", stored, g.readFunc(a, *t.Element))
	}
	return fmt.Sprintf("from.%s(%q)", decoderMethods[t.Base], stored)
}

func (g *generator) readList(a *model.Attribute, element model.Type, stored string) string {
	if method := decoderMethods[element.Base]; listMethods[method] {
		return fmt.Sprintf("from.%sList(%q)", method, stored)
	}
	if element.Base == model.Enum {
		return fmt.Sprintf("marshal.DecodeTextList[%s](&from, %q)", g.enums[a], stored)
	}
	return fmt.Sprintf("marshal.DecodeList(&from, %q, %s)", stored, g.readFunc(a, element))
}

func (g *generator) readSet(a *model.Attribute, element model.Type, stored string) string {
	if method := setMethods[decoderMethods[element.Base]]; method != "" {
		return fmt.Sprintf("from.%s(%q)", method, stored)
	}
	switch element.Base {
	case model.Enum:
		return fmt.Sprintf("marshal.DecodeTextSet[%s](&from, %q)", g.enums[a], stored)
	case model.Unixtime:
		return fmt.Sprintf("marshal.DecodeNumberSet(&from, %q, marshal.ParseUnix)", stored)
	}
	return fmt.Sprintf("marshal.DecodeSet(&from, %q, %s)", stored, parseFunc(element, ""))
}

// readFunc is a function from a stored value to a Go value.
func (g *generator) readFunc(a *model.Attribute, t model.Type) string {
	switch t.Base {
	case model.Enum:
		return "marshal.AsText[" + g.enums[a] + "]"
	case model.StructOf:
		return g.readers[t.Struct]
	case model.ListOf, model.SetOf, model.MapOf:
		return fmt.Sprintf("func(v types.AttributeValue) (%s, error) {\nfrom := marshal.Decode(%q, access.Item{%q: v})\nall := %s\nreturn all, from.Err()\n}",
			g.typeOf(a, t), a.Name, a.Stored, g.readValue(a, t, a.Stored))
	}
	return "marshal.As" + decoderMethods[t.Base]
}

// parseFunc is a function from the text of a value to the value.
func parseFunc(t model.Type, enum string) string {
	switch method := decoderMethods[t.Base]; {
	case t.Base == model.Enum:
		return "marshal.ParseText[" + enum + "]"
	case method == "String":
		return "marshal.ParseText[string]"
	case method == "Decimal", method == "Date", method == "Week":
		return "access.Parse" + method
	default:
		return "marshal.Parse" + method
	}
}

// readSealed is the expression that opens a sealed attribute.
func (g *generator) readSealed(e *model.Entity, a *model.Attribute) string {
	open := "DecodeSealed"
	if isPointer(a.Type) {
		open = "OptSealed"
	}
	return fmt.Sprintf("marshal.%s(&from, client, %q, %q, %s)", open, e.Name, a.Stored, parseFunc(a.Type, g.enums[a]))
}

// printStructCoding prints both ways of a struct type.
func (g *generator) printStructCoding(p *printer, s *model.Struct) {
	name, receiver := g.structs[s], begins(g.structs[s])
	p.doc(fmt.Sprintf("value is the %s as it is stored.", name))
	p.line("func (%s %s) value(encode *marshal.Encoder) types.AttributeValue {", receiver, name)
	p.line("fields := make(access.Item, %d)", len(s.Attributes))
	for _, a := range s.Attributes {
		field := receiver + "." + g.fields[a]
		g.printMadeAt(p, a, func(a *model.Attribute) string { return receiver + "." + g.fields[a] })
		present := g.present(a, field)
		if present != "" {
			p.line("if %s {", present)
		}
		p.line("fields[%q] = %s", a.Stored, g.slot(a, held(a, field)))
		if present != "" {
			p.line("}")
		}
	}
	p.line("return encode.M(fields)")
	p.line("}")
	p.blank()
	p.doc(fmt.Sprintf("%s reads a stored %s.", g.readers[s], name))
	p.line("func %s(v types.AttributeValue) (%s, error) {", g.readers[s], name)
	p.line("fields, err := marshal.AsMap(v)")
	p.line("if err != nil {")
	p.line("return %s{}, err", name)
	p.line("}")
	p.line("from := marshal.Decode(%q, fields)", s.Name)
	p.line("decoded := %s{", name)
	for _, a := range s.Attributes {
		p.line("%s: %s,", g.fields[a], g.read(a, a.Stored))
	}
	p.line("}")
	p.line("return decoded, from.Err()")
	p.line("}")
	p.blank()
}
