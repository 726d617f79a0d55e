// Package values says how a value of the design is written in Go: its type, its constants, how
// it is compared, what its text in a key is, how it is stored and how it is read back. It
// builds expressions for the rooms that build declarations; it declares nothing itself.
package values

import (
	"strconv"
	"time"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
)

// Values builds the expressions of values, with the names of one design.
type Values struct{ names *naming.Names }

// New returns the values of a design with the given names.
func New(names *naming.Names) *Values { return &Values{names} }

// GoType returns the Go type of an attribute: a pointer if it may be missing, unless the type
// has a nil of its own.
func (v *Values) GoType(a *model.Attribute) syntax.Expr {
	if IsPointer(a.Type) {
		return syntax.Pointer(v.ValueType(a))
	}
	return v.ValueType(a)
}

// ValueType returns the Go type of an attribute that is not missing.
func (v *Values) ValueType(a *model.Attribute) syntax.Expr { return v.TypeOf(a, a.Type) }

// IsPointer reports whether an attribute of the type is a pointer in Go.
func IsPointer(t model.Type) bool { return t.Optional && !HasNil(t) }

// HasNil reports whether the Go form of the type has a nil of its own.
func HasNil(t model.Type) bool {
	switch t.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.Bytes, model.JSON:
		return true
	}
	return false
}

// TypeOf returns the Go type of a type that is, or is part of, the type of an attribute.
func (v *Values) TypeOf(a *model.Attribute, t model.Type) syntax.Expr {
	switch t.Base {
	case model.Integer:
		return syntax.Name("int64")
	case model.Numeric:
		return syntax.Name("float64")
	case model.Decimal:
		return library.Access("Decimal")
	case model.Bool:
		return syntax.Name("bool")
	case model.Bytes:
		return syntax.ListOf(syntax.Name("byte"))
	case model.Timestamp, model.Unixtime:
		return library.Of("time", "Time")
	case model.Date:
		return library.Access("Date")
	case model.Week:
		return library.Access("Week")
	case model.JSON:
		return library.Of("json", "RawMessage")
	case model.Enum:
		return syntax.Name(v.names.Enums[a])
	case model.ListOf, model.SetOf:
		return syntax.ListOf(v.TypeOf(a, *t.Element))
	case model.MapOf:
		return syntax.MapOf(syntax.Name("string"), v.TypeOf(a, *t.Element))
	case model.StructOf:
		return syntax.Name(v.names.Structs[t.Struct])
	}
	return syntax.Name("string")
}

// Present returns the condition that a value of a type is there, nil if it always is.
func Present(t model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case t.Base == model.SetOf:
		return syntax.Compare(syntax.Builtin("len", x), ">", syntax.Int(0)) // DynamoDB has no empty sets
	case t.Optional:
		return syntax.IsSet(x)
	}
	return nil
}

// absent returns the opposite of Present.
func absent(t model.Type, x syntax.Expr) syntax.Expr {
	switch {
	case t.Base == model.SetOf:
		return syntax.Compare(syntax.Builtin("len", x), "==", syntax.Int(0))
	case t.Optional:
		return syntax.IsNil(x)
	}
	return nil
}

// ZeroIsNone reports whether the zero value of the Go type is no value of the type, so that it
// can stand for the default. The empty string, 0 and false are values.
func ZeroIsNone(t model.Type) bool {
	switch t.Base {
	case model.Enum, model.Timestamp, model.Unixtime, model.Date, model.Week,
		model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return true
	}
	return false
}

// IsNone returns the condition that a value is the zero value of such a type.
func IsNone(t model.Type, x syntax.Expr) syntax.Expr {
	if t.Base == model.Timestamp || t.Base == model.Unixtime {
		return syntax.Method(x, "IsZero")
	}
	return syntax.Compare(x, "==", syntax.Str(""))
}

// Held returns the value of an attribute that is there, given the field that holds it.
func Held(t model.Type, field syntax.Expr) syntax.Expr {
	if IsPointer(t) {
		return syntax.Deref(field)
	}
	return field
}

// Constant returns a value of an attribute that a design states.
func (v *Values) Constant(a *model.Attribute, text string) syntax.Expr {
	switch a.Type.Base {
	case model.Enum:
		return syntax.Name(v.names.Constants[a][text])
	case model.Bool:
		return syntax.Name(text)
	case model.Integer, model.Numeric:
		return syntax.Num(text)
	case model.Decimal:
		return library.Call("Decimal", syntax.Str(text))
	case model.Date:
		return library.Call("Date", syntax.Str(text))
	case model.Week:
		return library.Call("Week", syntax.Str(text))
	case model.Unixtime:
		return syntax.CallOf(library.Of("time", "Unix"), syntax.Num(text), syntax.Int(0))
	case model.Timestamp:
		return instant(text)
	}
	return syntax.Str(text)
}

// PointerTo returns a pointer to a constant of an attribute.
func (v *Values) PointerTo(a *model.Attribute, text string) syntax.Expr {
	x := v.Constant(a, text)
	switch a.Type.Base {
	case model.Integer, model.Numeric:
		x = syntax.CallOf(v.ValueType(a), x)
	}
	return syntax.Builtin("new", x)
}

// instant returns a timestamp that a design states.
func instant(text string) syntax.Expr {
	t, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	if err != nil {
		return syntax.Make(library.Of("time", "Time")) // the loader makes sure that it is a time
	}
	var args []syntax.Expr
	for _, n := range []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()} {
		args = append(args, syntax.Num(strconv.Itoa(n)))
	}
	return syntax.CallOf(library.Of("time", "Date"), append(args, library.Of("time", "UTC"))...)
}

// TextOf returns the text of a value in keys. Types that have none are not in keys.
func TextOf(t model.Type, x syntax.Expr) syntax.Expr {
	switch t.Base {
	case model.Integer:
		return library.Call("FormatInt", x)
	case model.Numeric:
		return library.Call("FormatFloat", x)
	case model.Bool:
		return library.Call("FormatBool", x)
	case model.Timestamp:
		return library.Call("FormatTime", x)
	case model.Unixtime:
		return library.Call("FormatUnix", x)
	case model.Decimal, model.Date, model.Week, model.Enum, model.JSON, model.Bytes:
		return syntax.Builtin("string", x)
	}
	return x
}

// ElementOf returns the type of a value as keys hold it: of a set the type of its elements.
func ElementOf(t model.Type) model.Type {
	if t.Base == model.SetOf {
		return *t.Element
	}
	return t
}

// IsSealed reports whether an attribute is encrypted before it is stored.
func IsSealed(e *model.Entity, a *model.Attribute) bool {
	for _, sealed := range e.Encrypt {
		if sealed == a {
			return true
		}
	}
	return false
}

// HasSealed reports whether an entity has attributes that are encrypted.
func HasSealed(e *model.Entity) bool { return len(e.Encrypt) > 0 }

// CanSeal reports whether values of the type have a text that can be encrypted.
func CanSeal(t model.Type) bool { return t.KeyKind() != "" || t.Base == model.Bool }

// IsPlainText reports whether every Go value of the type is stored as it is.
func IsPlainText(t model.Type) bool {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return true
	}
	return false
}

// IsScalar reports whether values of the type are stored as S or N.
func IsScalar(t model.Type) bool { return t.KeyKind() == "S" || t.KeyKind() == "N" }
