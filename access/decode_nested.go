package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DecodeOne reads an attribute with a function of its type, such as one that reads a
// struct. A missing one is the zero value.
func DecodeOne[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) T {
	v, _ := decodeOne(d, name, read)
	return v
}

// DecodeOpt is DecodeOne for what may be missing.
func DecodeOpt[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) *T {
	return ifPresent(decodeOne(d, name, read))
}

func decodeOne[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) (T, bool) {
	var none T
	v := d.item[name]
	if absent(v) {
		return none, false
	}
	value, err := read(v)
	if err != nil {
		d.inside(name, err)
		return none, false
	}
	return value, true
}

// DecodeList reads a list with a function for its elements; nil if it is missing.
func DecodeList[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) []T {
	all, err := readAll(d.list(name), read)
	d.inside(name, err)
	return all
}

// DecodeMap reads a map with a function for its entries; nil if it is missing.
func DecodeMap[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) map[string]T {
	all, err := readEach(d.fields(name), read)
	d.inside(name, err)
	return all
}

// DecodeTextList reads a list of an enum or of another type that is a string.
func DecodeTextList[T ~string](d *Decoder, name string) []T { return DecodeList(d, name, AsText[T]) }

// StringList reads a list of texts; nil if it is missing. So do the others for their types.
func (d *Decoder) StringList(name string) []string {
	all, err := readAll(d.list(name), AsString)
	d.inside(name, err)
	return all
}

// IntList reads a list of whole numbers.
func (d *Decoder) IntList(name string) []int64 {
	all, err := readAll(d.list(name), AsInt)
	d.inside(name, err)
	return all
}

// FloatList reads a list of numbers.
func (d *Decoder) FloatList(name string) []float64 {
	all, err := readAll(d.list(name), AsFloat)
	d.inside(name, err)
	return all
}

// DecimalList reads a list of exact numbers.
func (d *Decoder) DecimalList(name string) []Decimal {
	all, err := readAll(d.list(name), AsDecimal)
	d.inside(name, err)
	return all
}

// BoolList reads a list of true and false.
func (d *Decoder) BoolList(name string) []bool {
	all, err := readAll(d.list(name), AsBool)
	d.inside(name, err)
	return all
}

// BytesList reads a list of bytes.
func (d *Decoder) BytesList(name string) [][]byte {
	all, err := readAll(d.list(name), AsBytes)
	d.inside(name, err)
	return all
}

// TimeList reads a list of timestamps.
func (d *Decoder) TimeList(name string) []time.Time {
	all, err := readAll(d.list(name), AsTime)
	d.inside(name, err)
	return all
}

// StringMap reads a map of texts; nil if it is missing.
func (d *Decoder) StringMap(name string) map[string]string {
	all, err := readEach(d.fields(name), AsString)
	d.inside(name, err)
	return all
}

// Sub is a decoder of a map or struct inside the item, under the struct's name; false if
// it is missing. Its errors are its own.
func (d *Decoder) Sub(name, entity string) (Decoder, bool) {
	fields := d.fields(name)
	return Decode(entity, fields), fields != nil
}

// list and fields are what a list and a map hold; nil if there is none.
func (d *Decoder) list(name string) []types.AttributeValue {
	v := d.item[name]
	l, ok := v.(*types.AttributeValueMemberL)
	switch {
	case !ok || l == nil:
		d.other(name, v, "L")
		return nil
	case l.Value == nil:
		return []types.AttributeValue{}
	}
	return l.Value
}

func (d *Decoder) fields(name string) Item {
	v := d.item[name]
	m, ok := v.(*types.AttributeValueMemberM)
	switch {
	case !ok || m == nil:
		d.other(name, v, "M")
		return nil
	case m.Value == nil:
		return Item{}
	}
	return m.Value
}

// readAll and readEach read lists and maps. They get no decoder: a function with a type
// parameter would move it to the heap.
func readAll[T any](elements []types.AttributeValue, read func(types.AttributeValue) (T, error)) ([]T, error) {
	if elements == nil {
		return nil, nil
	}
	all := make([]T, len(elements))
	for i, element := range elements {
		v, err := read(element)
		if err != nil {
			return nil, within("["+strconv.Itoa(i)+"]", err)
		}
		all[i] = v
	}
	return all, nil
}

