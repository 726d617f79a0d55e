package expression

import "sortkey.dev/engine/internal/dynamo"

// A KeyCondition is a parsed key condition expression: conditions on
// attributes. Bind checks whether they are keys.
type KeyCondition struct {
	clauses []keyClause
	excess  func(clauses, keys int) error // the error for more clauses than key attributes; nil: ExcessClauses
}

// A keyClause is a condition on one attribute.
type keyClause struct {
	name      string
	equal     bool
	op        KeyOp        // if not equal
	low, high dynamo.Value // high only for Between
}

// A KeyOp is a condition on a sort attribute that allows a range of values.
type KeyOp int

// The conditions of a [KeyRange]. NoOp allows every value.
const (
	NoOp KeyOp = iota
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
	Between
	BeginsWith
)

// ParseKeyCondition parses a KeyConditionExpression. It is like other conditions, but may
// only compare attributes with values and only use AND.
func (s *Scope) ParseKeyCondition(text string) (*KeyCondition, error) {
	root, err := s.condition(text, keyConditionLanguage)
	if err != nil {
		return nil, err
	}
	k := &KeyCondition{clauses: make([]keyClause, 0, 2)}
	if err := k.add(root); err != nil {
		return nil, err
	}
	return k, nil
}

// TopLevelNames lists the attributes of the conditions, in the order of the text.
func (k *KeyCondition) TopLevelNames() []string {
	names := make([]string, len(k.clauses))
	for i, c := range k.clauses {
		names[i] = c.name
	}
	return names
}

// add adds the conditions below e.
func (k *KeyCondition) add(e *expr) error {
	switch e.op {
	case opAnd:
		if err := k.add(e.operands); err != nil {
			return err
		}
		return k.add(e.second())
	case opOr, opNot, opIn, opNotEqual, opAttributeExists, opAttributeNotExists, opAttributeType, opContains:
		return dynamo.Invalid("Invalid operator used in KeyConditionExpression: %s", opNames[e.op])
	case opBetween, opBeginsWith:
		if e.operands.op != opPath {
			return dynamo.Invalid("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", opNames[e.op])
		}
	}
	key, err := keyOperand(e)
	if err != nil {
		return err
	}
	for _, c := range k.clauses {
		if c.name == key.path[0].name {
			return keyConditionLanguage.errorf("KeyConditionExpressions must only contain one condition per key")
		}
	}
	k.clauses = append(k.clauses, newKeyClause(e, key))
	return nil
}

// keyOperand returns the only operand of e that is an attribute.
func keyOperand(e *expr) (*expr, error) {
	var key *expr
	for o := e.operands; o != nil; o = o.next {
		switch {
		case o.op == opPath && key != nil:
			return nil, dynamo.Invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		case o.op == opPath && len(o.path) > 1:
			return nil, keyConditionLanguage.errorf("KeyConditionExpressions cannot have conditions on nested attributes")
		case o.op == opPath:
			key = o
		case o.op != opValue:
			return nil, keyConditionLanguage.errorf("KeyConditionExpressions cannot contain nested operations")
		}
	}
	if key == nil {
		return nil, dynamo.Invalid("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	return key, nil
}

// newKeyClause reverses a comparison if the attribute is on its right side.
func newKeyClause(e, key *expr) keyClause {
	c := keyClause{name: key.path[0].name}
	mirrored := key != e.operands
	if mirrored {
		c.low = e.operands.value
	} else {
		c.low = e.second().value
	}
	switch {
	case e.op == opEqual:
		c.equal = true
	case e.op == opBetween:
		c.op, c.high = Between, e.second().next.value
	case e.op == opBeginsWith:
		c.op = BeginsWith
	case e.op == opLess && !mirrored || e.op == opGreater && mirrored:
		c.op = Less
	case e.op == opLessOrEqual && !mirrored || e.op == opGreaterOrEqual && mirrored:
		c.op = LessOrEqual
	case e.op == opGreater || e.op == opLess:
		c.op = Greater
	default:
		c.op = GreaterOrEqual
	}
	return c
}
