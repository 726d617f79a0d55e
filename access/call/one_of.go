package call

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// mostOperands is the number of values DynamoDB takes in one IN.
const mostOperands = 100

// OneOf returns the condition that an attribute has one of several values, and adds the
// values to the values of an expression.
func OneOf[T any](values access.Item, name, placeholder string, all []T, value func(T) types.AttributeValue) string {
	condition := oneOf(name, placeholder, all, len(values), func(p string, v T) { values[p] = value(v) })
	if len(all) > mostOperands {
		return "(" + condition + ")"
	}
	return condition
}

// AndOneOf adds the condition that an attribute has one of several values. Without any
// value the condition never holds.
func AndOneOf[T any](x *Expression, name, placeholder string, all []T, value func(T) types.AttributeValue) {
	if len(all) == 0 {
		x.And("attribute_exists(" + name + ") AND attribute_not_exists(" + name + ")")
		return
	}
	x.And(oneOf(name, placeholder, all, 0, func(p string, v T) { x.Value(p, value(v)) }))
}

// oneOf joins one IN for every mostOperands values, whose placeholders are numbered from first.
func oneOf[T any](name, placeholder string, all []T, first int, add func(string, T)) string {
	var conditions []string
	for chunk := range slices.Chunk(all, mostOperands) {
		placeholders := make([]string, len(chunk))
		for i, v := range chunk {
			placeholders[i] = placeholder + marshal.FormatInt(int64(first))
			add(placeholders[i], v)
			first++
		}
		conditions = append(conditions, name+" IN ("+strings.Join(placeholders, ", ")+")")
	}
	return strings.Join(conditions, " OR ")
}
