package marshal

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// S returns a string value.
func S(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// N returns a number value from an integer.
func N(n int64) types.AttributeValue { return Num(strconv.FormatInt(n, 10)) }

// F returns a number value from a float.
func F(f float64) types.AttributeValue { return Num(FormatFloat(f)) }

// Num returns a number value from its text.
func Num(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// Dec returns a number value from a decimal.
func Dec(d access.Decimal) types.AttributeValue { return Num(d.String()) }

// B returns a binary value, which shares its bytes with the caller.
func B(b []byte) types.AttributeValue {
	if b == nil {
		b = []byte{}
	}
	return &types.AttributeValueMemberB{Value: b}
}

// All items share these two.
var (
	yes = &types.AttributeValueMemberBOOL{Value: true}
	no  = &types.AttributeValueMemberBOOL{Value: false}
)

// Bool returns a boolean value. All items share the two: replace them, do not change them.
func Bool(b bool) types.AttributeValue {
	if b {
		return yes
	}
	return no
}

// Time returns a timestamp value.
func Time(t time.Time) types.AttributeValue { return S(FormatTime(t)) }

// Unix returns a number value in seconds since 1970.
func Unix(t time.Time) types.AttributeValue { return N(t.Unix()) }

// Text returns the value of an enum, a date, a week or any other type that is a string.
func Text[T ~string](t T) types.AttributeValue { return S(string(t)) }

// M returns a map or a struct, shared with the caller.
func M(fields access.Item) types.AttributeValue {
	if fields == nil {
		fields = access.Item{}
	}
	return &types.AttributeValueMemberM{Value: fields}
}

// Strings returns a set of texts, shared with the caller. DynamoDB has no empty sets: leave
// the attribute out.
func Strings(values []string) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: values}
}

// Ints returns a set of whole numbers.
func Ints(values []int64) types.AttributeValue { return NumberSetOf(values, FormatInt) }

// Floats returns a set of numbers.
func Floats(values []float64) types.AttributeValue { return NumberSetOf(values, FormatFloat) }

// Decimals returns a set of exact numbers.
func Decimals(values []access.Decimal) types.AttributeValue {
	return NumberSetOf(values, access.Decimal.String)
}

// Blobs returns a set of bytes, shared with the caller.
func Blobs(values [][]byte) types.AttributeValue { return &types.AttributeValueMemberBS{Value: values} }

// Texts returns a set of values whose type is a string, such as an enum or dates.
func Texts[T ~string](values []T) types.AttributeValue {
	return TextSetOf(values, func(v T) string { return string(v) })
}

// TextSetOf returns a set of values with the text of each.
func TextSetOf[T any](values []T, text func(T) string) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: textsOf(values, text)}
}

// NumberSetOf returns a set of values with the number of each.
func NumberSetOf[T any](values []T, text func(T) string) types.AttributeValue {
	return &types.AttributeValueMemberNS{Value: textsOf(values, text)}
}

func textsOf[T any](values []T, text func(T) string) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = text(v)
	}
	return all
}

// EmptyList returns a list without elements.
func EmptyList() types.AttributeValue {
	return &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
}

// ListOf returns a list with the value of each element.
func ListOf[T any](values []T, value func(T) types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: Elements(values, value)}
}

// TextList returns a list of texts: strings, enums, dates.
func TextList[T ~string](values []T) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: TextElements(values)}
}

// IntList returns a list of whole numbers.
func IntList(values []int64) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: IntElements(values)}
}

// TextElementsOf returns the values of a list with the text of each element, in one piece of
// memory.
func TextElementsOf[T any](values []T, text func(T) string) []types.AttributeValue {
	all, texts := textElements(len(values))
	for i, v := range values {
		texts[i].Value = text(v)
	}
	return all
}

// NumberElementsOf returns the values of a list with the number of each element, in one piece
// of memory.
func NumberElementsOf[T any](values []T, text func(T) string) []types.AttributeValue {
	all, numbers := numberElements(len(values))
	for i, v := range values {
		numbers[i].Value = text(v)
	}
	return all
}

