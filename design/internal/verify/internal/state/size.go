package state

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/sample"
)

// SizeOf returns the size of an item as DynamoDB counts it: the bytes of names and values.
func SizeOf(item access.Item) int64 {
	size := int64(0)
	for name, v := range item {
		size += int64(len(name)) + valueSize(v)
	}
	return size
}

// ValueSize returns the size of a value of an item; 0: there is none.
func ValueSize(v sample.Value) int64 {
	if v.Kind == "" {
		return 0
	}
	return valueSize(AttributeValue(v))
}

// valueSize returns the size of a value as DynamoDB counts it.
func valueSize(v types.AttributeValue) int64 {
	size := int64(0)
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return int64(len(v.Value))
	case *types.AttributeValueMemberB:
		return int64(len(v.Value))
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberSS:
		for _, s := range v.Value {
			size += int64(len(s))
		}
	case *types.AttributeValueMemberNS:
		for _, n := range v.Value {
			size += numberSize(n)
		}
	case *types.AttributeValueMemberBS:
		for _, b := range v.Value {
			size += int64(len(b))
		}
	case *types.AttributeValueMemberL:
		size = 3 + int64(len(v.Value))
		for _, e := range v.Value {
			size += valueSize(e)
		}
	case *types.AttributeValueMemberM:
		return 3 + int64(len(v.Value)) + SizeOf(v.Value)
	default:
		return 1
	}
	return size
}

// numberSize returns the size of a number: one byte, one for every two significant digits
// before and after the point, rounded up, and one for a minus sign.
func numberSize(text string) int64 {
	size := int64(1)
	if strings.HasPrefix(text, "-") {
		text, size = text[1:], size+1
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	switch {
	case fraction == "":
		whole = strings.TrimRight(whole, "0")
	case whole == "":
		fraction = strings.TrimLeft(fraction, "0")
	}
	return size + int64(len(whole)+1)/2 + int64(len(fraction)+1)/2
}
