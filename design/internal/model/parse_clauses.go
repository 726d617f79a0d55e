package model

import (
	"fmt"
	"slices"
	"strings"
)

// clauseForms has examples of clauses for messages.
const clauseForms = "status = active, tries < 3, lock missing, status in (A, B)"

// symbols lists the comparison operators of if and when.
var symbols = []Op{Eq, Ne, Lt, Lte, Gt, Gte}

// meantSymbols maps operators of other languages to those of if and when.
var meantSymbols = map[string]string{
	"==": "=", "<>": "!=", "=>": ">=", "=<": "<=", "is": "=", "equals": "=", "eq": "=", "ne": "!=",
	"lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "exist": "exists", "absent": "missing", "not": "!= or missing",
	"between": ">= and another clause with <=",
}

// ParseClauses parses the conditions of if and when: clauses joined by and, such as
// status = active and tries < 3 and lock missing.
func ParseClauses(text string, e *Entity) ([]*Condition, *SyntaxError) {
	r := &operandReader{reader: reader{text: text}, e: e}
	var clauses []*Condition
	for {
		clause, err := r.clause()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, clause)
		r.spaces()
		if r.atEnd() {
			return clauses, nil
		}
		start := r.pos
		switch joiner := r.run(isBare); {
		case joiner == "and":
		case strings.EqualFold(joiner, "or"):
			return nil, r.fail(start, "conditions are joined by and; for or, use in (A, B) or a pattern for each")
		case strings.EqualFold(joiner, "and"):
			return nil, r.fail(start, "and is written in lower case")
		default:
			r.pos = len(text)
			return nil, r.fail(start, "and is missing before %s; text with spaces belongs in quotes", shown(text[start:]))
		}
	}
}

// clause parses one comparison.
func (r *operandReader) clause() (*Condition, *SyntaxError) {
	r.spaces()
	start := r.pos
	name := r.run(isName)
	if name == "" {
		return nil, r.failHere("an attribute is missing: write %s", clauseForms)
	}
	a, err := r.attribute(start, name, r.e)
	if err != nil {
		return nil, err
	}
	r.left = a
	op, err := r.op()
	if err != nil {
		return nil, err
	}
	c := &Condition{Attribute: a, Op: op}
	switch op {
	case Exists, Missing:
		return c, nil
	case In:
		c.Values, err = r.values()
	default:
		var value Operand
		value, err = r.operand(op)
		c.Values = []Operand{value}
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// op parses an operator and checks that it applies to the attribute on the left.
func (r *operandReader) op() (Op, *SyntaxError) {
	r.spaces()
	start := r.pos
	text := r.run(func(c byte) bool { return strings.IndexByte("=<>!", c) >= 0 })
	isSymbol := text != ""
	if !isSymbol {
		text = r.run(isName)
	}
	op := Op(text)
	switch {
	case isSymbol && slices.Contains(symbols, op), op == In, op == Exists, op == Missing:
		if message := fits(r.left, op); message != "" {
			return "", r.fail(start, "%s", message)
		}
		return op, nil
	case text == "":
		return "", r.failHere("a comparison is missing after %s: write %s", r.left.Name, clauseForms)
	case meantSymbols[strings.ToLower(text)] != "":
		return "", r.fail(start, "there is no comparison %s here: write %s", shown(text), meantSymbols[strings.ToLower(text)])
	case isSymbol:
		return "", r.fail(start, "there is no comparison %s: = != < <= > >= exist", shown(text))
	}
	return "", r.unknown(start, text, fmt.Sprintf("there is no comparison %s here", shown(text)), []string{"exists", "missing", "in"})
}

// ParseOrdering parses the order of a list: an attribute and asc or desc.
func ParseOrdering(text string, e *Entity) (*Ordering, *SyntaxError) {
	r := &reader{text: text}
	r.spaces()
	start := r.pos
	name := r.run(isName)
	if name == "" {
		return nil, r.failHere("an attribute is missing: write created_at desc")
	}
	a, err := r.attribute(start, name, e)
	if err != nil {
		return nil, err
	}
	r.spaces()
	start = r.pos
	direction := r.run(isBare)
	switch {
	case direction == "":
		return nil, r.failHere("the direction is missing: write %s asc or %s desc", name, name)
	case direction != "asc" && direction != "desc":
		return nil, r.fail(start, "%s is not a direction: write %s asc or %s desc", shown(direction), name, name)
	}
	r.spaces()
	if !r.atEnd() {
		start = r.pos
		r.pos = len(text)
		return nil, r.fail(start, "a list is ordered by one attribute: remove %s", shown(text[start:]))
	}
	return &Ordering{Attribute: a, Descending: direction == "desc"}, nil
}
