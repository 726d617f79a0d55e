package items

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// decoding builds the functions that turn a stored item into an entity.
func (i *Items) decoding(item *model.Item) []syntax.Decl {
	e := item.Entity
	name, decode := i.Names.Entities[e], i.Names.Decoders[e]
	var fields []Read
	for _, a := range e.Attributes {
		x := i.Values.Read(a, a.Stored)
		switch {
		case isSealed(e, a):
			x, _ = i.Values.Unsealed(e, a)
		case a.InKey:
			x = i.ReadPart(keyHolding(item, a), a)
		}
		fields = append(fields, Read{a, x})
	}
	exported := &syntax.FuncDecl{
		Doc: syntax.Doc{fmt.Sprintf("%s decodes a stored %s.", i.Names.FromItem[e], name)}, Name: i.Names.FromItem[e],
		Params:  []syntax.Param{{Name: "item", Type: itemType()}},
		Results: []syntax.Param{{Type: syntax.Name(name)}, {Type: errorType()}},
		Body:    []syntax.Stmt{syntax.Returns(syntax.CallOf(syntax.Name(decode), syntax.Name("item")))}, Short: true,
	}
	doc := syntax.Doc{fmt.Sprintf("%s decodes a stored %s.", decode, name)}
	if values.HasSealed(e) {
		doc = syntax.Doc{fmt.Sprintf("%s decodes a stored %s. The client decrypts attributes.", decode, name)}
		exported.Doc = syntax.Doc{fmt.Sprintf("%s decodes a stored %s. The client of the database decrypts attributes.", i.Names.FromItem[e], name)}
		exported.Params = append([]syntax.Param{{Name: "db", Type: syntax.Pointer(syntax.Name("DB"))}}, exported.Params...)
		opened := syntax.CallOf(syntax.Name(decode), syntax.Dot(syntax.Name("db"), "c"))
		exported.Body = []syntax.Stmt{syntax.Returns(syntax.CallOf(opened, syntax.Name("item")))}
	}
	return []syntax.Decl{i.DecodeFunc(doc, decode, "decoded", name, e, values.HasSealed(e), fields), exported}
}

// keyHolding returns the key of the table whose text holds an attribute.
func keyHolding(item *model.Item, a *model.Attribute) *model.Key {
	names := TableKeys(item.Table)
	for _, name := range names {
		if key := item.Key(name); key != nil && key.Holds(a) {
			return key
		}
	}
	return item.Key(names[0]) // the loader refuses such a design
}

// ReadPart returns the value of an attribute, read back from the text of a key.
func (i *Items) ReadPart(key *model.Key, a *model.Attribute) syntax.Expr {
	decode := "DecodePart"
	if values.IsPointer(a.Type) {
		decode = "OptPart"
	}
	at, part := holeOf(key, a)
	args := []syntax.Expr{syntax.Addr(values.From), syntax.Str(key.Name), syntax.Int(at), i.Values.ParseHole(part)}
	return library.Call(decode, append(args, values.Template(key.Template)...)...)
}

// holeOf returns the number of the value in a key that an attribute is read from, and its hole.
func holeOf(key *model.Key, a *model.Attribute) (int, model.Part) {
	n := 0
	for _, part := range key.Template.Parts {
		switch {
		case !part.IsHole():
			continue
		case part.Attribute == a && part.Whole():
			return n, part
		}
		n++
	}
	return n, model.Part{Attribute: a}
}

// A Read is an attribute and the expression that reads it. The expression is nil for an
// attribute that is decrypted as bytes.
type Read struct {
	Attribute *model.Attribute
	X         syntax.Expr
}

// DecodeFunc builds the function that reads attributes of a stored item into a struct. With
// sealed attributes it takes a client and returns that function.
func (i *Items) DecodeFunc(doc syntax.Doc, name, variable, typ string, e *model.Entity, sealed bool, fields []Read) syntax.Decl {
	params := []syntax.Param{{Name: "item", Type: itemType()}}
	results := []syntax.Param{{Type: syntax.Name(typ)}, {Type: errorType()}}
	body := i.decodeBody(variable, typ, e, fields)
	if !sealed {
		return &syntax.FuncDecl{Doc: doc, Name: name, Params: params, Results: results, Body: body}
	}
	inner := &syntax.FuncType{Params: []syntax.Param{{Type: itemType()}}, Results: results}
	return &syntax.FuncDecl{
		Doc: doc, Name: name, Params: []syntax.Param{{Name: "client", Type: clientType()}}, Results: []syntax.Param{{Type: inner}},
		Body: []syntax.Stmt{syntax.Returns(&syntax.Func{Params: params, Results: results, Body: body})},
	}
}

