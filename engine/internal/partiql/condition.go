package partiql

import (
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A condition is a checked condition of a WHERE clause. Besides the term to evaluate, it
// keeps what the choice of a plan depends on.
type condition struct {
	op          op // opAnd, opOr, opNot or, for one comparison or function, opCall
	left, right *condition
	term        expression.Term

	// Set for a comparison of a top-level attribute with values, which can be a key condition.
	name   string
	use    keyUse
	values []dynamo.Value
}

// A keyUse says how a condition compares an attribute with values.
type keyUse uint8

const (
	noKeyUse keyUse = iota
	useEqual
	useNotEqual
	useIn
	useLess
	useLessOrEqual
	useGreater
	useGreaterOrEqual
	useBetween
	useBeginsWith
)

// names lists the attributes of the condition, in the order of the text.
func (c *condition) names() []string { return expression.NewCondition(c.term).TopLevelNames() }

// conjuncts lists the conditions between the ANDs of c.
func (c *condition) conjuncts() []*condition { return c.between(opAnd) }

// disjuncts lists the conditions between the ORs of c.
func (c *condition) disjuncts() []*condition { return c.between(opOr) }

func (c *condition) between(o op) []*condition {
	if c == nil {
		return nil
	}
	if c.op != o {
		return []*condition{c}
	}
	return append(c.left.between(o), c.right.between(o)...)
}

// both returns the conjunction of conditions, nil if there are none.
func both(conditions []*condition) *condition {
	var all *condition
	for _, c := range conditions {
		if all == nil {
			all = c
			continue
		}
		all = &condition{op: opAnd, left: all, right: c, term: expression.And(all.term, c.term)}
	}
	return all
}

// condition checks a condition.
func (c *checker) condition(n *node) (*condition, error) {
	switch n.op {
	case opAnd, opOr:
		left, err := c.condition(n.operands[0])
		if err != nil {
			return nil, err
		}
		right, err := c.condition(n.operands[1])
		if err != nil {
			return nil, err
		}
		join := expression.And
		if n.op == opOr {
			join = expression.Or
		}
		return &condition{op: n.op, left: left, right: right, term: join(left.term, right.term)}, nil
	case opNot:
		left, err := c.condition(n.operands[0])
		if err != nil {
			return nil, err
		}
		return &condition{op: opNot, left: left, term: expression.Not(left.term)}, nil
	case opEqual, opNotEqual:
		if inner, truth := truthTest(n); inner != nil {
			return c.truth(inner, truth == (n.op == opEqual))
		}
		return c.comparison(n)
	case opLess, opLessOrEqual, opGreater, opGreaterOrEqual:
		return c.comparison(n)
	case opBetween, opIn:
		return c.selection(n)
	case opIs:
		return c.typeTest(n)
	case opCall:
		return c.function(n)
	default:
		return nil, dynamo.Invalid("A WHERE clause must be made of conditions; found something else at %s", place(c.text, n.start, n.end))
	}
}

// truthTest returns the condition in a comparison with TRUE or FALSE, such as
// attribute_exists(a) = TRUE; nil for other nodes.
func truthTest(n *node) (inner *node, truth bool) {
	for i, o := range n.operands {
		other := n.operands[1-i]
		if (o.op == opTrue || o.op == opFalse) && (other.isCondition() || other.op == opCall && functions[strings.ToLower(other.text)].condition) {
			return other, o.op == opTrue
		}
	}
	return nil, false
}

// truth checks a condition that must be true or false.
func (c *checker) truth(n *node, truth bool) (*condition, error) {
	inner, err := c.condition(n)
	if err != nil || truth {
		return inner, err
	}
	return &condition{op: opNot, left: inner, term: expression.Not(inner.term)}, nil
}

// comparisons maps the comparisons to those of package expression, and to their use as key conditions.
var comparisons = map[op]struct {
	comparison    expression.Comparison
	use, mirrored keyUse
}{
	opEqual:          {expression.IsEqual, useEqual, useEqual},
	opNotEqual:       {expression.IsNotEqual, useNotEqual, useNotEqual},
	opLess:           {expression.IsLess, useLess, useGreater},
	opLessOrEqual:    {expression.IsLessOrEqual, useLessOrEqual, useGreaterOrEqual},
	opGreater:        {expression.IsGreater, useGreater, useLess},
	opGreaterOrEqual: {expression.IsGreaterOrEqual, useGreaterOrEqual, useLessOrEqual},
}

func (c *checker) comparison(n *node) (*condition, error) {
	operands, err := c.operands(n.operands)
	if err != nil {
		return nil, err
	}
	how := comparisons[n.op]
	found := &condition{op: opCall, term: expression.Compare(how.comparison, operands[0].term, operands[1].term)}
	switch left, right := operands[0], operands[1]; {
	case left.name != "" && right.value != nil:
		found.name, found.use, found.values = left.name, how.use, []dynamo.Value{right.value}
	case right.name != "" && left.value != nil:
		found.name, found.use, found.values = right.name, how.mirrored, []dynamo.Value{left.value}
	}
	return found, expression.CheckOperands(found.term)
}

// selection checks BETWEEN and IN.
func (c *checker) selection(n *node) (*condition, error) {
	if n.op == opIn && len(n.operands) == 1 {
		return nil, dynamo.Invalid("The IN operator must have at least one value")
	}
	operands, err := c.operands(n.operands)
	if err != nil {
		return nil, err
	}
	found := &condition{op: opCall, use: useBetween}
	if n.op == opIn {
		found.use = useIn
		terms := make([]expression.Term, len(operands)-1)
		for i, o := range operands[1:] {
			terms[i] = o.term
		}
		found.term = expression.IsIn(operands[0].term, terms...)
	} else {
		found.term = expression.IsBetween(operands[0].term, operands[1].term, operands[2].term)
	}
	found.name = operands[0].name
	for _, o := range operands[1:] {
		if o.value == nil {
			found.name = ""
		}
		found.values = append(found.values, o.value)
	}
	if found.name == "" {
		found.use = noKeyUse
	}
	return found, expression.CheckOperands(found.term)
}

// typeTest checks IS.
func (c *checker) typeTest(n *node) (*condition, error) {
	if n.operands[0].op != opPath {
		return nil, dynamo.Invalid("Operator or function requires a document path; operator or function: IS")
	}
	path, err := c.path(n.operands[0])
	if err != nil {
		return nil, err
	}
	if n.text == "MISSING" {
		return &condition{op: opCall, term: expression.AttributeNotExists(path)}, nil
	}
	var term expression.Term
	for i, name := range typeNames[n.text] {
		test := expression.AttributeType(path.Term(), expression.Constant(textValue(name)))
		if i == 0 {
			term = test
		} else {
			term = expression.Or(term, test)
		}
	}
	return &condition{op: opCall, term: term}, nil
}

// textValue encodes a string.
func textValue(s string) dynamo.Value {
	var enc dynamo.Encoder
	enc.String(s)
	return enc.Value(0)
}
