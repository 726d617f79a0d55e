package marshal

import (
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// TextAt returns the text of an attribute, and "" if it is missing or no text.
func TextAt(item access.Item, name string) string {
	if s, ok := item[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// IsShard reports whether a key ends with the name of a counter and a number: the key of a
// row that holds one shard of the counter.
func IsShard(key, counter string) bool {
	at := strings.LastIndex(key, counter)
	if at < 0 {
		return false
	}
	number := key[at+len(counter):]
	return number != "" && strings.Trim(number, "0123456789") == ""
}

// KeyTimeOfID returns the time an id begins with. For a text that is no such id it returns a
// time that no key takes.
func KeyTimeOfID(id string) time.Time {
	at, err := access.TimeOfID(id)
	if err != nil {
		return time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return at
}

// DecodePart reads a value out of a composed key: the i-th value of its template.
func DecodePart[T any](from *Decoder, key string, i int, parse func(string) (T, error), template ...string) T {
	var zero T
	text, ok := Part(from.String(key), template, i)
	if !ok {
		from.Refuse(key, "has another form than the design says")
		return zero
	}
	value, err := parse(text)
	if err != nil {
		from.Refuse(key, err.Error())
		return zero
	}
	return value
}

// OptPart is DecodePart for a value that may be missing.
func OptPart[T any](from *Decoder, key string, i int, parse func(string) (T, error), template ...string) *T {
	if !from.Has(key) {
		return nil
	}
	return new(DecodePart(from, key, i, parse, template...))
}
