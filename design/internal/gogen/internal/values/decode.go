package values

import (
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// How generated code turns a stored value into a Go value. The variable from, a Decoder,
// reads the item.

// From is the variable that generated functions decode with.
var From syntax.Expr = syntax.Name("from")

var (
	// decoderMethods maps types to the method of a Decoder that reads them.
	decoderMethods = map[model.Base]string{
		model.String: "String", model.UUID: "String", model.UUIDv7: "String", model.ULID: "String", model.Geohash: "String",
		model.Integer: "Int", model.Numeric: "Float", model.Decimal: "Decimal", model.Bool: "Bool", model.Bytes: "Bytes",
		model.Timestamp: "Time", model.Unixtime: "Unix", model.JSON: "JSON", model.Date: "Date", model.Week: "Week",
	}
	// setMethods maps these methods to those that read sets.
	setMethods = map[string]string{
		"String": "Strings", "Int": "Ints", "Float": "Floats", "Decimal": "Decimals", "Bytes": "Blobs", "Time": "Times",
	}
	// listMethods lists those for which there is one that reads lists.
	listMethods = map[string]bool{
		"String": true, "Int": true, "Float": true, "Decimal": true, "Bool": true, "Bytes": true, "Time": true,
	}
)

func decoded(method, stored string) syntax.Expr {
	return syntax.Method(From, method, syntax.Str(stored))
}

// decodedBy calls a function of the library that reads with the decoder.
func decodedBy(name string, enum, stored string, more ...syntax.Expr) syntax.Expr {
	f := library.Access(name)
	if enum != "" {
		f = syntax.Generic(f, syntax.Name(enum))
	}
	return syntax.CallOf(f, append([]syntax.Expr{syntax.Addr(From), syntax.Str(stored)}, more...)...)
}

// Read returns the value of an attribute that is stored under a name.
func (v *Values) Read(a *model.Attribute, stored string) syntax.Expr {
	switch {
	case a.Default != nil:
		return library.Call("Or", v.readPointer(a, stored), v.Default(a))
	case IsPointer(a.Type):
		return v.readPointer(a, stored)
	}
	return v.readValue(a, a.Type, stored)
}

// Default returns the value of items that lack an attribute.
func (v *Values) Default(a *model.Attribute) syntax.Expr {
	x := v.Constant(a, *a.Default)
	if a.Type.Base == model.Unixtime {
		return syntax.Method(x, "UTC")
	}
	return x
}

// readPointer returns a pointer to the value of an attribute, nil if the item lacks it.
func (v *Values) readPointer(a *model.Attribute, stored string) syntax.Expr {
	switch a.Type.Base {
	case model.Enum:
		return decodedBy("OptText", v.names.Enums[a], stored)
	case model.StructOf:
		return decodedBy("DecodeOpt", "", stored, syntax.Name(v.names.Readers[a.Type.Struct]))
	}
	return decoded("Opt"+decoderMethods[a.Type.Base], stored)
}

// Need returns the statement that refuses an item without the attributes that are nil in Go if they
// are missing, though no item may lack them.
func Need(attributes []*model.Attribute) []syntax.Stmt {
	var names []syntax.Expr
	for _, a := range attributes {
		if HasNil(a.Type) && a.Type.Base != model.SetOf && !a.Type.Optional && !a.InKey {
			names = append(names, syntax.Str(a.Stored))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []syntax.Stmt{&syntax.Do{X: syntax.Method(From, "Need", names...)}}
}

// readValue returns a value of a type that is, or is part of, the type of an attribute.
func (v *Values) readValue(a *model.Attribute, t model.Type, stored string) syntax.Expr {
	switch t.Base {
	case model.Enum:
		return decodedBy("DecodeText", v.names.Enums[a], stored)
	case model.StructOf:
		return decodedBy("DecodeOne", "", stored, syntax.Name(v.names.Readers[t.Struct]))
	case model.ListOf:
		return v.readList(a, *t.Element, stored)
	case model.SetOf:
		return v.readSet(a, *t.Element, stored)
	case model.MapOf:
		if decoderMethods[t.Element.Base] == "String" {
			return decoded("StringMap", stored)
		}
		return decodedBy("DecodeMap", "", stored, v.readFunc(a, *t.Element))
	}
	return decoded(decoderMethods[t.Base], stored)
}

func (v *Values) readList(a *model.Attribute, element model.Type, stored string) syntax.Expr {
	if method := decoderMethods[element.Base]; listMethods[method] {
		return decoded(method+"List", stored)
	}
	if element.Base == model.Enum {
		return decodedBy("DecodeTextList", v.names.Enums[a], stored)
	}
	return decodedBy("DecodeList", "", stored, v.readFunc(a, element))
}

func (v *Values) readSet(a *model.Attribute, element model.Type, stored string) syntax.Expr {
	if method := setMethods[decoderMethods[element.Base]]; method != "" {
		return decoded(method, stored)
	}
	switch element.Base {
	case model.Enum:
		return decodedBy("DecodeTextSet", v.names.Enums[a], stored)
	case model.Unixtime:
		return decodedBy("DecodeNumberSet", "", stored, library.Access("ParseUnix"))
	}
	return decodedBy("DecodeSet", "", stored, parseFunc(element, ""))
}

// readFunc returns a function from a stored value to a Go value.
func (v *Values) readFunc(a *model.Attribute, t model.Type) syntax.Expr {
	switch t.Base {
	case model.Enum:
		return syntax.Generic(library.Access("AsText"), syntax.Name(v.names.Enums[a]))
	case model.StructOf:
		return syntax.Name(v.names.Readers[t.Struct])
	case model.ListOf, model.SetOf, model.MapOf:
		item := syntax.Make(library.Access("Item"), syntax.Elem{Key: syntax.Str(a.Stored), Value: valueParam})
		return &syntax.Func{
			Params:  []syntax.Param{{Name: "v", Type: library.AttributeValue()}},
			Results: []syntax.Param{{Type: v.TypeOf(a, t)}, {Type: syntax.Name("error")}},
			Body: []syntax.Stmt{
				syntax.Let("from", library.Call("Decode", syntax.Str(a.Name), item)),
				syntax.Let("all", v.readValue(a, t, a.Stored)),
				syntax.Returns(syntax.Name("all"), syntax.Method(From, "Err")),
			},
		}
	}
	return library.Access("As" + decoderMethods[t.Base])
}

// ParseFunc returns a function from the text of an attribute to its value.
func (v *Values) ParseFunc(a *model.Attribute) syntax.Expr {
	return parseFunc(a.Type, v.names.Enums[a])
}

// ParseHole returns a function from the text of a hole to the value of its attribute.
func (v *Values) ParseHole(part model.Part) syntax.Expr {
	if _, escaped := part.Filter(model.Escape); escaped {
		if !part.Delimiter.IsDefault() {
			return library.Call("ParseEscapedBy", syntax.Str(part.Delimiter.String()))
		}
		return library.Access("ParseEscaped")
	}
	return v.ParseFunc(part.Attribute)
}

func parseFunc(t model.Type, enum string) syntax.Expr {
	switch method := decoderMethods[t.Base]; {
	case t.Base == model.Enum:
		return syntax.Generic(library.Access("ParseText"), syntax.Name(enum))
	case method == "String":
		return syntax.Generic(library.Access("ParseText"), syntax.Name("string"))
	default:
		return library.Access("Parse" + method)
	}
}

// Unsealed returns the value of an encrypted attribute, given the client. A value that is
// decrypted as bytes has no expression: ok is false, and UnsealBytes reads it.
func (v *Values) Unsealed(e *model.Entity, a *model.Attribute) (x syntax.Expr, ok bool) {
	if a.Type.Base == model.Bytes || a.Type.Base == model.JSON {
		return nil, false
	}
	open := "DecodeSealed"
	if IsPointer(a.Type) {
		open = "OptSealed"
	}
	return library.Call(open, syntax.Addr(From), syntax.Name("client"), syntax.Str(e.Name), syntax.Str(a.Stored), v.ParseFunc(a)), true
}

// UnsealBytes sets a field to the bytes of an encrypted attribute.
func UnsealBytes(e *model.Entity, a *model.Attribute, field syntax.Expr) syntax.Stmt {
	call := syntax.Method(From, "Sealed", syntax.Name("client"), syntax.Str(e.Name), syntax.Str(a.Stored))
	return &syntax.Assign{Left: []syntax.Expr{field, syntax.Name("_")}, Right: []syntax.Expr{call}}
}
