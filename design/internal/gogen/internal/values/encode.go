package values

import (
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// How generated code turns a Go value into a stored one. There are two ways: InItem, for the
// values of an item, which share memory, and Stored, for the values of expressions. Both use
// the variable encode, an Encoder, for types of which not every Go value can be stored.

// Encode is the variable that generated functions encode with.
var Encode syntax.Expr = syntax.Name("encode")

// checkedTexts maps types of which some values are refused to the method of an Encoder.
var checkedTexts = map[model.Base]string{
	model.Timestamp: "Time", model.Numeric: "Float", model.Decimal: "Decimal",
	model.Date: "Date", model.Week: "Week", model.JSON: "JSON",
}

func encoded(method string, args ...syntax.Expr) syntax.Expr {
	return syntax.Method(Encode, method, args...)
}

// scalarText returns the stored text of a value whose kind is S or N. Errors name the
// attribute.
func (v *Values) scalarText(a *model.Attribute, t model.Type, x syntax.Expr) syntax.Expr {
	name := syntax.Str(a.Name)
	if method := checkedTexts[t.Base]; method != "" {
		return encoded(method, name, x)
	}
	switch t.Base {
	case model.Integer:
		return encoded("Int", x)
	case model.Unixtime:
		return encoded("Unix", x)
	case model.Enum:
		return library.Call("EnumText", Encode, name, x, syntax.Name(v.names.Values[a]))
	}
	return TextOf(t, x)
}

// attributeText is scalarText for an attribute itself: the zero time is refused for one that
// every item has.
func (v *Values) attributeText(a *model.Attribute, x syntax.Expr) syntax.Expr {
	switch {
	case a.Type.Optional:
	case a.Type.Base == model.Timestamp:
		return encoded("RequiredTime", syntax.Str(a.Name), x)
	case a.Type.Base == model.Unixtime:
		return encoded("RequiredUnix", syntax.Str(a.Name), x)
	}
	return v.scalarText(a, a.Type, x)
}

// Slot returns the stored value of an attribute inside an item or a struct.
func (v *Values) Slot(a *model.Attribute, x syntax.Expr) syntax.Expr {
	switch a.Type.KeyKind() {
	case "S":
		return encoded("S", v.attributeText(a, x))
	case "N":
		return encoded("N", v.attributeText(a, x))
	}
	return v.inItem(a, a.Type, x)
}

// optMethods maps types to the methods of an Encoder that store an attribute which may be
// missing.
var optMethods = map[model.Base]string{
	model.String: "OptS", model.UUID: "OptS", model.UUIDv7: "OptS", model.ULID: "OptS", model.Geohash: "OptS",
	model.Integer: "OptInt", model.Numeric: "OptFloat", model.Decimal: "OptDecimal", model.Bool: "OptBool",
	model.Timestamp: "OptTime", model.Unixtime: "OptUnix", model.Date: "OptDate", model.Week: "OptWeek",
}

// Put stores an attribute in an item, if it is there.
func (v *Values) Put(a *model.Attribute, item, field syntax.Expr) []syntax.Stmt {
	name := syntax.Str(a.Stored)
	if a.Type.Optional && a.Stored == a.Name {
		var put syntax.Expr
		switch method := optMethods[a.Type.Base]; {
		case method != "":
			put = encoded(method, item, name, field)
		case a.Type.Base == model.Enum:
			put = library.Call("OptEnum", Encode, item, name, field, syntax.Name(v.names.Values[a]))
		case a.Type.Base == model.ListOf && IsPlainText(*a.Type.Element):
			put = encoded("OptTexts", item, name, field)
		}
		if put != nil {
			return []syntax.Stmt{&syntax.Do{X: put}}
		}
	}
	set := syntax.Set(&syntax.Index{X: item, Index: name}, v.Slot(a, Held(a.Type, field)))
	return syntax.When(Present(a.Type, field), set)
}

// StoredFunc returns a function from a Go value of an attribute to its stored one.
func (v *Values) StoredFunc(a *model.Attribute) syntax.Expr { return v.storedFunc(a, a.Type) }

// inItem returns the stored value inside an item, of a type that is, or is part of, the type
// of an attribute.
func (v *Values) inItem(a *model.Attribute, t model.Type, x syntax.Expr) syntax.Expr {
	switch t.Base {
	case model.ListOf:
		return encoded("L", v.elements(a, *t.Element, x))
	case model.MapOf:
		return encoded("M", v.entries(a, *t.Element, x))
	case model.SetOf:
		if IsPlainText(*t.Element) {
			return encoded("SS", x)
		}
	}
	switch t.KeyKind() {
	case "S":
		return encoded("S", v.scalarText(a, t, x))
	case "N":
		return encoded("N", v.scalarText(a, t, x))
	}
	return v.Stored(a, t, x)
}

// elements returns the values of a list inside an item.
func (v *Values) elements(a *model.Attribute, t model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case IsPlainText(t):
		return library.Call("TextElements", x)
	case t.Base == model.Integer:
		return library.Call("IntElements", x)
	case t.Base == model.StructOf:
		return syntax.CallOf(syntax.Name(v.names.ElementFuncs[t.Struct]), Encode, x)
	case IsScalar(t):
		return library.Call(kindWords[t.KeyKind()]+"ElementsOf", x, v.textFunc(a, t))
	}
	return library.Call("Elements", x, v.inItemFunc(a, t))
}

