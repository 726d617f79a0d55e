package model

// A Type is the type of an attribute.
type Type struct {
	Base     Base
	Values   []string // of an enum
	Element  *Type    // of a list, set or map
	Struct   *Struct  // of a struct type
	Optional bool     // the attribute may be absent
}

// Base is what a type is apart from its parameters.
type Base string

// The base types.
const (
	String    Base = "string"
	Integer   Base = "int"
	Numeric   Base = "number"
	Decimal   Base = "decimal"
	Bool      Base = "bool"
	Bytes     Base = "bytes"
	Timestamp Base = "timestamp" // RFC 3339, UTC, milliseconds, always 24 characters
	Unixtime  Base = "unixtime"  // whole seconds, a number
	Date      Base = "date"      // 2026-02-17
	Week      Base = "week"      // 2026-W07
	UUID      Base = "uuid"      // random
	UUIDv7    Base = "uuidv7"    // begins with its time
	ULID      Base = "ulid"      // begins with its time
	Geohash   Base = "geohash"
	JSON      Base = "json"
	Enum      Base = "enum"
	ListOf    Base = "list"
	SetOf     Base = "set"
	MapOf     Base = "map"
	StructOf  Base = "struct"
)

// Bases are the base types that stand alone in a design file.
var Bases = []Base{
	String, Integer, Numeric, Decimal, Bool, Bytes, Timestamp, Unixtime, Date, Week,
	UUID, UUIDv7, ULID, Geohash, JSON,
}

// KeyKind is the kind of key an attribute of the type can be as it is: S, N or B,
// or "" if DynamoDB refuses it.
func (t Type) KeyKind() string {
	switch t.Base {
	case String, Timestamp, Date, Week, UUID, UUIDv7, ULID, Geohash, Enum, JSON:
		return "S"
	case Integer, Numeric, Decimal, Unixtime:
		return "N"
	case Bytes:
		return "B"
	}
	return ""
}

// InTemplate reports whether a value of the type can be written into a template.
func (t Type) InTemplate() bool {
	switch t.Base {
	case JSON, Bytes, ListOf, SetOf, MapOf, StructOf:
		return false
	}
	return true
}

// Order says what sorting by a value of a type means.
type Order int

// The orders.
const (
	Meaningless Order = iota // random ids: an order, but of nothing
	ByValue                  // sorting by the stored form is sorting by the value
	ByText                   // numbers as text: 10 before 9
)

// AsKey is what sorting by an attribute of the type as a key of its own means.
func (t Type) AsKey() Order {
	switch t.Base {
	case UUID:
		return Meaningless
	case Bool, ListOf, SetOf, MapOf, StructOf, JSON:
		return Meaningless
	}
	return ByValue
}

// AsText is what sorting by the type's text inside a template means.
func (t Type) AsText() Order {
	switch t.Base {
	case UUID, JSON, ListOf, SetOf, MapOf, StructOf, Bytes:
		return Meaningless
	case Integer, Numeric, Decimal:
		return ByText
	}
	return ByValue
}

// IsNumber reports whether values of the type can be added to.
func (t Type) IsNumber() bool {
	return t.Base == Integer || t.Base == Numeric || t.Base == Decimal || t.Base == Unixtime
}

// String is the type as a design file writes it.
func (t Type) String() string {
	s := string(t.Base)
	switch t.Base {
	case Enum:
		s = "enum("
		for i, v := range t.Values {
			if i > 0 {
				s += ", "
			}
			s += v
		}
		s += ")"
	case ListOf, SetOf, MapOf:
		s += "<" + t.Element.String() + ">"
	case StructOf:
		s = t.Struct.Name
	}
	if t.Optional {
		s += "?"
	}
	return s
}
