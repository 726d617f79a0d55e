package marshal

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A Decoder reads the attributes of an item. An attribute of another kind is an error, and so is
// one that is missing, or that is DynamoDB's NULL; the first one of another kind sticks. The methods that
// begin with Opt read attributes that may be missing. Sets may, too: DynamoDB has no empty ones.
// Bytes, documents, lists and maps are nil if they are missing; [Decoder.Need] refuses that. Bytes,
// sets of texts and optional texts are shared with the item.
type Decoder struct {
	entity string
	item   access.Item
	err    error
	lacks  string // the first attribute that is missing
}

// Decode begins to read an item of an entity.
func Decode(entity string, item access.Item) Decoder { return Decoder{entity: entity, item: item} }

// Err returns a *DecodeError for the first attribute that is not as the design says, or nil;
// an error that wraps ErrSealed if there is no sealer to open it.
func (d *Decoder) Err() error {
	if d.err == nil && d.lacks != "" {
		d.Refuse(d.lacks, "is missing")
	}
	return d.err
}

// Has reports whether the item has an attribute.
func (d *Decoder) Has(name string) bool { return !absent(d.item[name]) }

// Refuse notes that an attribute cannot be read, and why: it …
func (d *Decoder) Refuse(name, reason string) {
	if d.err == nil {
		d.err = &access.DecodeError{Entity: d.entity, Attribute: name, Reason: reason}
	}
}

// Need refuses an item that lacks an attribute.
func (d *Decoder) Need(names ...string) {
	for _, name := range names {
		d.need(name, d.Has(name))
	}
}

// need notes an attribute that is missing. Why one that is there cannot be read was noted before, and
// says more.
func (d *Decoder) need(name string, ok bool) {
	if !ok && d.lacks == "" {
		d.lacks = name
	}
}

// String reads a text.
func (d *Decoder) String(name string) string {
	s, ok := textOf(d, name)
	d.need(name, ok)
	return s
}

// Int reads a whole number.
func (d *Decoder) Int(name string) int64 {
	n, ok := intOf(d, name)
	d.need(name, ok)
	return n
}

// Float reads a number.
func (d *Decoder) Float(name string) float64 {
	f, ok := floatOf(d, name)
	d.need(name, ok)
	return f
}

// Decimal reads an exact number.
func (d *Decoder) Decimal(name string) access.Decimal {
	n, ok := decimalOf(d, name)
	d.need(name, ok)
	return n
}

// Bool reads true or false.
func (d *Decoder) Bool(name string) bool {
	b, ok := boolOf(d, name)
	d.need(name, ok)
	return b
}

// Bytes reads bytes; nil if there are none.
func (d *Decoder) Bytes(name string) []byte {
	v := d.item[name]
	if b, ok := v.(*types.AttributeValueMemberB); ok && b != nil {
		return present(b.Value)
	}
	noteKind(d, name, v, "B")
	return nil
}

// Time reads a timestamp.
func (d *Decoder) Time(name string) time.Time {
	t, ok := timeOf(d, name)
	d.need(name, ok)
	return t
}

// Unix reads seconds since 1970.
func (d *Decoder) Unix(name string) time.Time {
	t, ok := unixOf(d, name)
	d.need(name, ok)
	return t
}

// JSON reads a document; nil if there is none.
func (d *Decoder) JSON(name string) json.RawMessage {
	s, _ := textOf(d, name)
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

// Date reads a date.
func (d *Decoder) Date(name string) access.Date {
	v, ok := dateOf(d, name)
	d.need(name, ok)
	return v
}

// Week reads a week.
func (d *Decoder) Week(name string) access.Week {
	v, ok := weekOf(d, name)
	d.need(name, ok)
	return v
}

// DecodeText reads the value of an enum or of another type that is a string.
func DecodeText[T ~string](d *Decoder, name string) T {
	s, ok := textOf(d, name)
	d.need(name, ok)
	return T(s)
}

// ParseInt reads a whole number, also one written with an exponent.
func ParseInt(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return n, nil
	}
	if n, ok := access.Decimal(s).Int64(); ok {
		return n, nil
	}
	return 0, errors.New("is not a whole number of 64 bits")
}

// ParseFloat reads a number.
func ParseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, errors.New("is not a number of 64 bits")
	}
	return f, nil
}

// ParseUnix reads seconds since 1970.
func ParseUnix(s string) (time.Time, error) {
	n, err := ParseInt(s)
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(n, 0).UTC(), nil
}

