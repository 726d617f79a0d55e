package cost

import (
	"strconv"

	"sortkey.dev/design/internal/model"
)

// LeastSize returns the smallest size that an item can have in a table: the names and values of
// the attributes that every item has, with the shortest values of their types.
func LeastSize(item *model.Item) int64 {
	size := typeAttributeSize(item)
	for _, a := range item.Entity.Beside() {
		if !a.Type.Optional {
			size += int64(len(a.Stored)) + leastValue(a.Type)
		}
	}
	for _, c := range item.Computed {
		if len(c.When) == 0 && isAlways(c.Template) {
			size += int64(len(c.Name)) + leastTemplate(c.Template)
		}
	}
	return size
}

// isAlways reports whether every item has the attributes of a template.
func isAlways(t *model.Template) bool {
	for _, part := range t.Parts {
		if part.IsHole() && part.Attribute.Type.Optional {
			return false
		}
	}
	return true
}

// leastValue returns the size of the shortest value of a type.
func leastValue(t model.Type) int64 {
	switch t.Base {
	case model.Integer, model.Numeric, model.Decimal, model.Bool:
		return 1
	case model.Unixtime:
		return (unixDigits-5)/2 + 1 // zeros at the end take no room
	case model.ListOf, model.MapOf, model.StructOf:
		return 3
	case model.SetOf, model.String, model.JSON, model.Bytes:
		return 0
	}
	return leastText(t)
}

// leastText returns the number of characters of the shortest text of a type.
func leastText(t model.Type) int64 {
	switch t.Base {
	case model.Enum:
		shortest := guessText
		for _, v := range t.Values {
			shortest = min(shortest, len(v))
		}
		return int64(shortest)
	case model.Timestamp, model.Date, model.Week, model.UUID, model.UUIDv7, model.ULID:
		return textLength(t)
	}
	return 0
}

// leastTemplate returns the number of bytes of the shortest text of a template.
func leastTemplate(t *model.Template) int64 {
	size := int64(0)
	for _, part := range t.Parts {
		if !part.IsHole() {
			size += int64(len(part.Literal))
			continue
		}
		least := leastText(part.Attribute.Type)
		for _, f := range part.Filters {
			switch f.Name {
			case model.Pad:
				least = max(least, int64(f.N))
			case model.Shard:
				least = int64(len(strconv.Itoa(0)))
			default:
				least = 0
			}
		}
		size += least
	}
	return size
}
