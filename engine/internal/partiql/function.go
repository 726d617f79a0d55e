package partiql

import (
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// functions maps the names of the functions of WHERE clauses to their signatures.
var functions = map[string]struct {
	arity     int
	condition bool // it is true or false
}{
	"attribute_exists":     {1, true},
	"attribute_not_exists": {1, true},
	"attribute_type":       {2, true},
	"begins_with":          {2, true},
	"contains":             {2, true},
	"size":                 {1, false},
}

// checkFunction looks up a function of a WHERE clause and returns its name.
func (c *checker) checkFunction(n *node, asCondition bool) (string, error) {
	name := strings.ToLower(n.text)
	switch f, known := functions[name]; {
	case !known:
		return "", dynamo.Invalid("Unrecognized function: %s at %s", n.text, place(c.text, n.start, n.end))
	case len(n.operands) != f.arity:
		return "", errOperandCount(name, len(n.operands))
	case f.condition != asCondition:
		return "", dynamo.Invalid("The function is not allowed to be used this way in an expression; function: %s", name)
	}
	return name, nil
}

func errOperandCount(function string, count int) error {
	return dynamo.Invalid("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", function, count)
}

// function checks a function that is a condition.
func (c *checker) function(n *node) (*condition, error) {
	name, err := c.checkFunction(n, true)
	if err != nil {
		return nil, err
	}
	if name == "attribute_exists" || name == "attribute_not_exists" {
		return c.existence(n.operands[0], name)
	}
	operands, err := c.operands(n.operands)
	if err != nil {
		return nil, err
	}
	first, second := operands[0], operands[1]
	found := &condition{op: opCall}
	switch name {
	case "attribute_type":
		found.term = expression.AttributeType(first.term, second.term)
	case "contains":
		found.term = expression.Contains(first.term, second.term)
	default:
		found.term = expression.HasPrefix(first.term, second.term)
		if first.name != "" && second.value != nil {
			found.name, found.use, found.values = first.name, useBeginsWith, []dynamo.Value{second.value}
		}
	}
	return found, expression.CheckOperands(found.term)
}

func (c *checker) existence(n *node, name string) (*condition, error) {
	if n.op != opPath {
		return nil, dynamo.Invalid("Operator or function requires a document path; operator or function: %s", name)
	}
	path, err := c.path(n)
	if err != nil {
		return nil, err
	}
	if name == "attribute_exists" {
		return &condition{op: opCall, term: expression.AttributeExists(path)}, nil
	}
	return &condition{op: opCall, term: expression.AttributeNotExists(path)}, nil
}

// An operand is a checked operand of a condition.
type operand struct {
	term  expression.Term
	name  string       // of a top-level attribute
	value dynamo.Value // of a constant
}

func (c *checker) operands(nodes []*node) ([]operand, error) {
	found := make([]operand, len(nodes))
	for i, n := range nodes {
		var err error
		if found[i], err = c.operand(n); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (c *checker) operand(n *node) (operand, error) {
	switch {
	case n.op == opPath:
		path, err := c.path(n)
		if err != nil {
			return operand{}, err
		}
		o := operand{term: path.Term()}
		if path.Len() == 1 {
			o.name = path.Head()
		}
		return o, nil
	case n.isValue():
		v, err := c.literals.value(n)
		return operand{term: expression.Constant(v), value: v}, err
	case n.op == opCall:
		return c.sizeOf(n)
	default:
		return operand{}, dynamo.Invalid("Operands of a WHERE clause must be attributes, values or size(); found something else at %s", place(c.text, n.start, n.end))
	}
}

// sizeOf checks the only function that is an operand.
func (c *checker) sizeOf(n *node) (operand, error) {
	if _, err := c.checkFunction(n, false); err != nil {
		return operand{}, err
	}
	inner, err := c.operand(n.operands[0])
	if err != nil {
		return operand{}, err
	}
	if n.operands[0].op == opCall {
		return operand{}, dynamo.Invalid("The function is not allowed to be used this way in an expression; function: size")
	}
	o := operand{term: expression.Size(inner.term)}
	return o, expression.CheckOperands(o.term)
}
