package expression

import "sortkey.dev/engine/internal/dynamo"

// An op is the kind of an expr.
type op uint8

const (
	opPath op = iota + 1
	opValue
	opOr
	opAnd
	opNot
	opEqual
	opNotEqual
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
	opBetween
	opIn
	opPlus
	opMinus
	opCall // a function whose name was not looked up yet
	opAttributeExists
	opAttributeNotExists
	opAttributeType
	opBeginsWith
	opContains
	opSize
	opIfNotExists
	opListAppend
)

// opNames maps operators to their names in error messages. Functions have their own
// names.
var opNames = [...]string{
	opOr: "OR", opAnd: "AND", opNot: "NOT",
	opEqual: "=", opNotEqual: "<>", opLess: "<", opLessOrEqual: "<=", opGreater: ">", opGreaterOrEqual: ">=",
	opBetween: "BETWEEN", opIn: "IN", opPlus: "+", opMinus: "-",
	opAttributeExists: "attribute_exists", opAttributeNotExists: "attribute_not_exists",
	opAttributeType: "attribute_type", opBeginsWith: "begins_with", opContains: "contains",
	opSize: "size", opIfNotExists: "if_not_exists", opListAppend: "list_append",
}

// functionNamed looks up a function by its exact name.
func functionNamed(name string) (op, bool) {
	for o := opAttributeExists; o <= opListAppend; o++ {
		if opNames[o] == name {
			return o, true
		}
	}
	return 0, false
}

// isFunction reports whether o is one of the functions.
func (o op) isFunction() bool { return o >= opCall }

// isUpdateFunction reports whether o belongs to update expressions only.
func (o op) isUpdateFunction() bool { return o == opIfNotExists || o == opListAppend }

// arity returns the number of operands of a function.
func (o op) arity() int {
	switch o {
	case opAttributeExists, opAttributeNotExists, opSize:
		return 1
	default:
		return 2
	}
}

// An expr is a node of a parsed expression. Its operands are a linked list, so
// that nodes with any number of operands are allocated together.
type expr struct {
	op       op
	parens   bool   // is directly in parentheses
	word     string // of a function: its name; of a value: its placeholder
	path     path
	value    dynamo.Value
	operands *expr // the first
	next     *expr // the next operand of the same parent
}

// second returns the second operand.
func (e *expr) second() *expr { return e.operands.next }

// count returns the number of operands.
func (e *expr) count() (n int) {
	for o := e.operands; o != nil; o = o.next {
		n++
	}
	return n
}

// canCompare reports whether e can be an operand of a comparison.
func (e *expr) canCompare() bool { return e.op == opPath || e.op == opValue || e.op.isFunction() }

// paths calls yield for every document path below e, from the left to the right.
func (e *expr) paths(yield func(path)) {
	if e.op == opPath {
		yield(e.path)
	}
	for o := e.operands; o != nil; o = o.next {
		o.paths(yield)
	}
}
