package expression

import (
	"bytes"
	"cmp"
	"strconv"
	"unicode/utf8"

	"sortkey.dev/engine/internal/dynamo"
)

// A Condition is a parsed condition or filter expression.
type Condition struct {
	root      *expr
	parameter string
}

// Parameter returns the name of the condition's parameter in messages about filters.
func (c *Condition) Parameter() string { return cmp.Or(c.parameter, "Filter Expression") }

// Matches reports whether the condition holds for item. A nil item does not exist: it has
// no attributes. So far no parsed condition fails at run time; the error is reserved for
// that.
func (c *Condition) Matches(item dynamo.Item) (bool, error) {
	return c.root.matches(item), nil
}

// TopLevelNames lists the attributes the condition's document paths start
// with, in order of appearance; a name may come more than once.
func (c *Condition) TopLevelNames() []string { return heads(c.root.paths, everyPath) }

// NestedNames lists the attributes that the condition reads a part of: those with a path
// that continues after them.
func (c *Condition) NestedNames() []string { return heads(c.root.paths, nestedPath) }

func (e *expr) matches(item dynamo.Item) bool {
	switch e.op {
	case opOr:
		return e.operands.matches(item) || e.second().matches(item)
	case opAnd:
		return e.operands.matches(item) && e.second().matches(item)
	case opNot:
		return !e.operands.matches(item)
	case opAttributeExists:
		return e.operands.path.in(item) != nil
	case opAttributeNotExists:
		return e.operands.path.in(item) == nil
	case opContains:
		return e.contains(item)
	default:
		return e.compare(item)
	}
}

// compare evaluates a comparison or a function of operands. A missing operand equals
// nothing, not even another missing operand.
func (e *expr) compare(item dynamo.Item) bool {
	var room numberRoom
	first := e.operands.evaluate(item, &room)
	switch e.op {
	case opBetween:
		return holds(opGreaterOrEqual, first, e.second(), item) && holds(opLessOrEqual, first, e.second().next, item)
	case opIn:
		for o := e.second(); o != nil; o = o.next {
			if holds(opEqual, first, o, item) {
				return true
			}
		}
		return false
	default:
		return holds(e.op, first, e.second(), item)
	}
}

// holds evaluates one comparison or function of two operands.
func holds(o op, first dynamo.Value, secondOperand *expr, item dynamo.Item) bool {
	var room numberRoom
	second := secondOperand.evaluate(item, &room)
	if first == nil || second == nil {
		return o == opNotEqual
	}
	switch o {
	case opEqual:
		return bytes.Equal(first, second)
	case opNotEqual:
		return !bytes.Equal(first, second)
	case opBeginsWith:
		return beginsWith(first, second)
	case opAttributeType:
		return first.Kind().String() == string(second.Bytes())
	default:
		return inOrder(o, first, second)
	}
}

// evaluate returns the value of an operand, or nil if it has none. The result
// may share memory with item or room.
func (e *expr) evaluate(item dynamo.Item, room *numberRoom) dynamo.Value {
	if e.op == opSize {
		return size(e.operands.stored(item), room)
	}
	return e.stored(item)
}

// stored returns the value of an operand that is not computed, or nil.
func (e *expr) stored(item dynamo.Item) dynamo.Value {
	if e.op == opPath {
		return e.path.in(item)
	}
	return e.value
}

func inOrder(o op, a, b dynamo.Value) bool {
	if a.Kind() != b.Kind() || !a.Kind().IsScalarKey() {
		return false
	}
	order := CompareScalars(a, b)
	switch o {
	case opLess:
		return order < 0
	case opLessOrEqual:
		return order <= 0
	case opGreater:
		return order > 0
	default:
		return order >= 0
	}
}

func beginsWith(v, prefix dynamo.Value) bool {
	k := v.Kind()
	return k == prefix.Kind() && (k == dynamo.KindString || k == dynamo.KindBinary) && bytes.HasPrefix(v.Bytes(), prefix.Bytes())
}

// contains looks for a substring, a member of a set or an element of a list. A computed
// number contains nothing.
func (e *expr) contains(item dynamo.Item) bool {
	var room numberRoom
	v, part := e.operands.stored(item), e.second().evaluate(item, &room)
	switch k := v.Kind(); {
	case part == nil:
		return false
	case k == dynamo.KindList:
		for _, element := range v.Elements() {
			if bytes.Equal(element, part) {
				return true
			}
		}
		return false
	case k.IsSet():
		return part.Kind() == k.MemberKind() && v.HasMember(part.Bytes())
	case k == dynamo.KindString || k == dynamo.KindBinary:
		return part.Kind() == k && bytes.Contains(v.Bytes(), part.Bytes())
	default:
		return false
	}
}

// A numberRoom is a buffer for the encoded result of size.
type numberRoom [24]byte

// size returns the number of characters, bytes or elements of v as a number, or nil
// for values without a size.
func size(v dynamo.Value, room *numberRoom) dynamo.Value {
	n := 0
	switch k := v.Kind(); {
	case k == dynamo.KindString:
		n = utf16Len(v.Bytes())
	case k == dynamo.KindBinary:
		n = len(v.Bytes())
	case k.IsSet() || k == dynamo.KindList || k == dynamo.KindMap:
		n = v.Len()
	default:
		return nil
	}
	room[0] = byte(dynamo.KindNumber)
	digits := strconv.AppendInt(room[2:2], int64(n), 10)
	room[1] = byte(len(digits))
	return room[:2+len(digits)]
}

// utf16Len returns the length of UTF-8 text in UTF-16 code units, which DynamoDB uses as
// its size.
func utf16Len(text []byte) int {
	n := 0
	for _, c := range text {
		if c < utf8.RuneSelf || c >= 0xC0 { // the first byte of a character
			n++
		}
		if c >= 0xF0 { // of one outside the basic plane, which takes two units
			n++
		}
	}
	return n
}
