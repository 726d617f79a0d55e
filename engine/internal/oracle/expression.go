package oracle

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// expressions writes the expressions of one request and collects their
// placeholders. Attributes of one letter are written literally, others as
// placeholders.
type expressions struct {
	names  map[string]string
	values Item
	in     string // the current expression
	first  string // the expression with the first value
	any    bool   // there is an expression

	// positional means that a PartiQL statement is written, whose values are literals or
	// parameters and whose names are quoted.
	positional bool
	parameters []types.AttributeValue
}

// The ways to spoil the placeholders of a request with expressions.
const (
	unusedName     = "unused name"
	unusedValue    = "unused value"
	undefinedValue = "undefined value"
)

// spoil spoils the placeholders and returns DynamoDB's error for that, or
// nothing if it is not possible.
func (e *expressions) spoil(how string) (complaint string) {
	switch {
	case !e.any:
	case how == unusedName:
		e.name("unused", "#unused")
		return "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"
	case how == unusedValue && e.first != "":
		e.bind(":unused", S("unused"))
		return "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"
	case how == undefinedValue && e.first != "":
		if delete(e.values, ":v0"); len(e.values) == 0 {
			e.values = nil
		}
		return "Invalid " + e.first + ": An expression attribute value used in expression is not defined; attribute value: :v0"
	}
	return ""
}

func (e *expressions) name(name, placeholder string) {
	if e.names == nil {
		e.names = map[string]string{}
	}
	e.names[placeholder] = name
}

func (e *expressions) bind(placeholder string, v types.AttributeValue) {
	if e.values == nil {
		e.values = Item{}
	}
	e.values[placeholder] = v
}

func (e *expressions) value(v types.AttributeValue) string {
	if e.positional {
		return e.parameter(v)
	}
	placeholder := fmt.Sprintf(":v%d", len(e.values))
	if e.first == "" {
		e.first = e.in
	}
	e.bind(placeholder, v)
	return placeholder
}

func (e *expressions) path(p Path) string {
	var b strings.Builder
	for i, element := range p {
		if position, ok := element.(int); ok {
			fmt.Fprintf(&b, "[%d]", position)
			continue
		}
		if i > 0 {
			b.WriteString(".")
		}
		b.WriteString(e.attribute(element.(string)))
	}
	return b.String()
}

func (e *expressions) attribute(name string) string {
	if e.positional {
		return quoted(name)
	}
	if len(name) == 1 {
		return name
	}
	for placeholder, known := range e.names {
		if known == name {
			return placeholder
		}
	}
	placeholder := fmt.Sprintf("#n%d", len(e.names))
	e.name(name, placeholder)
	return placeholder
}

// projection writes a projection expression; nil without paths.
func (e *expressions) projection(paths []Path) *string {
	if len(paths) == 0 {
		return nil
	}
	e.begin("ProjectionExpression")
	texts := make([]string, len(paths))
	for i, p := range paths {
		texts[i] = e.path(p)
	}
	return optional(strings.Join(texts, ", "))
}

// begin starts an expression.
func (e *expressions) begin(name string) { e.in, e.any = name, true }

// optional returns nil for a zero value, which a request then omits.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
