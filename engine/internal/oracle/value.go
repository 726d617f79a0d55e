package oracle

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Item is an item, a key or any part of an item.
type Item = map[string]types.AttributeValue

// S returns a string. The functions below return the other types of values; they keep
// printed steps short.
func S(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// N returns a number.
func N(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }

// B returns a binary value.
func B(v string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(v)} }

// Bool returns a Boolean.
func Bool(v bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: v} }

// Null returns a null.
func Null() types.AttributeValue { return &types.AttributeValueMemberNULL{Value: true} }

// L returns a list, which is never nil: the SDK would send null for it.
func L(v ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: append([]types.AttributeValue{}, v...)}
}

// M returns a map.
func M(v Item) types.AttributeValue { return &types.AttributeValueMemberM{Value: v} }

// SS returns a set of strings.
func SS(v ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: v} }

// NS returns a set of numbers.
func NS(v ...string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: v} }

// BS returns a set of binary values.
func BS(v ...string) types.AttributeValue {
	set := &types.AttributeValueMemberBS{}
	for _, m := range v {
		set.Value = append(set.Value, []byte(m))
	}
	return set
}

// kind returns the type of a value as DynamoDB writes it; empty for no value.
func kind(v types.AttributeValue) string {
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
	case *types.AttributeValueMemberL:
		return "L"
	case *types.AttributeValueMemberM:
		return "M"
	case *types.AttributeValueMemberSS:
		return "SS"
	case *types.AttributeValueMemberNS:
		return "NS"
	case *types.AttributeValueMemberBS:
		return "BS"
	}
	return ""
}

// text returns the content of a string, number or binary value.
func text(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return string(v.Value)
	}
	return ""
}

// members returns the members of a set as scalars; nil for other values.
func members(v types.AttributeValue) (all []types.AttributeValue) {
	switch v := v.(type) {
	case *types.AttributeValueMemberSS:
		for _, m := range v.Value {
			all = append(all, S(m))
		}
	case *types.AttributeValueMemberNS:
		for _, m := range v.Value {
			all = append(all, N(m))
		}
	case *types.AttributeValueMemberBS:
		for _, m := range v.Value {
			all = append(all, B(string(m)))
		}
	}
	return all
}

// setOf returns a set of the given kind.
func setOf(kind string, members []types.AttributeValue) types.AttributeValue {
	var texts []string
	for _, m := range members {
		texts = append(texts, text(m))
	}
	switch kind {
	case "SS":
		return SS(texts...)
	case "NS":
		return NS(texts...)
	}
	return BS(texts...)
}

// canonical returns a copy of a value as DynamoDB stores it: numbers in their canonical
// spelling and sets in a fixed order.
func canonical(v types.AttributeValue) types.AttributeValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		return N(canonicalNumber(v.Value))
	case *types.AttributeValueMemberL:
		list := []types.AttributeValue{}
		for _, e := range v.Value {
			list = append(list, canonical(e))
		}
		return L(list...)
	case *types.AttributeValueMemberM:
		return M(canonicalItem(v.Value))
	}
	if all := members(v); all != nil {
		for i := range all {
			all[i] = canonical(all[i])
		}
		slices.SortFunc(all, func(a, b types.AttributeValue) int { return strings.Compare(text(a), text(b)) })
		return setOf(kind(v), all)
	}
	return v
}

func canonicalItem(it Item) Item {
	if it == nil {
		return nil
	}
	out := Item{}
	for name, v := range it {
		out[name] = canonical(v)
	}
	return out
}

// equal reports whether two values are equal for DynamoDB.
func equal(a, b types.AttributeValue) bool {
	return Literal(canonical(a)) == Literal(canonical(b))
}

func equalItems(a, b Item) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	return maps.EqualFunc(a, b, equal)
}

// order compares two scalars of one type. ok is false for other values.
func order(a, b types.AttributeValue) (c int, ok bool) {
	if kind(a) != kind(b) {
		return 0, false
	}
	switch kind(a) {
	case "S", "B":
		return bytes.Compare([]byte(text(a)), []byte(text(b))), true
	case "N":
		return rat(text(a)).Cmp(rat(text(b))), true
	}
	return 0, false
}

// itemSize returns the size of an item in bytes as DynamoDB counts it.
func itemSize(it Item) int {
	size := 0
	for name, v := range it {
		size += len(name) + valueSize(v)
	}
	return size
}

func valueSize(v types.AttributeValue) int {
	size := 0
	switch v := v.(type) {
	case *types.AttributeValueMemberS, *types.AttributeValueMemberB:
		return len(text(v))
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			size += 1 + valueSize(e)
		}
		return 3 + size
	case *types.AttributeValueMemberM:
		return 3 + len(v.Value) + itemSize(v.Value)
	case *types.AttributeValueMemberBOOL, *types.AttributeValueMemberNULL:
		return 1
	}
	for _, m := range members(v) {
		size += valueSize(m)
	}
	return size
}

// only returns the part of an item with the given attributes.
func only(it Item, names ...string) Item {
	part := Item{}
	for _, name := range names {
		if v := it[name]; v != nil {
			part[name] = v
		}
	}
	return part
}