// entries returns the values of a map inside an item.
func (v *Values) entries(a *model.Attribute, t model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case IsPlainText(t):
		return library.Call("TextFields", x)
	case t.Base == model.StructOf:
		return syntax.CallOf(syntax.Name(v.names.EntryFuncs[t.Struct]), Encode, x)
	case IsScalar(t):
		return library.Call(kindWords[t.KeyKind()]+"FieldsOf", x, v.textFunc(a, t))
	}
	return library.Call("Fields", x, v.inItemFunc(a, t))
}

// kindWords maps the kinds of scalars to what functions of the library call them.
var kindWords = map[string]string{"S": "Text", "N": "Number"}

// valueParam is the variable of a function from a Go value to a stored one.
var valueParam syntax.Expr = syntax.Name("v")

func (v *Values) function(a *model.Attribute, t model.Type, result, x syntax.Expr) syntax.Expr {
	return &syntax.Func{
		Params:  []syntax.Param{{Name: "v", Type: v.TypeOf(a, t)}},
		Results: []syntax.Param{{Type: result}},
		Body:    []syntax.Stmt{syntax.Returns(x)},
	}
}

// textFunc returns a function from a Go value of a type to its stored text.
func (v *Values) textFunc(a *model.Attribute, t model.Type) syntax.Expr {
	return v.function(a, t, syntax.Name("string"), v.scalarText(a, t, valueParam))
}

func (v *Values) inItemFunc(a *model.Attribute, t model.Type) syntax.Expr {
	switch t.Base {
	case model.Bool:
		return library.Access("Bool")
	case model.Bytes:
		return library.Access("B")
	}
	return v.function(a, t, library.AttributeValue(), v.inItem(a, t, valueParam))
}

// PlainFunc returns a function from a Go value of an attribute to the value that expressions
// compare with.
func (v *Values) PlainFunc(a *model.Attribute) syntax.Expr {
	return v.function(a, a.Type, library.AttributeValue(), v.Plain(a, valueParam))
}

// Stored returns the stored value of a type that is, or is part of, the type of an attribute.
func (v *Values) Stored(a *model.Attribute, t model.Type, x syntax.Expr) syntax.Expr {
	switch t.Base {
	case model.Integer:
		return library.Call("N", x)
	case model.Unixtime:
		return library.Call("Unix", x)
	case model.Bool:
		return library.Call("Bool", x)
	case model.Bytes:
		return library.Call("B", x)
	case model.StructOf:
		return syntax.Method(x, "value", Encode)
	case model.ListOf:
		return v.listOf(a, *t.Element, x)
	case model.SetOf:
		return v.setOf(a, *t.Element, x)
	case model.MapOf:
		return library.Call("MapOf", x, v.storedFunc(a, *t.Element))
	}
	if t.KeyKind() == "N" {
		return library.Call("Num", v.scalarText(a, t, x))
	}
	return library.Call("S", v.scalarText(a, t, x))
}

