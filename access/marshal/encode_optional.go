package marshal

import (
	"strings"
	"time"

	"sortkey.dev/access"
)

// The methods and functions below store an attribute that may be missing under its name, and
// store nothing if it is.

// OptS stores a text.
func (e *Encoder) OptS(item access.Item, name string, p *string) {
	if p != nil {
		item[name] = e.S(*p)
	}
}

// OptInt stores a whole number.
func (e *Encoder) OptInt(item access.Item, name string, p *int64) {
	if p != nil {
		item[name] = e.N(e.Int(*p))
	}
}

// OptFloat stores a number with a fraction.
func (e *Encoder) OptFloat(item access.Item, name string, p *float64) {
	if p != nil {
		item[name] = e.N(e.Float(name, *p))
	}
}

// OptDecimal stores an exact number.
func (e *Encoder) OptDecimal(item access.Item, name string, p *access.Decimal) {
	if p != nil {
		item[name] = e.N(e.Decimal(name, *p))
	}
}

// OptBool stores a truth value.
func (e *Encoder) OptBool(item access.Item, name string, p *bool) {
	if p != nil {
		item[name] = Bool(*p)
	}
}

// OptTime stores an instant as a timestamp.
func (e *Encoder) OptTime(item access.Item, name string, p *time.Time) {
	if p != nil {
		item[name] = e.S(e.Time(name, *p))
	}
}

// OptUnix stores an instant as seconds since 1970.
func (e *Encoder) OptUnix(item access.Item, name string, p *time.Time) {
	if p != nil {
		item[name] = e.N(e.Unix(*p))
	}
}

// OptDate stores a date.
func (e *Encoder) OptDate(item access.Item, name string, p *access.Date) {
	if p != nil {
		item[name] = e.S(e.Date(name, *p))
	}
}

// OptWeek stores a week.
func (e *Encoder) OptWeek(item access.Item, name string, p *access.Week) {
	if p != nil {
		item[name] = e.S(e.Week(name, *p))
	}
}

// OptTexts stores a list of texts.
func (e *Encoder) OptTexts(item access.Item, name string, texts []string) {
	if texts != nil {
		item[name] = e.L(TextElements(texts))
	}
}

// An EnumValue is a value of a generated enum.
type EnumValue interface {
	~string
	Valid() bool
}

// OptEnum stores a value of an enum.
func OptEnum[T EnumValue](e *Encoder, item access.Item, name string, p *T, values func() []T) {
	if p != nil {
		item[name] = e.S(EnumText(e, name, *p, values))
	}
}

// EnumText returns a value of an enum as it is stored. A value that is not one of values is an
// error of the encoder.
func EnumText[T EnumValue](e *Encoder, attribute string, v T, values func() []T) string {
	if !v.Valid() {
		e.refuseEnum(attribute, OfEach(values(), func(v T) string { return string(v) }))
	}
	return string(v)
}

func (e *Encoder) refuseEnum(attribute string, values []string) {
	e.Refuse(attribute, "is not one of "+strings.Join(values, ", "))
}

// NotEmpty notes a *KeyError if a text that is used as a key is empty.
func (e *Encoder) NotEmpty(attribute, text string) {
	if text == "" && e.key.err == nil {
		e.key.err = &access.KeyError{Entity: e.entity, Attribute: attribute, Reason: "is empty"}
	}
}

// Done returns an item, or the error of the encoder.
func (e *Encoder) Done(item access.Item) (access.Item, error) {
	if err := e.Err(); err != nil {
		return nil, err
	}
	return item, nil
}

// StoredTime returns an instant as a timestamp holds it: in UTC, in milliseconds.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// StoredUnix returns an instant as seconds since 1970 hold it, in UTC.
func StoredUnix(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// OptStored returns a pointer to the stored form of the value p points to, and nil if p is
// nil.
func OptStored[T any](p *T, stored func(T) T) *T {
	if p == nil {
		return nil
	}
	return new(stored(*p))
}
