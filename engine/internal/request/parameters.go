package request

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A parameter is a parameter that holds an expression; a nil text was not sent.
type parameter struct {
	name string
	text *string
}

const (
	projectionExpression = "ProjectionExpression"
	attributesToGet      = "AttributesToGet"
)

// expressions lists the parameters of an operation that hold expressions, in the
// order DynamoDB lists them. No operation has more than three; the array keeps
// them off the heap.
type expressions [3]parameter

// A legacyParameter is a parameter of the API before expressions. An empty map or
// list counts as not sent.
type legacyParameter struct {
	name string
	sent bool
}

// legacyParameters lists the legacy parameters of an operation in DynamoDB's order.
type legacyParameters [4]legacyParameter

// A usage records which expression and legacy parameters a request sent, and the
// placeholders that its expressions share.
type usage struct {
	expressions expressions
	legacy      legacyParameters
	names       map[string]string
	values      *dynamo.RawValues // nil: the operation has none
	// valuesTail is the suffix of the operation's message about values without an
	// expression.
	valuesTail string
	layer      layer

	conditionalOperator string
	conditions          int // of Expected or a filter
}

// check rejects parameters that cannot be combined, before any of them is parsed.
func (u *usage) check() error {
	if err := u.checkMixed(); err != nil {
		return err
	}
	if u.names != nil && !slices.ContainsFunc(u.expressions[:], parameter.sent) {
		return invalid("ExpressionAttributeNames can only be specified when using expressions")
	}
	if u.sentValues() && !slices.ContainsFunc(u.expressions[:], parameter.takesValues) {
		return invalid("ExpressionAttributeValues can only be specified when using expressions" + u.valuesTail)
	}
	return u.checkConditionalOperator()
}

func (p parameter) sent() bool { return p.text != nil }

func (p parameter) takesValues() bool { return p.sent() && p.name != projectionExpression }

func (u *usage) sentValues() bool {
	return u.values != nil && (u.values.ByName != nil || u.values.Fault != nil)
}

// checkMixed rejects parameters of both APIs in one request.
func (u *usage) checkMixed() error {
	var texts, others []string
	for _, p := range u.legacy {
		if p.sent {
			others = append(others, p.name)
		}
	}
	if others == nil {
		return nil
	}
	for _, p := range u.expressions {
		if p.sent() {
			texts = append(texts, p.name)
		}
	}
	if texts == nil {
		return nil
	}
	return invalid("Can not use both expression and non-expression parameters in the same request: " +
		"Non-expression parameters: {" + strings.Join(others, ", ") + "} " +
		"Expression parameters: {" + strings.Join(texts, ", ") + "}")
}

// checkConditionalOperator rejects a ConditionalOperator that joins nothing.
func (u *usage) checkConditionalOperator() error {
	switch {
	case u.conditionalOperator == "" || u.conditions > 1:
		return nil
	case u.conditions == 0:
		return invalid("ConditionalOperator cannot be used without Filter or Expected")
	default:
		return invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	}
}

// scope checks the placeholders and returns the scope to parse expressions in.
func (u *usage) scope() (*expression.Scope, error) {
	if err := checkNames(u.names); err != nil {
		return nil, err
	}
	if u.values == nil {
		return expression.NewScope(u.names, nil), nil
	}
	if u.sentValues() {
		if err := u.checkValues(); err != nil {
			return nil, err
		}
	}
	return expression.NewScope(u.names, u.values.ByName), nil
}

// checkNames checks ExpressionAttributeNames.
func checkNames(names map[string]string) error {
	if names == nil {
		return nil
	}
	if len(names) == 0 {
		return invalid("ExpressionAttributeNames must not be empty")
	}
	if key, bad := firstBadPlaceholder('#', names); bad {
		return invalid("ExpressionAttributeNames contains invalid key: " + placeholderFault(key))
	}
	if key, fault := firstBadName(names); fault != "" {
		return invalid("ExpressionAttributeNames contains invalid value: " + fault + " for key " + key)
	}
	return nil
}

// firstBadName returns the smallest key whose name is not a valid attribute name, with
// the reason. Names that are spelled out in an expression are never too
// long: the expression would be.
func firstBadName(names map[string]string) (key, fault string) {
	for k, name := range names {
		if f := nameFault(name); f != "" && (fault == "" || k < key) {
			key, fault = k, f
		}
	}
	return key, fault
}

// checkValues checks ExpressionAttributeValues that were sent.
func (u *usage) checkValues() error {
	if len(u.values.ByName) == 0 && u.values.Fault == nil {
		return invalid("ExpressionAttributeValues must not be empty")
	}
	if key, bad := firstBadPlaceholder(':', u.values.ByName); bad {
		return invalid("ExpressionAttributeValues contains invalid key: " + placeholderFault(key))
	}
	err := u.layer.complaint(u.values.Fault)
	if fault, ok := err.(*dynamo.Error); ok && u.layer == olderValues {
		return invalid("ExpressionAttributeValues contains invalid value: " + fault.Message + " for key " + u.values.FaultName)
	}
	return err
}

// firstBadPlaceholder returns the smallest key that is not a placeholder, so that the
// error does not depend on the order of the map.
func firstBadPlaceholder[V any](mark byte, placeholders map[string]V) (key string, bad bool) {
	for k := range placeholders {
		if !isPlaceholder(mark, k) && (!bad || k < key) {
			key, bad = k, true
		}
	}
	return key, bad
}

// maxPlaceholder is the maximum length of a placeholder, including its mark.
const maxPlaceholder = 255

// placeholderFault says why a key is not a placeholder.
func placeholderFault(key string) string {
	if len(key) > maxPlaceholder {
		return "The expression attribute map contains a key that is too long; size of key: " + strconv.Itoa(len(key))
	}
	return `Syntax error; key: "` + key + `"`
}

// isPlaceholder reports whether key is the mark and at least one letter, digit
// or underscore.
func isPlaceholder(mark byte, key string) bool {
	if len(key) < 2 || len(key) > maxPlaceholder || key[0] != mark {
		return false
	}
	for i := 1; i < len(key); i++ {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
		default:
			return false
		}
	}
	return true
}
