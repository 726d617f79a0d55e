package partiql

import (
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// update checks the changes of an update.
func (c *checker) update(changes []change) (*expression.Update, error) {
	list := make([]expression.Change, len(changes))
	for i, ch := range changes {
		var err error
		if list[i], err = c.change(ch); err != nil {
			return nil, err
		}
	}
	return expression.NewStatementUpdate(list...)
}

func (c *checker) change(ch change) (expression.Change, error) {
	path, err := c.path(ch.target)
	switch {
	case err != nil:
		return expression.Change{}, err
	case ch.value == nil:
		return expression.Remove(path), nil
	case ch.value.op == opCall && isSetFunction(ch.value.text):
		return c.setChange(ch, path)
	}
	term, err := c.setValue(ch.value)
	if err != nil {
		return expression.Change{}, err
	}
	return expression.Set(path, term), expression.CheckSetValue(term)
}

func isSetFunction(name string) bool {
	return strings.EqualFold(name, "set_add") || strings.EqualFold(name, "set_delete")
}

// setChange checks SET a = set_add(a, …) and the same with set_delete.
func (c *checker) setChange(ch change, path expression.Path) (expression.Change, error) {
	call := ch.value
	name, at := strings.ToUpper(call.text), place(c.text, call.start, call.end)
	if len(call.operands) != 2 {
		return expression.Change{}, dynamo.Invalid("%s must have exactly two arguments at %s", name, at)
	}
	first, second := call.operands[0], call.operands[1]
	if first.op != opPath || !slices.Equal(first.path, ch.target.path) {
		return expression.Change{}, dynamo.Invalid("The first argument to %s must equal the assignment value at %s", name, at)
	}
	var set dynamo.Value
	if second.isValue() {
		var err error
		if set, err = c.literals.value(second); err != nil {
			return expression.Change{}, err
		}
	}
	if !set.Kind().IsSet() {
		return expression.Change{}, dynamo.Invalid("The second argument to %s must be a value with type SET at %s", name, place(c.text, first.start, first.end))
	}
	if name == "SET_ADD" {
		return expression.Add(path, set), nil
	}
	return expression.Subtract(path, set), nil
}

// setValue returns the right side of an assignment.
func (c *checker) setValue(n *node) (expression.Term, error) {
	switch {
	case n.op == opPath:
		path, err := c.path(n)
		if err != nil {
			return expression.Term{}, err
		}
		return path.Term(), nil
	case n.isValue():
		v, err := c.literals.value(n)
		return expression.Constant(v), err
	case n.op == opPlus, n.op == opMinus:
		left, right, err := c.setOperands(n.operands)
		if n.op == opPlus {
			return expression.Plus(left, right), err
		}
		return expression.Minus(left, right), err
	case n.op == opCall:
		return c.setFunction(n)
	default:
		return expression.Term{}, dynamo.Invalid("SET takes attributes, values and functions; found something else at %s", place(c.text, n.start, n.end))
	}
}

// setOperands returns the two operands of an operator or function. After an error they
// are constants, so that the caller can still build a term.
func (c *checker) setOperands(nodes []*node) (left, right expression.Term, err error) {
	left, right = expression.Constant(nil), expression.Constant(nil)
	first, err := c.setValue(nodes[0])
	if err != nil {
		return left, right, err
	}
	second, err := c.setValue(nodes[1])
	if err != nil {
		return left, right, err
	}
	return first, second, nil
}

// setFunction returns a function on the right side of an assignment.
func (c *checker) setFunction(n *node) (expression.Term, error) {
	name := strings.ToLower(n.text)
	if name != "list_append" && name != "if_not_exists" {
		return expression.Term{}, dynamo.Invalid("Unrecognized function: %s at %s", n.text, place(c.text, n.start, n.end))
	}
	if len(n.operands) != 2 {
		return expression.Term{}, errOperandCount(name, len(n.operands))
	}
	if name == "list_append" {
		left, right, err := c.setOperands(n.operands)
		return expression.ListAppend(left, right), err
	}
	if n.operands[0].op != opPath {
		return expression.Term{}, dynamo.Invalid("Operator or function requires a document path; operator or function: if_not_exists")
	}
	path, err := c.path(n.operands[0])
	if err != nil {
		return expression.Term{}, err
	}
	otherwise, err := c.setValue(n.operands[1])
	if err != nil {
		return expression.Term{}, err
	}
	return expression.IfNotExists(path, otherwise), nil
}
