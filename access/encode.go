package access

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A ValueError says that a value cannot be stored.
type ValueError struct {
	Entity    string
	Attribute string
	Reason    string // is not a date; ...
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("access: %s of %s cannot be stored: it %s", e.Attribute, e.Entity, e.Reason)
}

// An Encoder gives the stored texts of the values of an item. Not all values can be
// stored; the first error sticks. The texts it makes share memory, which is why numbers
// and times made by it take fewer allocations than with FormatInt and FormatTime. An
// Encoder that was used is not copied.
type Encoder struct {
	entity string
	err    error
	texts  arena
}

// Encode begins an item of an entity.
func Encode(entity string) Encoder { return Encoder{entity: entity} }

// Err is a *ValueError for the first value that cannot be stored, or nil; an error that
// wraps ErrSealed if there is no sealer for it.
func (e *Encoder) Err() error { return e.err }

// Refuse notes that a value cannot be stored, and why: it is …
func (e *Encoder) Refuse(attribute, reason string) {
	if e.err == nil {
		e.err = &ValueError{Entity: e.entity, Attribute: attribute, Reason: reason}
	}
}

// Time is an instant as a timestamp is stored.
func (e *Encoder) Time(attribute string, t time.Time) string {
	var text [timeWidth]byte
	if !writeTime(&text, t) {
		e.Refuse(attribute, notAYear)
		return ""
	}
	return e.texts.keep(text[:])
}

// Int is a whole number.
func (e *Encoder) Int(n int64) string { return e.texts.integer(n) }

// Unix is an instant as seconds since 1970.
func (e *Encoder) Unix(t time.Time) string { return e.texts.integer(t.Unix()) }

// Float is a number with a fraction.
func (e *Encoder) Float(attribute string, f float64) string {
	text := FormatFloat(f)
	if text == "" {
		e.Refuse(attribute, "is no number")
	}
	return text
}

// Decimal is an exact number in its one spelling.
func (e *Encoder) Decimal(attribute string, d Decimal) string {
	spelled, err := ParseDecimal(d.String())
	if err != nil {
		e.Refuse(attribute, err.Error())
	}
	return string(spelled)
}

// Date is a date, if there is such a day.
func (e *Encoder) Date(attribute string, d Date) string {
	if !d.Valid() {
		e.Refuse(attribute, notADate)
	}
	return string(d)
}

// Week is a week, if there is such a week.
func (e *Encoder) Week(attribute string, w Week) string {
	if !w.Valid() {
		e.Refuse(attribute, notAWeek)
	}
	return string(w)
}

// JSON is a document as text; none is null.
func (e *Encoder) JSON(attribute string, document json.RawMessage) string {
	if len(document) == 0 {
		return "null"
	}
	if !json.Valid(document) {
		e.Refuse(attribute, "is not valid JSON")
	}
	return string(document)
}

// Seal seals a value of the entity; nil if it cannot.
func (e *Encoder) Seal(c *Client, attribute string, plain []byte) types.AttributeValue {
	v, err := c.Seal(e.entity, attribute, plain)
	if err != nil && e.err == nil {
		e.err = err
	}
	return v
}

// arenaSize is the memory the texts of an item begin with: a few times or numbers.
const arenaSize = 80

// An arena makes many short texts with few allocations. A text that was made is never
// written to again: the builder only adds behind it, or moves on to new memory.
type arena struct{ b strings.Builder }

func (a *arena) keep(text []byte) string {
	if a.b.Cap()-a.b.Len() < len(text) {
		a.b.Reset()
		a.b.Grow(max(arenaSize, len(text)))
	}
	start := a.b.Len()
	a.b.Write(text)
	return a.b.String()[start:]
}

func (a *arena) integer(n int64) string {
	if n >= 0 && n < 100 {
		return strconv.FormatInt(n, 10) // takes no memory
	}
	var digits [20]byte
	return a.keep(strconv.AppendInt(digits[:0], n, 10))
}
