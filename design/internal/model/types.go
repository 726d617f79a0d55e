package model

// A Type is the type of an attribute.
type Type struct {
	Base     Base
	Values   []string // of an enum
	Element  *Type    // of a list, set or map
	Struct   *Struct  // of a struct type
	Optional bool     // the attribute may be absent
}

// Base is a type without its parameters.
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

// Bases lists the base types without parameters.
var Bases = []Base{
	String, Integer, Numeric, Decimal, Bool, Bytes, Timestamp, Unixtime, Date, Week,
	UUID, UUIDv7, ULID, Geohash, JSON,
}

// KeyKind returns the key type of an attribute of the type: S, N or B, or "" if it cannot be
// a key.
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

// InTemplate reports whether a value of the type can be part of a template.
func (t Type) InTemplate() bool {
	switch t.Base {
	case JSON, Bytes, ListOf, SetOf, MapOf, StructOf:
		return false
	}
	return true
}

// Order is the relation of the stored order to the order of values.
type Order int

// The orders.
const (
	Meaningless Order = iota // random ids: the order has no meaning
	ByValue                  // the stored order is the order of values
	ByText                   // numbers as text: 10 before 9
)

// AsKey returns the order of an attribute of the type as a key.
func (t Type) AsKey() Order {
	switch t.Base {
	case UUID:
		return Meaningless
	case Bool, ListOf, SetOf, MapOf, StructOf, JSON:
		return Meaningless
	}
	return ByValue
}

// AsText returns the order of the type's text in a template.
func (t Type) AsText() Order {
	switch t.Base {
	case UUID, JSON, ListOf, SetOf, MapOf, StructOf, Bytes:
		return Meaningless
	case Integer, Numeric, Decimal:
		return ByText
	}
	return ByValue
}

// IsNumber reports whether values of the type are numbers.
func (t Type) IsNumber() bool {
	return t.Base == Integer || t.Base == Numeric || t.Base == Decimal || t.Base == Unixtime
}

// String returns the type in the syntax of design files.
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
