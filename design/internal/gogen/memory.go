package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/model"
)

// How much memory the values of an item take. Generated code takes it at once.

// memberKinds are the kinds of values that are made many at a time, as package access
// and the SDK call them.
var memberKinds = []string{"S", "N", "L", "M", "SS"}

// members count the values of an item, or of a struct, by kind.
type members map[string]int

// add counts a value of a type and what it always holds. What lists and maps hold is
// not known before.
func (m members) add(t model.Type, inside []*model.Struct) {
	switch {
	case isScalar(t):
		m[t.KeyKind()]++
	case t.Base == model.ListOf:
		m["L"]++
	case t.Base == model.MapOf:
		m["M"]++
	case t.Base == model.SetOf && isPlainText(*t.Element):
		m["SS"]++
	case t.Base == model.StructOf:
		m["M"]++
		m.addStruct(t.Struct, inside)
	}
}

func (m members) addStruct(s *model.Struct, inside []*model.Struct) {
	for _, outer := range inside {
		if outer == s {
			return // it can hold itself, but not for ever
		}
	}
	for _, a := range s.Attributes {
		m.add(a.Type, append(inside, s))
	}
}

// itemMembers counts the values of an item.
func itemMembers(item *model.Item) members {
	m := members{}
	for _, c := range item.Computed {
		if hasHoles(c.Template) && sameKey(item, c) == c {
			m["S"]++
		}
	}
	for _, a := range item.Entity.Attributes {
		if !isSealed(item.Entity, a) {
			m.add(a.Type, nil)
		}
	}
	return m
}

// print declares the memory of an item's values, and returns the expression of it.
func (m members) print(p *printer) string {
	if len(m) == 0 {
		return "marshal.Members{}"
	}
	var uses []string
	p.line("values := new(struct {")
	for _, kind := range memberKinds {
		if m[kind] > 0 {
			p.line("%s [%d]types.AttributeValueMember%s", strings.ToLower(kind), m[kind], kind)
			uses = append(uses, fmt.Sprintf("%s: values.%s[:0]", kind, strings.ToLower(kind)))
		}
	}
	p.line("})")
	return "marshal.Members{" + strings.Join(uses, ", ") + "}"
}

// widths are about how many bytes the texts of numbers and times have.
var widths = map[model.Base]int{
	model.Timestamp: 24, model.Unixtime: 10, model.Integer: 5, model.Numeric: 10,
}

// room is the expression of about how many bytes the keys, numbers and times of an item
// have. Small numbers take none.
func (g *generator) room(item *model.Item, field func(*model.Attribute) string) string {
	n := attributeRoom(item.Entity.Attributes, nil)
	var order []*model.Attribute
	times := map[*model.Attribute]int{}
	for _, c := range item.Computed {
		if !hasHoles(c.Template) || sameKey(item, c) != c {
			continue
		}
		for _, part := range c.Template.Parts {
			a := part.Attribute
			switch width := fixedWidth(part); {
			case !part.IsHole():
				n += len(part.Literal)
			case width > 0:
				n += width
			case len(part.Filters) == 0 && !a.Type.Optional && (isPlainText(a.Type) || a.Type.Base == model.Enum):
				if times[a] == 0 {
					order = append(order, a)
				}
				times[a]++
			default:
				n += unknownWidth
			}
		}
	}
	text := fmt.Sprint(n)
	for _, a := range order {
		if times[a] == 1 {
			text += fmt.Sprintf("+len(%s)", field(a))
		} else {
			text += fmt.Sprintf("+%d*len(%s)", times[a], field(a))
		}
	}
	return text
}

// unknownWidth is how many bytes of a key are taken for a value whose length is not
// looked at.
const unknownWidth = 16

func attributeRoom(attributes []*model.Attribute, inside []*model.Struct) int {
	n := 0
	for _, a := range attributes {
		n += widths[a.Type.Base]
		if s := a.Type.Struct; a.Type.Base == model.StructOf && len(inside) < 4 {
			n += attributeRoom(s.Attributes, append(inside, s))
		}
	}
	return n
}

// printCollections prints the functions that encode lists and maps of structs, for those
// there are.
func (g *generator) printCollections(p *printer, s *model.Struct, text string) {
	name := g.structs[s]
	m := members{"M": 1}
	m.addStruct(s, nil)
	inside := fmt.Sprintf("outer := encode.Inside(len(values), %d, %d, %d, %d)", m["S"], m["N"], m["L"], m["M"])
	if f := g.elementFuncs[s]; strings.Contains(text, f+"(") {
		p.doc(fmt.Sprintf("%s are the elements of a list as they are stored.", f))
		p.line("func %s(encode *marshal.Encoder, values []%s) []types.AttributeValue {", f, name)
		p.line("%s", inside)
		p.line("all := make([]types.AttributeValue, len(values))")
		p.line("for i := range values {")
		p.line("all[i] = values[i].value(encode)")
		p.line("}")
		p.line("encode.Outside(outer)")
		p.line("return all")
		p.line("}")
		p.blank()
	}
	if f := g.entryFuncs[s]; strings.Contains(text, f+"(") {
		p.doc(fmt.Sprintf("%s are the entries of a map as they are stored.", f))
		p.line("func %s(encode *marshal.Encoder, values map[string]%s) access.Item {", f, name)
		p.line("%s", inside)
		p.line("all := make(access.Item, len(values))")
		p.line("for name, value := range values {")
		p.line("all[name] = value.value(encode)")
		p.line("}")
		p.line("encode.Outside(outer)")
		p.line("return all")
		p.line("}")
		p.blank()
	}
}