// ParseBool reads true or false.
func ParseBool(s string) (bool, error) {
	if s != "true" && s != "false" {
		return false, errors.New("is neither true nor false")
	}
	return s == "true", nil
}

func textOf(d *Decoder, name string) (string, bool) {
	v := d.item[name]
	if s, ok := v.(*types.AttributeValueMemberS); ok && s != nil {
		return s.Value, true
	}
	noteKind(d, name, v, "S")
	return "", false
}

func numberOf(d *Decoder, name string) (string, bool) {
	v := d.item[name]
	if n, ok := v.(*types.AttributeValueMemberN); ok && n != nil {
		return n.Value, true
	}
	noteKind(d, name, v, "N")
	return "", false
}

func boolOf(d *Decoder, name string) (value, ok bool) {
	v := d.item[name]
	if b, ok := v.(*types.AttributeValueMemberBOOL); ok && b != nil {
		return b.Value, true
	}
	noteKind(d, name, v, "BOOL")
	return false, false
}

// The readers of each type below are spelled out: one function with a type parameter
// would move the decoder to the heap, and every read of an item would pay for it.

func intOf(d *Decoder, name string) (int64, bool) {
	s, ok := numberOf(d, name)
	if !ok {
		return 0, false
	}
	v, err := ParseInt(s)
	return v, noteParsed(d, name, err)
}

func floatOf(d *Decoder, name string) (float64, bool) {
	s, ok := numberOf(d, name)
	if !ok {
		return 0, false
	}
	v, err := ParseFloat(s)
	return v, noteParsed(d, name, err)
}

func decimalOf(d *Decoder, name string) (access.Decimal, bool) {
	s, ok := numberOf(d, name)
	if !ok {
		return "", false
	}
	v, err := access.ParseDecimal(s)
	return v, noteParsed(d, name, err)
}

func unixOf(d *Decoder, name string) (time.Time, bool) {
	s, ok := numberOf(d, name)
	if !ok {
		return time.Time{}, false
	}
	v, err := ParseUnix(s)
	return v, noteParsed(d, name, err)
}

func timeOf(d *Decoder, name string) (time.Time, bool) {
	s, ok := textOf(d, name)
	if !ok {
		return time.Time{}, false
	}
	v, err := ParseTime(s)
	return v, noteParsed(d, name, err)
}

func dateOf(d *Decoder, name string) (access.Date, bool) {
	s, ok := textOf(d, name)
	if !ok {
		return "", false
	}
	v, err := access.ParseDate(s)
	return v, noteParsed(d, name, err)
}

func weekOf(d *Decoder, name string) (access.Week, bool) {
	s, ok := textOf(d, name)
	if !ok {
		return "", false
	}
	v, err := access.ParseWeek(s)
	return v, noteParsed(d, name, err)
}

// noteParsed notes why a text could not be read. What the text is stays out of the error: it
// may be a secret.
func noteParsed(d *Decoder, name string, err error) bool {
	if err != nil {
		d.Refuse(name, err.Error())
	}
	return err == nil
}

// noteKind notes an attribute of another kind. Missing is no error.
func noteKind(d *Decoder, name string, v types.AttributeValue, want string) {
	if !absent(v) {
		d.Refuse(name, notKind(v, want))
	}
}

func absent(v types.AttributeValue) bool {
	if v == nil {
		return true
	}
	_, null := v.(*types.AttributeValueMemberNULL)
	return null
}

func notKind(v types.AttributeValue, want string) string {
	have := kindOf(v)
	if have == want {
		return "holds nothing" // a nil pointer of the SDK's type
	}
	return "holds " + have + ", not " + want
}

// kindOf returns DynamoDB's name of a value's kind.
func kindOf(v types.AttributeValue) string {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return "S"
	case *types.AttributeValueMemberN:
		return "N"
	case *types.AttributeValueMemberB:
		return "B"
	case *types.AttributeValueMemberBOOL:
		return "BOOL"
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberSS:
		return "SS"
	case *types.AttributeValueMemberNS:
		return "NS"
	case *types.AttributeValueMemberBS:
		return "BS"
	case *types.AttributeValueMemberL:
		return "L"
	case *types.AttributeValueMemberM:
		return "M"
	case nil:
		return "nothing"
	}
	return "an unknown kind"
}

// present returns a slice that is not nil: the attribute is there.
func present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
