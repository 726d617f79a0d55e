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

// maxDepth is the maximum number of parentheses around a comparison.
const maxDepth = 20

// ParseClauses parses the conditions of if, when and filter: comparisons joined by and and or,
// such as status = active and (tries < 3 or lock missing). And binds stronger than or. All of
// the conditions it returns must hold.
func ParseClauses(text string, e *Entity) ([]*Condition, *SyntaxError) {
	r := &operandReader{reader: reader{text: text}, e: e}
	all, err := r.alternatives(0)
	if err != nil {
		return nil, err
	}
	if start := r.pos; !r.atEnd() { // a parenthesis too many
		return nil, r.fail(start, "nothing opens this parenthesis")
	}
	return all, nil
}

// alternatives parses lists of clauses joined by or, up to the end or a closing parenthesis.
func (r *operandReader) alternatives(depth int) ([]*Condition, *SyntaxError) {
	var all [][]*Condition
	for {
		list, or, err := r.conjunction(depth)
		if err != nil {
			return nil, err
		}
		all = append(all, list)
		if or {
			continue
		}
		if len(all) == 1 {
			return list, nil
		}
		return []*Condition{NewOr(all)}, r.insideOr(all)
	}
}

// insideOr returns an error if the clauses of an or compare with a list or a set of the caller.
func (r *operandReader) insideOr(alternatives [][]*Condition) *SyntaxError {
	for _, c := range Comparisons([]*Condition{NewOr(alternatives)}) {
		isParam := slices.ContainsFunc(c.Values, func(o Operand) bool { return o.Param != "" })
		switch {
		case c.Op == In && len(c.Values) == 1 && isParam:
			return failAll(r.text, "in $%s cannot be an alternative of or: write in ($a, $b), or a pattern for each", c.Values[0].Param)
		case c.Attribute.Type.Base == SetOf && isParam:
			return failAll(r.text, "%s is a set, and a set of the caller cannot be compared in an alternative of or: use a pattern for each", c.Attribute.Name)
		}
	}
	return nil
}

// conjunction parses clauses joined by and, and reports whether or follows.
func (r *operandReader) conjunction(depth int) (list []*Condition, or bool, err *SyntaxError) {
	for {
		r.spaces()
		if r.next() == '(' {
			inner, err := r.group(depth + 1)
			if err != nil {
				return nil, false, err
			}
			list = append(list, inner...)
		} else {
			clause, err := r.clause()
			if err != nil {
				return nil, false, err
			}
			list = append(list, clause)
		}
		r.spaces()
		if r.atEnd() || r.next() == ')' {
			return list, false, nil
		}
		or, err := r.joiner()
		if err != nil || or {
			return list, or, err
		}
	}
}

// group parses clauses in parentheses.
func (r *operandReader) group(depth int) ([]*Condition, *SyntaxError) {
	open := r.pos
	if depth > maxDepth {
		return nil, r.failHere("there are more than %d parentheses around a comparison", maxDepth)
	}
	r.pos++
	all, err := r.alternatives(depth)
	if err != nil {
		return nil, err
	}
	if !r.skip(')') {
		r.pos = open + 1
		return nil, r.fail(open, "the parenthesis is not closed")
	}
	return all, nil
}

// joiner parses and, or or, and reports which.
func (r *operandReader) joiner() (or bool, err *SyntaxError) {
	start := r.pos
	switch joiner := r.run(isBare); {
	case joiner == "and":
		return false, nil
	case joiner == "or":
		return true, nil
	case strings.EqualFold(joiner, "and"), strings.EqualFold(joiner, "or"):
		return false, r.fail(start, "%s is written in lower case", strings.ToLower(joiner))
	}
	r.pos = len(r.text)
	return false, r.fail(start, "and is missing before %s; text with spaces belongs in quotes", shown(r.text[start:]))
}

// clause parses one comparison.
func (r *operandReader) clause() (*Condition, *SyntaxError) {
	r.spaces()
	start := r.pos
	name := r.run(isName)
	if name == "" {
		return nil, r.failHere("an attribute is missing: write %s", clauseForms)
	}
	if name == "not" && r.e.Attribute(name) == nil {
		return nil, r.fail(start, "there is no not: write the opposite, such as status != active, tries >= 3 or lock missing")
	}
	a, err := r.attribute(start, name, r.e)
	if err != nil {
		return nil, err
	}
	entry, err := r.entry(a)
	if err != nil {
		return nil, err
	}
	if entry != nil {
		a = entry.Element
	}
	r.left = a
	op, err := r.op()
	if err != nil {
		return nil, err
	}
	c := &Condition{Attribute: a, Entry: entry, Op: op}
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

// entry parses the key of an entry behind the name of a map; nil: there is none.
func (r *operandReader) entry(a *Attribute) (*Entry, *SyntaxError) {
	if r.next() != '[' {
		return nil, nil
	}
	start := r.pos
	end := strings.IndexByte(r.text[start:], ']')
	if end < 0 {
		return nil, r.failHere("the ] after the key of an entry is missing")
	}
	key, ok := ParseEntryKey(r.text[start+1 : start+end])
	if !ok {
		return nil, r.fail(start, "the key of an entry is a parameter such as $key, or a constant")
	}
	r.pos = start + end + 1
	if why := UnfitForEntries(a); why != "" {
		return nil, r.fail(start, "%s", why)
	}
	return NewEntry(a, key), nil
}

// ParseEntryKey parses the key of an entry of a map: a parameter or a constant.
func ParseEntryKey(text string) (Operand, bool) {
	name, isParam := strings.CutPrefix(strings.TrimSpace(text), "$")
	switch {
	case name == "" || isParam && !isAllName(name):
		return Operand{}, false
	case isParam:
		return Operand{Param: name}, true
	}
	return Operand{Constant: name}, true
}

func isAllName(name string) bool {
	for i := range len(name) {
		if !isName(name[i]) {
			return false
		}
	}
	return true
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