func (v *Values) listOf(a *model.Attribute, element model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case IsPlainText(element):
		return library.Call("TextList", x)
	case element.Base == model.Integer:
		return library.Call("IntList", x)
	}
	return library.Call("ListOf", x, v.storedFunc(a, element))
}

func (v *Values) setOf(a *model.Attribute, element model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case IsPlainText(element):
		return library.Call("Strings", x)
	case element.Base == model.Integer:
		return library.Call("Ints", x)
	case element.Base == model.Unixtime:
		return library.Call("NumberSetOf", x, library.Access("FormatUnix"))
	case element.Base == model.Bytes:
		return library.Call("Blobs", x)
	}
	set := "TextSetOf"
	if element.KeyKind() == "N" {
		set = "NumberSetOf"
	}
	return library.Call(set, x, v.textFunc(a, element))
}

// storedFunc returns a function from a Go value of a type to its stored one.
func (v *Values) storedFunc(a *model.Attribute, t model.Type) syntax.Expr {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return library.Access("S")
	case model.Integer:
		return library.Access("N")
	case model.Unixtime:
		return library.Access("Unix")
	case model.Bool:
		return library.Access("Bool")
	case model.Bytes:
		return library.Access("B")
	}
	return v.function(a, t, library.AttributeValue(), v.Stored(a, t, valueParam))
}

// Plain returns the stored form of a value that an expression compares with. DynamoDB refuses
// what cannot be stored.
func (v *Values) Plain(a *model.Attribute, x syntax.Expr) syntax.Expr {
	switch a.Type.Base {
	case model.Timestamp:
		return library.Call("Time", x)
	case model.Numeric:
		return library.Call("F", x)
	case model.Decimal:
		return library.Call("Dec", x)
	case model.Date, model.Week, model.Enum:
		return library.Call("Text", x)
	}
	return v.Stored(a, a.Type, x)
}

// Natural returns a number or bytes as a key.
func Natural(a *model.Attribute, x syntax.Expr) syntax.Expr {
	switch a.Type.Base {
	case model.Numeric:
		return library.Call("F", x)
	case model.Decimal:
		return library.Call("Dec", x)
	case model.Unixtime:
		return library.Call("Unix", x)
	case model.Bytes:
		return library.Call("B", x)
	}
	return library.Call("N", x)
}

// StoredConstant returns the stored form of a value that a design states and that is not
// encrypted.
func (v *Values) StoredConstant(a *model.Attribute, text string) syntax.Expr {
	switch kind := a.Type.KeyKind(); {
	case a.Type.Base == model.Enum && v.names.Constants[a][text] != "": // otherwise a prefix
		return library.Call("Text", v.Constant(a, text))
	case a.Type.Base == model.Bool:
		return library.Call("Bool", syntax.Name(text))
	case a.Type.Base == model.Integer:
		return library.Call("N", syntax.Num(text))
	case kind == "N":
		return library.Call("Num", syntax.Str(text))
	case kind == "B":
		return library.Call("B", syntax.CallOf(syntax.ListOf(syntax.Name("byte")), syntax.Str(text)))
	}
	return library.Call("S", syntax.Str(text))
}

// Sealed returns the encrypted form of a value, given the client. It is stored under the name
// by which it is decrypted.
func (v *Values) Sealed(a *model.Attribute, client, x syntax.Expr) syntax.Expr {
	return encoded("Seal", client, syntax.Str(a.Stored), v.sealedText(a, x))
}

// sealedText returns the bytes that are encrypted.
func (v *Values) sealedText(a *model.Attribute, x syntax.Expr) syntax.Expr {
	if a.Type.Base == model.Bytes {
		return x
	}
	text := v.attributeText(a, x)
	if a.Type.Base == model.Bool {
		text = library.Call("FormatBool", x)
	}
	return syntax.CallOf(syntax.ListOf(syntax.Name("byte")), text)
}
