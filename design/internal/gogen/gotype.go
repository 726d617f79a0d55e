package gogen

import (
	"fmt"
	"strconv"
	"time"

	"sortkey.dev/design/internal/model"
)

// goType is the Go type of an attribute: a pointer if it may be absent, unless the type
// has a nil of its own.
func (g *generator) goType(a *model.Attribute) string {
	if isPointer(a.Type) {
		return "*" + g.valueType(a)
	}
	return g.valueType(a)
}

// valueType is the Go type of an attribute that is there.
func (g *generator) valueType(a *model.Attribute) string { return g.typeOf(a, a.Type) }

// isPointer reports whether an attribute of the type is a pointer in Go.
func isPointer(t model.Type) bool { return t.Optional && !hasNil(t) }

// hasNil reports whether Go's form of the type can be absent without a pointer.
func hasNil(t model.Type) bool {
	switch t.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.Bytes, model.JSON:
		return true
	}
	return false
}

// typeOf is the Go type of a type that is, or is part of, the type of an attribute.
func (g *generator) typeOf(a *model.Attribute, t model.Type) string {
	switch t.Base {
	case model.Integer:
		return "int64"
	case model.Numeric:
		return "float64"
	case model.Decimal:
		return "access.Decimal"
	case model.Bool:
		return "bool"
	case model.Bytes:
		return "[]byte"
	case model.Timestamp, model.Unixtime:
		return "time.Time"
	case model.Date:
		return "access.Date"
	case model.Week:
		return "access.Week"
	case model.JSON:
		return "json.RawMessage"
	case model.Enum:
		return g.enums[a]
	case model.ListOf, model.SetOf:
		return "[]" + g.typeOf(a, *t.Element)
	case model.MapOf:
		return "map[string]" + g.typeOf(a, *t.Element)
	case model.StructOf:
		return g.structs[t.Struct]
	}
	return "string"
}

// present is the Go condition that an attribute is there; "" if it always is.
func (g *generator) present(a *model.Attribute, x string) string {
	switch {
	case a.Type.Base == model.SetOf:
		return "len(" + x + ") > 0" // DynamoDB has no empty sets
	case a.Type.Optional:
		return x + " != nil"
	}
	return ""
}

// held is the value of an attribute that is there, given the field that holds it.
func held(a *model.Attribute, field string) string {
	if isPointer(a.Type) {
		return "*" + field
	}
	return field
}

// textOf is the Go expression for the text of a value in keys. Types that have none are
// not in keys.
func textOf(t model.Type, x string) string {
	switch t.Base {
	case model.Integer:
		return "marshal.FormatInt(" + x + ")"
	case model.Numeric:
		return "marshal.FormatFloat(" + x + ")"
	case model.Bool:
		return "marshal.FormatBool(" + x + ")"
	case model.Timestamp:
		return "marshal.FormatTime(" + x + ")"
	case model.Unixtime:
		return "marshal.FormatUnix(" + x + ")"
	case model.Decimal, model.Date, model.Week, model.Enum, model.JSON, model.Bytes:
		return "string(" + x + ")"
	}
	return x
}

// constant is the Go expression for a value of an attribute that a design states.
func (g *generator) constant(a *model.Attribute, text string) string {
	switch a.Type.Base {
	case model.Enum:
		return g.constants[a][text]
	case model.Bool, model.Integer, model.Numeric:
		return text
	case model.Decimal:
		return fmt.Sprintf("access.Decimal(%q)", text)
	case model.Date:
		return fmt.Sprintf("access.Date(%q)", text)
	case model.Week:
		return fmt.Sprintf("access.Week(%q)", text)
	case model.Unixtime:
		return "time.Unix(" + text + ", 0)"
	case model.Timestamp:
		return goTime(text)
	}
	return strconv.Quote(text)
}

// goTime is the Go expression of a timestamp as designs write it.
func goTime(text string) string {
	t, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	if err != nil {
		return "time.Time{}" // reading the design made sure that it is one
	}
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)",
		t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
}