func readEach[T any](fields Item, read func(types.AttributeValue) (T, error)) (map[string]T, error) {
	if fields == nil {
		return nil, nil
	}
	all := make(map[string]T, len(fields))
	for key, field := range fields {
		v, err := read(field)
		if err != nil {
			return nil, within(key, err)
		}
		all[key] = v
	}
	return all, nil
}

// within is an error of something inside an element or entry.
func within(path string, err error) error {
	var inner *DecodeError
	if !errors.As(err, &inner) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return &DecodeError{Attribute: joined(path, inner.Attribute), Reason: inner.Reason}
}

// inside notes an error of something inside an attribute, by its whole path.
func (d *Decoder) inside(name string, err error) {
	if err == nil || d.err != nil {
		return
	}
	var inner *DecodeError
	if !errors.As(err, &inner) {
		d.err = fmt.Errorf("access: reading %s of a stored %s: %w", name, d.entity, err)
		return
	}
	d.Refuse(joined(name, inner.Attribute), inner.Reason)
}

func joined(path, rest string) string {
	if rest == "" || rest[0] == '[' {
		return path + rest
	}
	return path + "." + rest
}

// AsMap is what a map or a struct holds.
func AsMap(v types.AttributeValue) (Item, error) {
	if m, ok := v.(*types.AttributeValueMemberM); ok && m != nil {
		return m.Value, nil
	}
	return nil, &DecodeError{Reason: notKind(v, "M")}
}

// AsString is a text. The As functions read elements of lists and entries of maps.
func AsString(v types.AttributeValue) (string, error) {
	if s, ok := v.(*types.AttributeValueMemberS); ok && s != nil {
		return s.Value, nil
	}
	return "", &DecodeError{Reason: notKind(v, "S")}
}

// AsText is the value of an enum or of another type that is a string.
func AsText[T ~string](v types.AttributeValue) (T, error) {
	s, err := AsString(v)
	return T(s), err
}

// AsInt is a whole number.
func AsInt(v types.AttributeValue) (int64, error) { return asNumber(v, ParseInt) }

// AsFloat is a number.
func AsFloat(v types.AttributeValue) (float64, error) { return asNumber(v, ParseFloat) }

// AsDecimal is an exact number.
func AsDecimal(v types.AttributeValue) (Decimal, error) { return asNumber(v, ParseDecimal) }

// AsUnix is an instant stored as seconds since 1970.
func AsUnix(v types.AttributeValue) (time.Time, error) { return asNumber(v, ParseUnix) }

// AsTime is an instant stored as a timestamp.
func AsTime(v types.AttributeValue) (time.Time, error) { return asText(v, ParseTime) }

// AsDate is a date.
func AsDate(v types.AttributeValue) (Date, error) { return asText(v, ParseDate) }

// AsWeek is a week.
func AsWeek(v types.AttributeValue) (Week, error) { return asText(v, ParseWeek) }

// AsBool is true or false.
func AsBool(v types.AttributeValue) (bool, error) {
	if b, ok := v.(*types.AttributeValueMemberBOOL); ok && b != nil {
		return b.Value, nil
	}
	return false, &DecodeError{Reason: notKind(v, "BOOL")}
}

// AsBytes is bytes.
func AsBytes(v types.AttributeValue) ([]byte, error) {
	if b, ok := v.(*types.AttributeValueMemberB); ok && b != nil {
		return present(b.Value), nil
	}
	return nil, &DecodeError{Reason: notKind(v, "B")}
}

// AsJSON is a document.
func AsJSON(v types.AttributeValue) (json.RawMessage, error) {
	s, err := AsString(v)
	if s == "" {
		return nil, err
	}
	return json.RawMessage(s), nil
}

func asText[T any](v types.AttributeValue, parse func(string) (T, error)) (T, error) {
	s, ok := v.(*types.AttributeValueMemberS)
	if !ok || s == nil {
		var none T
		return none, &DecodeError{Reason: notKind(v, "S")}
	}
	return parseElement(s.Value, parse)
}

func asNumber[T any](v types.AttributeValue, parse func(string) (T, error)) (T, error) {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok || n == nil {
		var none T
		return none, &DecodeError{Reason: notKind(v, "N")}
	}
	return parseElement(n.Value, parse)
}

func parseElement[T any](s string, parse func(string) (T, error)) (T, error) {
	v, err := parse(s)
	if err != nil {
		return v, &DecodeError{Reason: err.Error()}
	}
	return v, nil
}
