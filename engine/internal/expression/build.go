package expression

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// A Term is a part of an expression that a program builds instead of parsing it:
// a document path, a constant, or an operator or function over other terms. Terms
// are immutable, so one term may be used in several places. Operands are not
// checked: callers validate them first and word their own errors.
type Term struct{ e *expr }

// A Path is a document path that a program builds.
type Path struct{ elements path }

// Attribute returns the path of a top-level attribute.
func Attribute(name string) Path { return Path{path{{kind: attribute, name: name}}} }

// Field returns the path of a field of the map that p leads to.
func (p Path) Field(name string) Path { return p.append(element{kind: attribute, name: name}) }

// Element returns the path of an element of the list that p leads to.
func (p Path) Element(index int) Path {
	return p.append(element{kind: position, index: index, name: strconv.Itoa(index)})
}

func (p Path) append(e element) Path {
	return Path{append(p.elements[:len(p.elements):len(p.elements)], e)}
}

// Head returns the attribute that the path starts with.
func (p Path) Head() string { return p.elements[0].name }

// Len returns the number of elements of the path.
func (p Path) Len() int { return len(p.elements) }

// String returns the path as error messages write it: [a, [0], b].
func (p Path) String() string { return p.elements.String() }

// Term returns the path as an operand.
func (p Path) Term() Term { return Term{&expr{op: opPath, path: p.elements}} }

// In returns what the path leads to in item, or the zero Value.
func (p Path) In(item dynamo.Item) dynamo.Value { return p.elements.in(item) }

// Constant returns a value as an operand.
func Constant(v dynamo.Value) Term { return Term{&expr{op: opValue, value: v}} }

// A Comparison is a comparison of two operands.
type Comparison op

// The comparisons.
const (
	IsEqual          = Comparison(opEqual)
	IsNotEqual       = Comparison(opNotEqual)
	IsLess           = Comparison(opLess)
	IsLessOrEqual    = Comparison(opLessOrEqual)
	IsGreater        = Comparison(opGreater)
	IsGreaterOrEqual = Comparison(opGreaterOrEqual)
)

// Compare returns a comparison of two operands.
func Compare(c Comparison, a, b Term) Term { return build(op(c), a, b) }

// IsBetween returns a condition that holds when t lies between low and high, both included.
func IsBetween(t, low, high Term) Term { return build(opBetween, t, low, high) }

// IsIn returns a condition that holds when t equals one of the values.
func IsIn(t Term, values ...Term) Term { return build(opIn, append([]Term{t}, values...)...) }

// And returns the conjunction of two conditions.
func And(a, b Term) Term { return build(opAnd, a, b) }

// Or returns the disjunction of two conditions.
func Or(a, b Term) Term { return build(opOr, a, b) }

// Not returns the negation of a condition.
func Not(a Term) Term { return build(opNot, a) }

// AttributeExists returns a condition that holds when the path leads to a value.
func AttributeExists(p Path) Term { return build(opAttributeExists, p.Term()) }

// AttributeNotExists returns a condition that holds when the path leads to no value.
func AttributeNotExists(p Path) Term { return build(opAttributeNotExists, p.Term()) }

// AttributeType returns a condition that holds when t has the type that the constant string name names.
func AttributeType(t, name Term) Term { return build(opAttributeType, t, name) }

// HasPrefix returns a condition that holds when t begins with prefix.
func HasPrefix(t, prefix Term) Term { return build(opBeginsWith, t, prefix) }

// Contains returns a condition that holds when t contains part.
func Contains(t, part Term) Term { return build(opContains, t, part) }

// Size returns an operand that is the size of t.
func Size(t Term) Term { return build(opSize, t) }

// Plus returns the sum of two operands on the right side of an update.
func Plus(a, b Term) Term { return build(opPlus, a, b) }

// Minus returns the difference of two operands on the right side of an update.
func Minus(a, b Term) Term { return build(opMinus, a, b) }

// ListAppend returns a list with the elements of a, then those of b.
func ListAppend(a, b Term) Term { return build(opListAppend, a, b) }

// IfNotExists returns an operand that is the value at the path, or otherwise if there is none.
func IfNotExists(p Path, otherwise Term) Term { return build(opIfNotExists, p.Term(), otherwise) }

// build returns a node with copies of its operands, because operands are linked to
// each other.
func build(o op, operands ...Term) Term {
	e := &expr{op: o}
	link := &e.operands
	for _, t := range operands {
		operand := *t.e
		operand.next = nil
		*link = &operand
		link = &operand.next
	}
	return Term{e}
}

