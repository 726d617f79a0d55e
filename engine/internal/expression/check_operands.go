package expression

import (
	"bytes"
	"encoding/base64"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/number"
)

// typesOfPath is DynamoDB's name for the type of an operand whose type is unknown: the set
// of all types.
const typesOfPath = "{S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,DECIMAL,INT,DECIMALSET,INTSET}"

// knownType returns the type of an operand that has the same type in all items:
// that of a value or of the result of size. It returns "" for other operands.
func (e *expr) knownType() string {
	switch e.op {
	case opValue:
		return e.value.Kind().String()
	case opSize:
		return "N"
	default:
		return ""
	}
}

// checkOperands checks the operands of one comparison or function of a condition.
func checkOperands(e *expr, l language) error {
	switch {
	case e.op == opOr || e.op == opAnd || e.op == opNot:
		return nil
	case e.op.isFunction():
		if err := checkCount(e, l); err != nil {
			return err
		}
	case e.op == opIn && e.count()-1 > dynamo.MaxInOperands:
		return l.errorf("The IN operator is provided with too many operands; number of operands: %d", e.count()-1)
	}
	if err := checkDistinct(e, l); err != nil {
		return err
	}
	switch e.op {
	case opLess, opLessOrEqual, opGreater, opGreaterOrEqual:
		return checkTypes(e, l, isScalarType)
	case opBetween:
		if err := checkTypes(e, l, isScalarType); err != nil {
			return err
		}
		return checkBounds(e.second(), e.second().next, l)
	case opBeginsWith:
		return checkTypes(e, l, func(t string) bool { return t == "S" || t == "B" })
	case opSize:
		return checkTypes(e, l, func(t string) bool { return t != "N" && t != "BOOL" && t != "NULL" })
	case opAttributeExists, opAttributeNotExists:
		return checkIsPath(e, l)
	case opAttributeType:
		return checkTypeName(e.second(), l)
	default:
		return nil
	}
}

func isScalarType(t string) bool { return t == "S" || t == "N" || t == "B" }

func checkCount(e *expr, l language) error {
	if n := e.count(); n != e.op.arity() {
		return l.errorf("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", e.word, n)
	}
	return nil
}

// checkDistinct rejects to compare an attribute with itself.
func checkDistinct(e *expr, l language) error {
	first := e.operands
	if first.op != opPath {
		return nil
	}
	for o := first.next; o != nil; o = o.next {
		if o.op == opPath && o.path.equal(first.path) {
			return l.errorf("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s", opNames[e.op], first.path)
		}
	}
	return nil
}

// checkTypes checks the operands whose type is known.
func checkTypes(e *expr, l language, allowed func(string) bool) error {
	for o := e.operands; o != nil; o = o.next {
		if t := o.knownType(); t != "" && !allowed(t) {
			return incorrectType(e.op, t, l)
		}
	}
	return nil
}

func incorrectType(o op, operandType string, l language) error {
	return l.errorf("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", opNames[o], operandType)
}

func checkIsPath(e *expr, l language) error {
	if e.operands.op != opPath {
		return l.errorf("Operator or function requires a document path; operator or function: %s", e.word)
	}
	return nil
}

// checkTypeName checks the second operand of attribute_type.
func checkTypeName(e *expr, l language) error {
	switch t := e.knownType(); t {
	case "S":
	case "":
		return incorrectType(opAttributeType, typesOfPath, l)
	default:
		return incorrectType(opAttributeType, t, l)
	}
	switch name := string(e.value.Bytes()); name {
	case "S", "SS", "N", "NS", "B", "BS", "BOOL", "NULL", "L", "M":
		return nil
	default:
		return l.errorf("Invalid attribute type name found; type: %s, valid types: {S,SS,N,NS,B,BS,BOOL,NULL,L,M}", name)
	}
}

// checkBounds checks the bounds of BETWEEN if both are values.
func checkBounds(low, high *expr, l language) error {
	if low.op != opValue || high.op != opValue {
		return nil
	}
	complaint := ""
	switch {
	case low.value.Kind() != high.value.Kind():
		complaint = "same data type for lower and upper bounds"
	case CompareScalars(low.value, high.value) > 0:
		complaint = "upper bound to be greater than or equal to lower bound"
	default:
		return nil
	}
	return l.errorf("The BETWEEN operator requires %s; lower bound operand: %s, upper bound operand: %s",
		complaint, ShowScalar(low.value), ShowScalar(high.value))
}

// CompareScalars compares two strings, two numbers or two binary values.
func CompareScalars(a, b dynamo.Value) int {
	if a.Kind() == dynamo.KindNumber {
		return number.Compare(a.Bytes(), b.Bytes())
	}
	return bytes.Compare(a.Bytes(), b.Bytes())
}

// ShowScalar returns a string, a number or a binary value as messages print it.
func ShowScalar(v dynamo.Value) string {
	content := string(v.Bytes())
	if v.Kind() == dynamo.KindBinary {
		content = base64.StdEncoding.EncodeToString(v.Bytes())
	}
	return "AttributeValue: {" + v.Kind().String() + ":" + content + "}"
}
