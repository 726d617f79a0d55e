package items

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// How much memory the values of an item take. Generated code allocates it at once.

// memberKinds lists the kinds of values that are allocated many at a time, as the SDK calls
// them.
var memberKinds = []string{"S", "N", "L", "M", "SS"}

// members counts the values of an item, or of a struct, by kind.
type members map[string]int

// add counts a value of a type and the values that it always holds. How many values lists and
// maps hold is not known.
func (m members) add(t model.Type, inside []*model.Struct) {
	switch {
	case values.IsScalar(t):
		m[t.KeyKind()]++
	case t.Base == model.ListOf:
		m["L"]++
	case t.Base == model.MapOf:
		m["M"]++
	case t.Base == model.SetOf && values.IsPlainText(*t.Element):
		m["SS"]++
	case t.Base == model.StructOf:
		m["M"]++
		m.addStruct(t.Struct, inside)
	}
}

func (m members) addStruct(s *model.Struct, inside []*model.Struct) {
	for _, outer := range inside {
		if outer == s {
			return // a struct that holds itself
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
		if values.HasHoles(c.Template) && sameKey(item, c) == c {
			m["S"]++
		}
	}
	for _, a := range item.Entity.Beside() {
		if !isSealed(item.Entity, a) {
			m.add(a.Type, nil)
		}
	}
	return m
}

// declare allocates the memory of an item's values, and returns how the encoder gets it.
func (m members) declare() ([]syntax.Stmt, syntax.Expr) {
	given := syntax.Make(library.Access("Members"))
	if len(m) == 0 {
		return nil, given
	}
	memory := &syntax.StructType{Wide: len(m) < 4}
	for _, kind := range memberKinds {
		if m[kind] > 0 {
			field := strings.ToLower(kind)
			memory.Fields = append(memory.Fields, syntax.Field{Name: field, Type: &syntax.ListType{Len: m[kind], Elem: library.Of("types", "AttributeValueMember"+kind)}})
			given.Elems = append(given.Elems, syntax.Elem{Field: kind, Value: &syntax.Slice{X: syntax.Dot(syntax.Name("values"), field), High: syntax.Int(0)}})
		}
	}
	return []syntax.Stmt{syntax.Let("values", syntax.Builtin("new", memory))}, given
}

// widths maps types to about how many bytes their texts have.
var widths = map[model.Base]int{
	model.Timestamp: 24, model.Unixtime: 10, model.Integer: 5, model.Numeric: 10,
}

// unknownWidth is the number of bytes of a key that are allocated for a value of unknown length.
const unknownWidth = 16

// room returns about how many bytes the keys, numbers and times of an item have. Small
// numbers take none.
func (i *Items) room(item *model.Item, field func(*model.Attribute) syntax.Expr) syntax.Expr {
	n := attributeRoom(item.Entity.Beside(), nil)
	var order []*model.Attribute
	times := map[*model.Attribute]int{}
	for _, c := range item.Computed {
		if !values.HasHoles(c.Template) || sameKey(item, c) != c {
			continue
		}
		for _, part := range c.Template.Parts {
			a := part.Attribute
			switch width := part.Width(); {
			case !part.IsHole():
				n += len(part.Literal)
			case width > 0:
				n += width
			case len(part.Filters) == 0 && !a.Type.Optional && (values.IsPlainText(a.Type) || a.Type.Base == model.Enum):
				if times[a] == 0 {
					order = append(order, a)
				}
				times[a]++
			default:
				n += unknownWidth
			}
		}
	}
	sum := []syntax.Expr{syntax.Int(n)}
	for _, a := range order {
		length := syntax.Expr(syntax.Builtin("len", field(a)))
		if times[a] > 1 {
			length = syntax.Join("*", syntax.Int(times[a]), length)
		}
		sum = append(sum, length)
	}
	return syntax.Join("+", sum...)
}

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

// collections builds the functions that encode lists and maps of a struct, if the functions
// that encode items call them.
func (i *Items) collections(s *model.Struct, coding []syntax.Decl) []syntax.Decl {
	name := syntax.Name(i.Names.Structs[s])
	m := members{"M": 1}
	m.addStruct(s, nil)
	var all []syntax.Decl
	if f := i.Names.ElementFuncs[s]; syntax.UsesAny(coding, f) {
		all = append(all, collection(f, "the elements of a list", syntax.ListOf(name), syntax.ListOf(library.AttributeValue()), m,
			&syntax.Range{Key: "i", X: syntax.Name("values"), Body: []syntax.Stmt{
				syntax.Set(element("all", "i"), syntax.Method(element("values", "i"), "value", values.Encode)),
			}}))
	}
	if f := i.Names.EntryFuncs[s]; syntax.UsesAny(coding, f) {
		all = append(all, collection(f, "the entries of a map", syntax.MapOf(syntax.Name("string"), name), itemType(), m,
			&syntax.Range{Key: "name", Value: "value", X: syntax.Name("values"), Body: []syntax.Stmt{
				syntax.Set(element("all", "name"), syntax.Method(syntax.Name("value"), "value", values.Encode)),
			}}))
	}
	return all
}

func element(list, index string) syntax.Expr {
	return &syntax.Index{X: syntax.Name(list), Index: syntax.Name(index)}
}

func collection(f, what string, from, to syntax.Expr, m members, loop syntax.Stmt) syntax.Decl {
	count := syntax.Builtin("len", syntax.Name("values"))
	return &syntax.FuncDecl{
		Doc: syntax.Doc{fmt.Sprintf("%s returns %s as they are stored.", f, what)}, Name: f,
		Params:  []syntax.Param{{Name: "encode", Type: syntax.Pointer(library.Access("Encoder"))}, {Name: "values", Type: from}},
		Results: []syntax.Param{{Type: to}},
		Body: []syntax.Stmt{
			syntax.Let("outer", syntax.Method(values.Encode, "Inside", count, syntax.Int(m["S"]), syntax.Int(m["N"]), syntax.Int(m["L"]), syntax.Int(m["M"]))),
			syntax.Let("all", syntax.Builtin("make", to, count)),
			loop,
			do(syntax.Method(values.Encode, "Outside", syntax.Name("outer"))),
			syntax.Returns(syntax.Name("all")),
		},
	}
}