// CheckOperands checks the operands of one comparison or function of a condition, like
// those of a parsed condition. Its messages name no kind of expression.
func CheckOperands(t Term) error { return checkOperands(t.e, statementLanguage) }

// CheckSetValue checks the operands on the right side of a Set, like those of a parsed
// update. Its messages name no kind of expression.
func CheckSetValue(t Term) error { return checkSetValue(t.e, statementLanguage) }

// NewCondition returns the condition of a term.
func NewCondition(t Term) *Condition { return &Condition{root: t.e} }

// NewFilter returns the filter of a term. Messages name the parameter.
func NewFilter(parameter string, t Term) *Condition {
	return &Condition{root: t.e, parameter: parameter}
}

// NewProjection returns the projection of paths. It fails when they overlap.
func NewProjection(paths ...Path) (*Projection, error) {
	elements := make([]path, len(paths))
	for i, p := range paths {
		elements[i] = p.elements
	}
	tree, err := newPathTree(elements, projectionLanguage)
	if err != nil {
		return nil, err
	}
	return &Projection{paths: elements, tree: tree}, nil
}

// NewColumns returns the projection of paths into top-level attributes: each
// path gives one attribute, named after its last name. If two have the same name,
// the last path counts.
func NewColumns(paths ...Path) *Projection {
	p := &Projection{columns: map[string]path{}}
	for _, column := range paths {
		p.paths = append(p.paths, column.elements)
		p.columns[column.lastName()] = column.elements
	}
	return p
}

// lastName returns the last name in the path, with the positions after it.
func (p Path) lastName() (name string) {
	for _, e := range p.elements {
		if e.kind == position {
			name += "[" + e.name + "]"
		} else {
			name = e.name
		}
	}
	return name
}

// A Change is one action of an update that a program builds.
type Change struct{ action action }

// Set sets the value at the path.
func Set(p Path, value Term) Change {
	return Change{action{kind: actionSet, path: p.elements, value: value.e}}
}

// Remove removes the value at the path.
func Remove(p Path) Change { return Change{action{kind: actionRemove, path: p.elements}} }

// Add adds a number, the members of a set, or the elements of a list to the value at the
// path.
func Add(p Path, v dynamo.Value) Change {
	return Change{action{kind: actionAdd, path: p.elements, value: Constant(v).e}}
}

// Subtract removes the members of a set from the set at the path.
func Subtract(p Path, v dynamo.Value) Change {
	return Change{action{kind: actionDelete, path: p.elements, value: Constant(v).e}}
}

// Mismatch returns the change with its own message for the case that Add or
// Subtract finds a value of another kind.
func (c Change) Mismatch(sentence string) Change {
	c.action.mismatch = sentence
	return c
}

// NewUpdate returns the update of the changes. It fails when their paths overlap.
func NewUpdate(changes ...Change) (*Update, error) { return newUpdate(updateLanguage, changes) }

// NewStatementUpdate is NewUpdate for a statement, whose messages name no kind of expression.
func NewStatementUpdate(changes ...Change) (*Update, error) {
	return newUpdate(statementLanguage, changes)
}

func newUpdate(l language, changes []Change) (*Update, error) {
	u := &Update{actions: make([]action, len(changes))}
	paths := make([]path, len(changes))
	for i, c := range changes {
		u.actions[i], paths[i] = c.action, c.action.path
	}
	var err error
	if u.tree, err = newPathTree(paths, l); err != nil {
		return nil, err
	}
	return u, nil
}

// A KeyClause is a condition on one key attribute that a program builds.
type KeyClause struct{ clause keyClause }

// KeyEqual requires one value of a key attribute.
func KeyEqual(name string, v dynamo.Value) KeyClause {
	return KeyClause{keyClause{name: name, equal: true, low: v}}
}

// KeyWithin requires a range of values of a key attribute; high only for Between.
func KeyWithin(name string, o KeyOp, low, high dynamo.Value) KeyClause {
	return KeyClause{keyClause{name: name, op: o, low: low, high: high}}
}

// NewKeyCondition returns the key condition of the clauses, which are on different attributes.
func NewKeyCondition(clauses ...KeyClause) *KeyCondition {
	k := &KeyCondition{clauses: make([]keyClause, len(clauses))}
	for i, c := range clauses {
		k.clauses[i] = c.clause
	}
	return k
}

// Excess makes Bind call complain when there are more clauses than key attributes.
func (k *KeyCondition) Excess(complain func(clauses, keys int) error) *KeyCondition {
	k.excess = complain
	return k
}
