package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// describeNested describes a value that is no number and no set of numbers or texts.
func describeNested(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return quote(v.Value)
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("0x%x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberBS:
		all := make([]string, len(v.Value))
		for i, b := range v.Value {
			all[i] = fmt.Sprintf("0x%x", b)
		}
		return describeSet(all)
	case *types.AttributeValueMemberL:
		all := make([]string, len(v.Value))
		for i, e := range v.Value {
			all[i] = Describe(e)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case *types.AttributeValueMemberM:
		return DescribeItem(v.Value)
	}
	return "null"
}

// DescribeItem returns an item as a difference shows it, with sorted attributes.
func DescribeItem(item access.Item) string {
	all := make([]string, 0, len(item))
	for _, name := range slices.Sorted(maps.Keys(item)) {
		all = append(all, name+": "+Describe(item[name]))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// quote is a strconv.Quote that is faster for texts without escapes, such as keys.
func quote(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.Quote(text)
		}
	}
	return `"` + text + `"`
}

// Difference describes the attributes in which two items differ.
func Difference(want, got access.Item) string {
	var all []string
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !Same(want[name], got[name]) {
			all = append(all, fmt.Sprintf("%s should be %s and is %s", name, Describe(want[name]), Describe(got[name])))
		}
	}
	return strings.Join(all, ", ")
}

// Same reports whether two values are equal for DynamoDB: numbers by value, sets in any order.
func Same(a, b types.AttributeValue) bool {
	if text, ok := a.(*types.AttributeValueMemberS); ok {
		if other, ok := b.(*types.AttributeValueMemberS); ok {
			return text.Value == other.Value
		}
	}
	return Describe(a) == Describe(b)
}

// SameItem reports whether two items have the same attributes with equal values.
func SameItem(a, b access.Item) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || !Same(value, other) {
			return false
		}
	}
	return true
}

// Describe returns a value as a difference shows it. Equal values have equal texts.
func Describe(v types.AttributeValue) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *types.AttributeValueMemberN:
		if d, err := access.ParseDecimal(v.Value); err == nil {
			return d.String()
		}
		return v.Value
	case *types.AttributeValueMemberSS:
		return describeSet(v.Value)
	case *types.AttributeValueMemberNS:
		all := make([]string, len(v.Value))
		for i, n := range v.Value {
			all[i] = Describe(marshal.Num(n))
		}
		return describeSet(all)
	}
	return describeNested(v)
}

// describeSet describes a set of descriptions.
func describeSet(values []string) string {
	sorted := slices.Sorted(slices.Values(values))
	return "{" + strings.Join(sorted, ", ") + "}"
}
