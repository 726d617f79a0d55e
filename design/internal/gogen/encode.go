package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
)

// How generated code turns a Go value into a stored one. There are two ways: inItem, for
// the values of an item, which share memory, and valueOf, for the values of expressions.
// Both use a variable named encode, an *marshal.Encoder, for types of which not every Go
// value can be stored.

// checkedTexts are the methods of an Encoder for types of which some values are refused.
var checkedTexts = map[model.Base]string{
	model.Timestamp: "Time", model.Numeric: "Float", model.Decimal: "Decimal",
	model.Date: "Date", model.Week: "Week", model.JSON: "JSON",
}

// scalarText is the expression of the stored text of a value whose kind is S or N; name
// is what errors call it.
func scalarText(t model.Type, name, x string) string {
	if method := checkedTexts[t.Base]; method != "" {
		return fmt.Sprintf("encode.%s(%q, %s)", method, name, x)
	}
	switch t.Base {
	case model.Integer:
		return "encode.Int(" + x + ")"
	case model.Unixtime:
		return "encode.Unix(" + x + ")"
	case model.Enum:
		return callOn(x, fmt.Sprintf("text(encode, %q)", name))
	}
	return textOf(t, x)
}

// attributeText is scalarText for an attribute itself: nobody means the zero time by one
// that every item has.
func attributeText(a *model.Attribute, x string) string {
	switch {
	case a.Type.Optional:
	case a.Type.Base == model.Timestamp:
		return fmt.Sprintf("encode.RequiredTime(%q, %s)", a.Name, x)
	case a.Type.Base == model.Unixtime:
		return fmt.Sprintf("encode.RequiredUnix(%q, %s)", a.Name, x)
	}
	return scalarText(a.Type, a.Name, x)
}

// isScalar reports whether values of the type are stored as S or N.
func isScalar(t model.Type) bool { return t.KeyKind() == "S" || t.KeyKind() == "N" }

// slot is the expression of an attribute's value inside an item or a struct.
func (g *generator) slot(a *model.Attribute, x string) string {
	switch a.Type.KeyKind() {
	case "S":
		return "encode.S(" + attributeText(a, x) + ")"
	case "N":
		return "encode.N(" + attributeText(a, x) + ")"
	}
	return g.inItem(a, a.Type, x)
}

// inItem is the expression of a value inside an item, of a type that is, or is part of,
// the type of an attribute.
func (g *generator) inItem(a *model.Attribute, t model.Type, x string) string {
	switch t.Base {
	case model.ListOf:
		return "encode.L(" + g.elements(a, *t.Element, x) + ")"
	case model.MapOf:
		return "encode.M(" + g.entries(a, *t.Element, x) + ")"
	case model.SetOf:
		if isPlainText(*t.Element) {
			return "encode.SS(" + x + ")"
		}
	}
	switch t.KeyKind() {
	case "S":
		return "encode.S(" + scalarText(t, a.Name, x) + ")"
	case "N":
		return "encode.N(" + scalarText(t, a.Name, x) + ")"
	}
	return g.valueOf(a, t, x)
}

// isPlainText reports whether every Go value of the type is stored as it is.
func isPlainText(t model.Type) bool {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return true
	}
	return false
}

// elements is the expression of the values of a list inside an item.
func (g *generator) elements(a *model.Attribute, t model.Type, x string) string {
	switch {
	case isPlainText(t):
		return "marshal.TextElements(" + x + ")"
	case t.Base == model.Integer:
		return "marshal.IntElements(" + x + ")"
	case t.Base == model.StructOf:
		return fmt.Sprintf("%s(encode, %s)", g.elementFuncs[t.Struct], x)
	case isScalar(t):
		return fmt.Sprintf("marshal.%sElementsOf(%s, %s)", kindWords[t.KeyKind()], x, g.textFunc(a, t))
	}
	return fmt.Sprintf("marshal.Elements(%s, %s)", x, g.inItemFunc(a, t))
}

// entries is the expression of the values of a map inside an item.
func (g *generator) entries(a *model.Attribute, t model.Type, x string) string {
	switch {
	case isPlainText(t):
		return "marshal.TextFields(" + x + ")"
	case t.Base == model.StructOf:
		return fmt.Sprintf("%s(encode, %s)", g.entryFuncs[t.Struct], x)
	case isScalar(t):
		return fmt.Sprintf("marshal.%sFieldsOf(%s, %s)", kindWords[t.KeyKind()], x, g.textFunc(a, t))
	}
	return fmt.Sprintf("marshal.Fields(%s, %s)", x, g.inItemFunc(a, t))
}

