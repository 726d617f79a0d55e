package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
)

// How generated code turns a Go value into a stored one. There are two ways: slot, for
// the attributes of an item, whose texts and numbers share memory, and valueOf, for
// everything inside them and for the values of expressions. Both use a variable named
// encode, an *access.Encoder, for types of which not every Go value can be stored.

// scalarText is the expression of the stored text of a value whose kind is S or N; name
// is what errors call it.
func scalarText(t model.Type, name, x string) string {
	checked := map[model.Base]string{
		model.Timestamp: "Time", model.Numeric: "Float", model.Decimal: "Decimal",
		model.Date: "Date", model.Week: "Week", model.JSON: "JSON",
	}
	if method := checked[t.Base]; method != "" {
		return fmt.Sprintf("encode.%s(%q, %s)", method, name, x)
	}
	return textOf(t, x)
}

// isScalar reports whether values of the type are stored as S or N.
func isScalar(t model.Type) bool { return t.KeyKind() == "S" || t.KeyKind() == "N" }

// slot is the expression of an attribute's value inside an item, taken from the slabs if
// it is a text or a number.
func (g *generator) slot(a *model.Attribute, x string) string {
	switch a.Type.KeyKind() {
	case "S":
		return "texts.of(" + scalarText(a.Type, a.Name, x) + ")"
	case "N":
		return "numbers.of(" + scalarText(a.Type, a.Name, x) + ")"
	}
	return g.valueOf(a, a.Type, x)
}

// valueOf is the expression of a stored value of a type that is, or is part of, the type
// of an attribute.
func (g *generator) valueOf(a *model.Attribute, t model.Type, x string) string {
	switch t.Base {
	case model.Integer:
		return "access.N(" + x + ")"
	case model.Unixtime:
		return "access.Unix(" + x + ")"
	case model.Bool:
		return "access.Bool(" + x + ")"
	case model.Bytes:
		return "access.B(" + x + ")"
	case model.Enum:
		return "access.Text(" + x + ")"
	case model.StructOf:
		return callOn(x, "value(encode)")
	case model.ListOf:
		return g.listOf(a, *t.Element, x)
	case model.SetOf:
		return g.setOf(a, *t.Element, x)
	case model.MapOf:
		return fmt.Sprintf("access.MapOf(%s, %s)", x, g.valueFunc(a, *t.Element))
	}
	if t.KeyKind() == "N" {
		return "access.Num(" + scalarText(t, a.Name, x) + ")"
	}
	return "access.S(" + scalarText(t, a.Name, x) + ")"
}

func (g *generator) listOf(a *model.Attribute, element model.Type, x string) string {
	switch element.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash, model.Enum:
		return "access.TextList(" + x + ")"
	case model.Integer:
		return "access.IntList(" + x + ")"
	}
	return fmt.Sprintf("access.ListOf(%s, %s)", x, g.valueFunc(a, element))
}

func (g *generator) setOf(a *model.Attribute, element model.Type, x string) string {
	switch element.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return "access.Strings(" + x + ")"
	case model.Enum:
		return "access.Texts(" + x + ")"
	case model.Integer:
		return "access.Ints(" + x + ")"
	case model.Unixtime:
		return "access.NumberSetOf(" + x + ", access.FormatUnix)"
	case model.Bytes:
		return "access.Blobs(" + x + ")"
	}
	set := "TextSetOf"
	if element.KeyKind() == "N" {
		set = "NumberSetOf"
	}
	return fmt.Sprintf("access.%s(%s, func(v %s) string { return %s })", set, x, g.typeOf(a, element), scalarText(element, a.Name, "v"))
}

// valueFunc is a function from a Go value of a type to its stored one.
func (g *generator) valueFunc(a *model.Attribute, t model.Type) string {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return "access.S"
	case model.Integer:
		return "access.N"
	case model.Unixtime:
		return "access.Unix"
	case model.Bool:
		return "access.Bool"
	case model.Bytes:
		return "access.B"
	}
	return fmt.Sprintf("func(v %s) types.AttributeValue { return %s }", g.typeOf(a, t), g.valueOf(a, t, "v"))
}

// sealedText is the expression of what is sealed of a value: its text, or its bytes.
func sealedText(a *model.Attribute, x string) string {
	if a.Type.Base == model.Bytes {
		return x
	}
	if a.Type.Base == model.Bool {
		return "[]byte(access.FormatBool(" + x + "))"
	}
	return "[]byte(" + scalarText(a.Type, a.Name, x) + ")"
}

// canSeal reports whether values of the type have a text to seal.
func canSeal(t model.Type) bool { return t.KeyKind() != "" || t.Base == model.Bool }
