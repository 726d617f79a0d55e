package marshal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// DecodeOne reads an attribute with a function of its type, such as one that reads a
// struct.
func DecodeOne[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) T {
	v, ok := decodeOne(d, name, read)
	d.need(name, ok)
	return v
}

// DecodeOpt is like DecodeOne, for an optional attribute.
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
		noteInside(d, name, err)
		return none, false
	}
	return value, true
}

// DecodeList reads a list with a function for its elements; nil if it is missing.
func DecodeList[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) []T {
	all, err := readAll(listOf(d, name), read)
	noteInside(d, name, err)
	return all
}

// DecodeMap reads a map with a function for its entries; nil if it is missing.
func DecodeMap[T any](d *Decoder, name string, read func(types.AttributeValue) (T, error)) map[string]T {
	all, err := readEach(fieldsOf(d, name), read)
	noteInside(d, name, err)
	return all
}

// DecodeTextList reads a list of an enum or of another type that is a string.
func DecodeTextList[T ~string](d *Decoder, name string) []T { return DecodeList(d, name, AsText[T]) }

// StringList reads a list of texts; nil if it is missing. So do the others for their types.
func (d *Decoder) StringList(name string) []string {
	all, err := readAll(listOf(d, name), AsString)
	noteInside(d, name, err)
	return all
}

// IntList reads a list of whole numbers.
func (d *Decoder) IntList(name string) []int64 {
	all, err := readAll(listOf(d, name), AsInt)
	noteInside(d, name, err)
	return all
}

// FloatList reads a list of numbers.
func (d *Decoder) FloatList(name string) []float64 {
	all, err := readAll(listOf(d, name), AsFloat)
	noteInside(d, name, err)
	return all
}

// DecimalList reads a list of exact numbers.
func (d *Decoder) DecimalList(name string) []access.Decimal {
	all, err := readAll(listOf(d, name), AsDecimal)
	noteInside(d, name, err)
	return all
}

// BoolList reads a list of true and false.
func (d *Decoder) BoolList(name string) []bool {
	all, err := readAll(listOf(d, name), AsBool)
	noteInside(d, name, err)
	return all
}

// BytesList reads a list of bytes.
func (d *Decoder) BytesList(name string) [][]byte {
	all, err := readAll(listOf(d, name), AsBytes)
	noteInside(d, name, err)
	return all
}

// TimeList reads a list of timestamps.
func (d *Decoder) TimeList(name string) []time.Time {
	all, err := readAll(listOf(d, name), AsTime)
	noteInside(d, name, err)
	return all
}

// StringMap reads a map of texts; nil if it is missing.
func (d *Decoder) StringMap(name string) map[string]string {
	all, err := readEach(fieldsOf(d, name), AsString)
	noteInside(d, name, err)
	return all
}

// Sub returns a decoder of a map or struct inside the item, under the struct's name; false if
// it is missing. Its errors are its own.
func (d *Decoder) Sub(name, entity string) (Decoder, bool) {
	fields := fieldsOf(d, name)
	return Decode(entity, fields), fields != nil
}

// listOf and fieldsOf return the elements of a list and of a map; nil if there is none.
func listOf(d *Decoder, name string) []types.AttributeValue {
	v := d.item[name]
	l, ok := v.(*types.AttributeValueMemberL)
	switch {
	case !ok || l == nil:
		noteKind(d, name, v, "L")
		return nil
	case l.Value == nil:
		return []types.AttributeValue{}
	}
	return l.Value
}

func fieldsOf(d *Decoder, name string) access.Item {
	v := d.item[name]
	m, ok := v.(*types.AttributeValueMemberM)
	switch {
	case !ok || m == nil:
		noteKind(d, name, v, "M")
		return nil
	case m.Value == nil:
		return access.Item{}
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

func readEach[T any](fields access.Item, read func(types.AttributeValue) (T, error)) (map[string]T, error) {
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

// within returns an error of something inside an element or entry.
func within(path string, err error) error {
	var inner *access.DecodeError
	if !errors.As(err, &inner) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return &access.DecodeError{Attribute: joined(path, inner.Attribute), Reason: inner.Reason}
}

// noteInside notes an error of something inside an attribute, by its whole path.
func noteInside(d *Decoder, name string, err error) {
	if err == nil || d.err != nil {
		return
	}
	var inner *access.DecodeError
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

// AsMap returns the fields of a map or a struct.
func AsMap(v types.AttributeValue) (access.Item, error) {
	if m, ok := v.(*types.AttributeValueMemberM); ok && m != nil {
		return m.Value, nil
	}
	return nil, &access.DecodeError{Reason: notKind(v, "M")}
}

// AsString returns a string. The As functions read elements of lists and entries of maps.
func AsString(v types.AttributeValue) (string, error) {
	if s, ok := v.(*types.AttributeValueMemberS); ok && s != nil {
		return s.Value, nil
	}
	return "", &access.DecodeError{Reason: notKind(v, "S")}
}

// AsText returns the value of an enum or of another type that is a string.
func AsText[T ~string](v types.AttributeValue) (T, error) {
	s, err := AsString(v)
	return T(s), err
}

// AsInt returns an integer.
func AsInt(v types.AttributeValue) (int64, error) { return asNumber(v, ParseInt) }

// AsFloat returns a float.
func AsFloat(v types.AttributeValue) (float64, error) { return asNumber(v, ParseFloat) }

// AsDecimal returns an exact number.
func AsDecimal(v types.AttributeValue) (access.Decimal, error) {
	return asNumber(v, access.ParseDecimal)
}

// AsUnix returns an instant stored as seconds since 1970.
func AsUnix(v types.AttributeValue) (time.Time, error) { return asNumber(v, ParseUnix) }

// AsTime returns an instant stored as a timestamp.
func AsTime(v types.AttributeValue) (time.Time, error) { return asText(v, ParseTime) }

// AsDate returns a date.
func AsDate(v types.AttributeValue) (access.Date, error) { return asText(v, access.ParseDate) }

// AsWeek returns a week.
func AsWeek(v types.AttributeValue) (access.Week, error) { return asText(v, access.ParseWeek) }

// AsBool returns a boolean.
func AsBool(v types.AttributeValue) (bool, error) {
	if b, ok := v.(*types.AttributeValueMemberBOOL); ok && b != nil {
		return b.Value, nil
	}
	return false, &access.DecodeError{Reason: notKind(v, "BOOL")}
}

// AsBytes returns bytes.
func AsBytes(v types.AttributeValue) ([]byte, error) {
	if b, ok := v.(*types.AttributeValueMemberB); ok && b != nil {
		return present(b.Value), nil
	}
	return nil, &access.DecodeError{Reason: notKind(v, "B")}
}

// AsJSON returns a document.
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
		return none, &access.DecodeError{Reason: notKind(v, "S")}
	}
	return parseElement(s.Value, parse)
}

func asNumber[T any](v types.AttributeValue, parse func(string) (T, error)) (T, error) {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok || n == nil {
		var none T
		return none, &access.DecodeError{Reason: notKind(v, "N")}
	}
	return parseElement(n.Value, parse)
}

func parseElement[T any](s string, parse func(string) (T, error)) (T, error) {
	v, err := parse(s)
	if err != nil {
		return v, &access.DecodeError{Reason: err.Error()}
	}
	return v, nil
}