// kindWords are how functions of package access call the kinds of scalars.
var kindWords = map[string]string{"S": "Text", "N": "Number"}

// textFunc is a function from a Go value of a type to its stored text.
func (g *generator) textFunc(a *model.Attribute, t model.Type) string {
	return fmt.Sprintf("func(v %s) string { return %s }", g.typeOf(a, t), scalarText(t, a.Name, "v"))
}

func (g *generator) inItemFunc(a *model.Attribute, t model.Type) string {
	switch t.Base {
	case model.Bool:
		return "marshal.Bool"
	case model.Bytes:
		return "marshal.B"
	}
	return fmt.Sprintf("func(v %s) types.AttributeValue { return %s }", g.typeOf(a, t), g.inItem(a, t, "v"))
}

// valueOf is the expression of a stored value of a type that is, or is part of, the type
// of an attribute.
func (g *generator) valueOf(a *model.Attribute, t model.Type, x string) string {
	switch t.Base {
	case model.Integer:
		return "marshal.N(" + x + ")"
	case model.Unixtime:
		return "marshal.Unix(" + x + ")"
	case model.Bool:
		return "marshal.Bool(" + x + ")"
	case model.Bytes:
		return "marshal.B(" + x + ")"
	case model.Enum:
		return "marshal.S(" + scalarText(t, a.Name, x) + ")"
	case model.StructOf:
		return callOn(x, "value(encode)")
	case model.ListOf:
		return g.listOf(a, *t.Element, x)
	case model.SetOf:
		return g.setOf(a, *t.Element, x)
	case model.MapOf:
		return fmt.Sprintf("marshal.MapOf(%s, %s)", x, g.valueFunc(a, *t.Element))
	}
	if t.KeyKind() == "N" {
		return "marshal.Num(" + scalarText(t, a.Name, x) + ")"
	}
	return "marshal.S(" + scalarText(t, a.Name, x) + ")"
}

func (g *generator) listOf(a *model.Attribute, element model.Type, x string) string {
	switch {
	case isPlainText(element):
		return "marshal.TextList(" + x + ")"
	case element.Base == model.Integer:
		return "marshal.IntList(" + x + ")"
	}
	return fmt.Sprintf("marshal.ListOf(%s, %s)", x, g.valueFunc(a, element))
}

func (g *generator) setOf(a *model.Attribute, element model.Type, x string) string {
	switch {
	case isPlainText(element):
		return "marshal.Strings(" + x + ")"
	case element.Base == model.Integer:
		return "marshal.Ints(" + x + ")"
	case element.Base == model.Unixtime:
		return "marshal.NumberSetOf(" + x + ", marshal.FormatUnix)"
	case element.Base == model.Bytes:
		return "marshal.Blobs(" + x + ")"
	}
	set := "TextSetOf"
	if element.KeyKind() == "N" {
		set = "NumberSetOf"
	}
	return fmt.Sprintf("marshal.%s(%s, %s)", set, x, g.textFunc(a, element))
}

// valueFunc is a function from a Go value of a type to its stored one.
func (g *generator) valueFunc(a *model.Attribute, t model.Type) string {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return "marshal.S"
	case model.Integer:
		return "marshal.N"
	case model.Unixtime:
		return "marshal.Unix"
	case model.Bool:
		return "marshal.Bool"
	case model.Bytes:
		return "marshal.B"
	}
	return fmt.Sprintf("func(v %s) types.AttributeValue { return %s }", g.typeOf(a, t), g.valueOf(a, t, "v"))
}

// sealedText is the expression of what is sealed of a value: its text, or its bytes.
func sealedText(a *model.Attribute, x string) string {
	if a.Type.Base == model.Bytes {
		return x
	}
	if a.Type.Base == model.Bool {
		return "[]byte(marshal.FormatBool(" + x + "))"
	}
	return "[]byte(" + attributeText(a, x) + ")"
}

// canSeal reports whether values of the type have a text to seal.
func canSeal(t model.Type) bool { return t.KeyKind() != "" || t.Base == model.Bool }