func (i *Items) decodeBody(variable, typ string, e *model.Entity, fields []Read) []syntax.Stmt {
	made := &syntax.Composite{Type: syntax.Name(typ), Layout: syntax.Tall}
	var later []syntax.Stmt
	for _, f := range fields {
		field := i.Names.Fields[f.Attribute]
		if f.X == nil {
			later = append(later, values.UnsealBytes(e, f.Attribute, syntax.Dot(syntax.Name(variable), field)))
			continue
		}
		made.Elems = append(made.Elems, syntax.Elem{Field: field, Value: f.X})
	}
	body := []syntax.Stmt{syntax.Let("from", library.Call("Decode", syntax.Str(e.Name), syntax.Name("item"))), syntax.Let(variable, made)}
	body = append(body, later...)
	var attributes []*model.Attribute
	for _, f := range fields {
		attributes = append(attributes, f.Attribute)
	}
	body = append(body, values.Need(attributes)...)
	return append(body, syntax.Returns(syntax.Name(variable), syntax.Method(values.From, "Err")))
}

// Decoder returns the function that reads an entity, given a client.
func (i *Items) Decoder(e *model.Entity, client syntax.Expr) syntax.Expr {
	decode := syntax.Name(i.Names.Decoders[e])
	if values.HasSealed(e) {
		return syntax.CallOf(decode, client)
	}
	return decode
}

// structCoding builds both ways of a struct type.
func (i *Items) structCoding(s *model.Struct) []syntax.Decl {
	name, receiver := i.Names.Structs[s], naming.Receiver(i.Names.Structs[s])
	field := i.fieldsOf(receiver)
	fields := syntax.Name("fields")
	body := []syntax.Stmt{syntax.Let("fields", syntax.Builtin("make", itemType(), syntax.Int(len(s.Attributes))))}
	made := &syntax.Composite{Type: syntax.Name(name), Layout: syntax.Tall}
	for _, a := range s.Attributes {
		body = append(body, madeAt(a, field)...)
		body = append(body, i.Values.Put(a, fields, field(a))...)
		made.Elems = append(made.Elems, syntax.Elem{Field: i.Names.Fields[a], Value: i.Values.Read(a, a.Stored)})
	}
	return []syntax.Decl{
		&syntax.FuncDecl{
			Doc: syntax.Doc{fmt.Sprintf("value returns the %s as it is stored.", name)}, Receiver: &syntax.Param{Name: receiver, Type: syntax.Name(name)}, Name: "value",
			Params:  []syntax.Param{{Name: "encode", Type: syntax.Pointer(library.Access("Encoder"))}},
			Results: []syntax.Param{{Type: library.AttributeValue()}},
			Body:    append(body, syntax.Returns(syntax.Method(values.Encode, "M", fields))),
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{fmt.Sprintf("%s decodes a stored %s.", i.Names.Readers[s], name)}, Name: i.Names.Readers[s],
			Params:  []syntax.Param{{Name: "v", Type: library.AttributeValue()}},
			Results: []syntax.Param{{Type: syntax.Name(name)}, {Type: errorType()}},
			Body: slices.Concat([]syntax.Stmt{
				syntax.Lets(library.Call("AsMap", syntax.Name("v")), "fields", "err"),
				&syntax.If{Cond: syntax.IsSet(syntax.Name("err")), Then: []syntax.Stmt{syntax.Returns(syntax.Make(syntax.Name(name)), syntax.Name("err"))}},
				syntax.Let("from", library.Call("Decode", syntax.Str(s.Name), fields)),
				syntax.Let("decoded", made),
			}, values.Need(s.Attributes), []syntax.Stmt{
				syntax.Returns(syntax.Name("decoded"), syntax.Method(values.From, "Err")),
			}),
		},
	}
}
