package change

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// storedKind returns how DynamoDB stores values of a type: S, N, B, BOOL, L, M, SS, NS or BS.
func storedKind(t model.Type) string {
	switch t.Base {
	case model.Bool:
		return "BOOL"
	case model.ListOf:
		return "L"
	case model.MapOf, model.StructOf:
		return "M"
	case model.SetOf:
		return t.Element.KeyKind() + "S"
	}
	return t.KeyKind()
}

// kindWords maps the kinds of values to words.
var kindWords = map[string]string{
	"S": "a text", "N": "a number", "B": "bytes", "BOOL": "a truth value", "L": "a list", "M": "a map",
	"SS": "a set of texts", "NS": "a set of numbers", "BS": "a set of bytes",
}

// fits reports whether every stored value of a type is a value of another, which is stored in the
// same way. It does not look at fields of structs.
func fits(a, b model.Type) bool {
	switch {
	case a.Base == model.Enum && b.Base == model.Enum:
		return !slices.ContainsFunc(a.Values, func(v string) bool { return !slices.Contains(b.Values, v) })
	case a.Element != nil && b.Element != nil:
		return a.Base == b.Base && storedKind(*a.Element) == storedKind(*b.Element) && fits(*a.Element, *b.Element)
	case a.Base == b.Base:
		return true
	}
	return slices.Contains(wider[a.Base], b.Base) || b.Base == model.String && storedKind(a) == "S"
}

// wider maps types to those that have all their values, besides string.
var wider = map[model.Base][]model.Base{
	model.Unixtime: {model.Integer, model.Numeric, model.Decimal},
	model.Integer:  {model.Numeric, model.Decimal},
	model.Numeric:  {model.Decimal},
	model.UUIDv7:   {model.UUID},
}

// sameKind reports whether values of two types are stored in the same way, also within collections.
func sameKind(a, b model.Type) bool {
	if storedKind(a) != storedKind(b) {
		return false
	}
	return a.Base != b.Base || a.Element == nil || b.Element == nil || sameKind(*a.Element, *b.Element)
}
