package model

import (
	"fmt"
	"slices"
	"strings"
)

// comparisons maps the words that begin a condition of where and filter to operators.
var comparisons = map[string]Op{
	"between": Between, "lt": Lt, "lte": Lte, "gt": Gt, "gte": Gte, "begins_with": BeginsWith, "in": In,
}

var comparisonWords = []string{"between", "lt", "lte", "gt", "gte", "begins_with", "in"}

// comparisonForms has examples of conditions for messages.
const comparisonForms = "$x, between $a and $b, lt $x, begins_with $x, in (A, B) or a constant"

// ParseCondition parses the right side of an entry of where or filter.
func ParseCondition(a *Attribute, text string) (*Condition, *SyntaxError) {
	r := &operandReader{reader: reader{text: text}, left: a}
	r.spaces()
	start := r.pos
	first := r.run(isName)
	r.pos = start
	op, isComparison := comparisons[first]
	rest := strings.TrimRight(text[start:], " \t\n\r")
	switch {
	case a.Type.Base == Enum && slices.Contains(a.Type.Values, rest):
		return &Condition{Attribute: a, Op: Eq, Values: []Operand{{Constant: rest}}}, nil
	case isComparison && ends(text[start+len(first):]):
		r.pos += len(first)
		return r.comparison(start, first, op)
	case r.next() == '$' || r.next() == '\'' || r.next() == '"':
		return r.equals()
	case strings.IndexByte("<>=!", r.next()) >= 0 && !r.atEnd():
		r.run(func(c byte) bool { return strings.IndexByte("<>=!", c) >= 0 })
		return nil, r.fail(start, "comparisons are words here: %s", comparisonForms)
	case first != "" && strings.Contains(rest, " $"):
		r.pos += len(first)
		return nil, r.unknown(start, first, fmt.Sprintf("there is no comparison %s", shown(first)), comparisonWords)
	}
	r.pos = start + len(rest)
	value, err := r.constant(word{text: rest, start: start}, Eq)
	if err != nil {
		return nil, err
	}
	return &Condition{Attribute: a, Op: Eq, Values: []Operand{value}}, nil
}

// ends reports whether a word ends before the rest of its text.
func ends(rest string) bool {
	return rest == "" || isSpace(rest[0]) || rest[0] == '(' || rest[0] == '[' || rest[0] == '$'
}

// equals parses a parameter or a quoted constant that is the whole condition.
func (r *operandReader) equals() (*Condition, *SyntaxError) {
	value, err := r.operand(Eq)
	if err != nil {
		return nil, err
	}
	return r.whole(&Condition{Attribute: r.left, Op: Eq, Values: []Operand{value}})
}

// whole returns the condition if the text ends with it.
func (r *operandReader) whole(c *Condition) (*Condition, *SyntaxError) {
	r.spaces()
	if !r.atEnd() {
		start := r.pos
		r.pos = len(r.text)
		return nil, r.fail(start, "the condition ends before %s; text with spaces belongs in quotes", shown(r.text[start:]))
	}
	return c, nil
}

// comparison parses the operands of a word such as between or in.
func (r *operandReader) comparison(start int, name string, op Op) (*Condition, *SyntaxError) {
	if message := fits(r.left, op); message != "" {
		return nil, r.fail(start, "%s", message)
	}
	c := &Condition{Attribute: r.left, Op: op}
	var err *SyntaxError
	switch op {
	case In:
		c.Values, err = r.values()
	case Between:
		c.Values, err = r.bounds()
	default:
		var value Operand
		if r.spaces(); r.atEnd() {
			return nil, r.fail(start, `%s needs a value: %s $x; put the word in quotes if it is the value`, name, name)
		}
		value, err = r.operand(op)
		c.Values = []Operand{value}
	}
	if err != nil {
		return nil, err
	}
	return r.whole(c)
}

// bounds parses $a and $b.
func (r *operandReader) bounds() ([]Operand, *SyntaxError) {
	low, err := r.operand(Between)
	if err != nil {
		return nil, err
	}
	r.spaces()
	start := r.pos
	if r.run(isName) != "and" {
		return nil, r.fail(start, "between needs two values: between $a and $b")
	}
	r.spaces()
	highStart := r.pos
	high, err := r.operand(Between)
	if err != nil {
		return nil, err
	}
	if low == high {
		return nil, r.fail(highStart, "both ends are the same: between $from and $to")
	}
	return []Operand{low, high}, nil
}