// NumberListOf returns a list with the number of each element.
func NumberListOf[T any](values []T, text func(T) string) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: NumberElementsOf(values, text)}
}

// Elements returns the values of a list.
func Elements[T any](values []T, value func(T) types.AttributeValue) []types.AttributeValue {
	all := make([]types.AttributeValue, len(values))
	for i, v := range values {
		all[i] = value(v)
	}
	return all
}

// TextElements returns the values of a list of texts, in one piece of memory.
func TextElements[T ~string](values []T) []types.AttributeValue {
	all, texts := textElements(len(values))
	for i, v := range values {
		texts[i].Value = string(v)
	}
	return all
}

// IntElements returns the values of a list of whole numbers, in one piece of memory, and so
// are their texts.
func IntElements(values []int64) []types.AttributeValue {
	all, numbers := numberElements(len(values))
	var texts arena
	for i, n := range values {
		numbers[i].Value = texts.integer(n)
	}
	return all
}

// textElements and numberElements are lists of so many values without texts. Short ones
// take one allocation instead of two.
func textElements(n int) ([]types.AttributeValue, []types.AttributeValueMemberS) {
	var all []types.AttributeValue
	var texts []types.AttributeValueMemberS
	if n <= shortList {
		short := new(struct {
			all   [shortList]types.AttributeValue
			texts [shortList]types.AttributeValueMemberS
		})
		all, texts = short.all[:n:n], short.texts[:n]
	} else {
		all, texts = make([]types.AttributeValue, n), make([]types.AttributeValueMemberS, n)
	}
	for i := range texts {
		all[i] = &texts[i]
	}
	return all, texts
}

func numberElements(n int) ([]types.AttributeValue, []types.AttributeValueMemberN) {
	var all []types.AttributeValue
	var numbers []types.AttributeValueMemberN
	if n <= shortList {
		short := new(struct {
			all     [shortList]types.AttributeValue
			numbers [shortList]types.AttributeValueMemberN
		})
		all, numbers = short.all[:n:n], short.numbers[:n]
	} else {
		all, numbers = make([]types.AttributeValue, n), make([]types.AttributeValueMemberN, n)
	}
	for i := range numbers {
		all[i] = &numbers[i]
	}
	return all, numbers
}

// shortList is the most elements of a list that takes one allocation.
const shortList = 4

// TextFields returns the entries of a map of texts, in one piece of memory.
func TextFields[T ~string](values map[string]T) access.Item {
	all := make(access.Item, len(values))
	texts := make([]types.AttributeValueMemberS, len(values))
	i := 0
	for name, v := range values {
		texts[i].Value = string(v)
		all[name] = &texts[i]
		i++
	}
	return all
}

// TextFieldsOf returns the entries of a map with the text of each, in one piece of memory.
func TextFieldsOf[T any](values map[string]T, text func(T) string) access.Item {
	all := make(access.Item, len(values))
	texts := make([]types.AttributeValueMemberS, len(values))
	i := 0
	for name, v := range values {
		texts[i].Value = text(v)
		all[name] = &texts[i]
		i++
	}
	return all
}

// NumberFieldsOf returns the entries of a map with the number of each, in one piece of memory.
func NumberFieldsOf[T any](values map[string]T, text func(T) string) access.Item {
	all := make(access.Item, len(values))
	numbers := make([]types.AttributeValueMemberN, len(values))
	i := 0
	for name, v := range values {
		numbers[i].Value = text(v)
		all[name] = &numbers[i]
		i++
	}
	return all
}

// Fields returns the entries of a map.
func Fields[T any](values map[string]T, value func(T) types.AttributeValue) access.Item {
	all := make(access.Item, len(values))
	for name, v := range values {
		all[name] = value(v)
	}
	return all
}

// MapOf returns a map with the value of each entry.
func MapOf[T any](values map[string]T, value func(T) types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberM{Value: Fields(values, value)}
}
