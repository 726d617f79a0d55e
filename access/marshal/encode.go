package marshal

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/timetext"
)

// An Encoder makes the stored values of an item. Not all values can be stored; the first
// error sticks. What it makes shares memory: all texts of numbers, times and keys one
// piece, all values another. An Encoder that was used is not copied.
type Encoder struct {
	entity  string
	err     error
	key     KeyText
	members Members
}

// Members are the memory for the values of an item: empty, with room. What is used up is
// replaced.
type Members struct {
	S  []types.AttributeValueMemberS
	N  []types.AttributeValueMemberN
	L  []types.AttributeValueMemberL
	M  []types.AttributeValueMemberM
	SS []types.AttributeValueMemberSS
}

// Encode begins values of an entity.
func Encode(entity string) Encoder { return Encoder{entity: entity} }

// EncodeItem begins an item of an entity: room is about how many bytes its keys, numbers
// and times have, and members have room for its values.
func EncodeItem(entity string, room int, members Members) Encoder {
	e := Encoder{entity: entity, members: members}
	e.key.texts.room = room
	return e
}

// Key returns the builder of the item's keys. Err reports its errors too.
func (e *Encoder) Key() *KeyText { return &e.key }

// Err returns a *KeyError for the first value that does not fit into a key, or a *ValueError
// for the first value that cannot be stored, or a *LifecycleError, or nil; an error that
// wraps ErrSealed if there is no sealer for it.
func (e *Encoder) Err() error {
	if e.key.err != nil {
		return e.key.err
	}
	return e.err
}

// Refuse notes that a value cannot be stored, and why: it is …
func (e *Encoder) Refuse(attribute, reason string) {
	if e.err == nil {
		e.err = &access.ValueError{Entity: e.entity, Attribute: attribute, Reason: reason}
	}
}

// Time returns an instant as a timestamp is stored.
func (e *Encoder) Time(attribute string, t time.Time) string {
	var text [timetext.Width]byte
	if !timetext.Write(&text, t) {
		e.Refuse(attribute, timetext.NotAYear)
		return ""
	}
	return e.key.texts.keep(text[:])
}

// Int returns the text of an integer.
func (e *Encoder) Int(n int64) string { return e.key.texts.integer(n) }

// Unix returns an instant as seconds since 1970.
func (e *Encoder) Unix(t time.Time) string { return e.key.texts.integer(t.Unix()) }

// Between these DynamoDB stores numbers of either sign; a float64 reaches further.
const (
	floatsBegin = 1e-130
	floatsEnd   = 1e126
	tooLarge    = "is a number beyond 1E-130 to 9.99E+125"
)

// Float returns the text of a float.
func (e *Encoder) Float(attribute string, f float64) string {
	var digits [32]byte
	text := appendFloat(digits[:0], f)
	switch size := math.Abs(f); {
	case len(text) == 0:
		e.Refuse(attribute, "is no number")
	case size >= floatsEnd || size > 0 && size < floatsBegin:
		e.Refuse(attribute, tooLarge)
	}
	return e.key.texts.keep(text)
}

// Decimal returns an exact number in its one spelling.
func (e *Encoder) Decimal(attribute string, d access.Decimal) string {
	spelled, err := access.ParseDecimal(d.String())
	if err != nil {
		e.Refuse(attribute, err.Error())
	}
	return string(spelled)
}

// Date returns a date, if there is such a day.
func (e *Encoder) Date(attribute string, d access.Date) string {
	if _, err := access.ParseDate(string(d)); err != nil {
		e.Refuse(attribute, err.Error())
	}
	return string(d)
}

// Week returns a week, if there is such a week.
func (e *Encoder) Week(attribute string, w access.Week) string {
	if _, err := access.ParseWeek(string(w)); err != nil {
		e.Refuse(attribute, err.Error())
	}
	return string(w)
}

// JSON returns a document as text; none is null.
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
func (e *Encoder) Seal(c *access.Client, attribute string, plain []byte) types.AttributeValue {
	v, err := Seal(c, e.entity, attribute, plain)
	if err != nil && e.err == nil {
		e.err = err
	}
	return v
}

// arenaSize is the memory that the texts of an item begin with by default: a key
// or a few numbers.
const arenaSize = 96

// An arena makes many short texts with few allocations. A text that was made is never
// written to again: the builder only adds behind it, or moves on to new memory.
type arena struct {
	b    strings.Builder
	room int // to begin with
}

func (a *arena) len() int              { return a.b.Len() }
func (a *arena) free() int             { return a.b.Cap() - a.b.Len() }
func (a *arena) from(start int) string { return a.b.String()[start:] }

// renew takes new memory for at least n bytes.
func (a *arena) renew(n int) {
	if a.room == 0 {
		a.room = arenaSize
	}
	a.b.Reset()
	a.b.Grow(max(a.room, n))
	a.room = arenaSize
}

func (a *arena) keep(text []byte) string {
	if a.free() < len(text) {
		a.renew(len(text))
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
