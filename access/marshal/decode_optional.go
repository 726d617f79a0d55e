package marshal

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// OptString reads a text; nil if it is missing. It is shared with the item.
func (d *Decoder) OptString(name string) *string {
	v := d.item[name]
	if s, ok := v.(*types.AttributeValueMemberS); ok && s != nil {
		return &s.Value
	}
	noteKind(d, name, v, "S")
	return nil
}

// OptInt reads a whole number; nil if it is missing.
func (d *Decoder) OptInt(name string) *int64 { return ifPresent(intOf(d, name)) }

// OptFloat reads a number; nil if it is missing.
func (d *Decoder) OptFloat(name string) *float64 { return ifPresent(floatOf(d, name)) }

// OptDecimal reads an exact number; nil if it is missing.
func (d *Decoder) OptDecimal(name string) *access.Decimal {
	return ifPresent(decimalOf(d, name))
}

// OptBool reads true or false; nil if it is missing.
func (d *Decoder) OptBool(name string) *bool { return ifPresent(boolOf(d, name)) }

// OptTime reads a timestamp; nil if it is missing.
func (d *Decoder) OptTime(name string) *time.Time { return ifPresent(timeOf(d, name)) }

// OptUnix reads seconds since 1970; nil if they are missing.
func (d *Decoder) OptUnix(name string) *time.Time { return ifPresent(unixOf(d, name)) }

// OptDate reads a date; nil if it is missing.
func (d *Decoder) OptDate(name string) *access.Date { return ifPresent(dateOf(d, name)) }

// OptWeek reads a week; nil if it is missing.
func (d *Decoder) OptWeek(name string) *access.Week { return ifPresent(weekOf(d, name)) }

// OptText reads the value of an enum or of another type that is a string; nil if it is
// missing.
func OptText[T ~string](d *Decoder, name string) *T {
	s, ok := textOf(d, name)
	return ifPresent(T(s), ok)
}

// Or returns the value of a pointer, or the default if it is nil.
func Or[T any](v *T, missing T) T {
	if v == nil {
		return missing
	}
	return *v
}

// ifPresent returns a copy, because what was read is not in the item as it is.
func ifPresent[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	value := v // v itself would be on the heap even if nothing is there
	return &value
}
