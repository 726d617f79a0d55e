package partiql

import (
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// A precedence is the binding power of an operator.
type precedence uint8

const (
	lowest precedence = iota
	orPrecedence
	andPrecedence
	notPrecedence
	comparePrecedence
	sumPrecedence
)

// infix returns the precedence of the token between two operands; lowest: none.
func (p *parser) infix() precedence {
	switch k := p.token.kind; {
	case k >= tokenEqual && k <= tokenGreaterOrEqual:
		return comparePrecedence
	case k == tokenPlus || k == tokenMinus:
		return sumPrecedence
	case k != tokenWord:
		return lowest
	}
	switch strings.ToUpper(p.word()) {
	case "OR":
		return orPrecedence
	case "AND":
		return andPrecedence
	case "BETWEEN", "IN", "IS":
		return comparePrecedence
	case "NOT": // NOT IN, NOT BETWEEN
		return comparePrecedence
	default:
		return lowest
	}
}

// expression parses an expression whose operators bind tighter than least.
func (p *parser) expression(least precedence) (*node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return nil, malformed("The statement is nested too deeply")
	}
	left, err := p.prefix()
	for err == nil {
		prec := p.infix()
		if prec <= least {
			break
		}
		left, err = p.infixRest(left, prec)
	}
	return left, err
}

// operator returns a node of an operator or a function.
func (p *parser) operator(o op, operands ...*node) *node {
	p.operators++
	n := &node{op: o, operands: operands}
	if len(operands) > 0 {
		n.start, n.end = operands[0].start, operands[len(operands)-1].end
	}
	return n
}

// infixRest parses the rest of an operation after its left side.
func (p *parser) infixRest(left *node, prec precedence) (*node, error) {
	kind, word := p.token.kind, strings.ToUpper(p.word())
	p.advance()
	negated := kind == tokenWord && word == "NOT"
	if negated {
		if word = strings.ToUpper(p.word()); p.token.kind != tokenWord || word != "IN" && word != "BETWEEN" {
			return nil, p.unexpected()
		}
		p.advance()
	}
	var n *node
	var err error
	switch {
	case kind != tokenWord:
		n, err = p.binary(left, infixOp(kind), prec)
	case word == "OR":
		n, err = p.binary(left, opOr, prec)
	case word == "AND":
		n, err = p.binary(left, opAnd, prec)
	case word == "BETWEEN":
		n, err = p.between(left)
	case word == "IN":
		n, err = p.in(left)
	default:
		n, err = p.isType(left)
	}
	if err == nil && negated {
		n = p.operator(opNot, n)
	}
	return n, err
}

func infixOp(kind tokenKind) op {
	switch kind {
	case tokenPlus:
		return opPlus
	case tokenMinus:
		return opMinus
	default:
		return opEqual + op(kind-tokenEqual)
	}
}

func (p *parser) binary(left *node, o op, prec precedence) (*node, error) {
	right, err := p.right(prec)
	if err != nil {
		return nil, err
	}
	return p.operator(o, left, right), nil
}

// right parses the right side of an operator.
func (p *parser) right(prec precedence) (*node, error) {
	if p.token.kind == tokenEnd {
		return nil, malformed("Missing right-hand side expression of infix operator")
	}
	return p.expression(prec)
}

func (p *parser) between(left *node) (*node, error) {
	low, err := p.right(comparePrecedence)
	if err != nil {
		return nil, err
	}
	if err := p.expectWord("AND"); err != nil {
		return nil, err
	}
	high, err := p.right(comparePrecedence)
	if err != nil {
		return nil, err
	}
	return p.operator(opBetween, left, low, high), nil
}

// in parses the values of IN, in brackets or in parentheses.
func (p *parser) in(left *node) (*node, error) {
	closing := tokenClose
	switch {
	case p.accept(tokenOpen):
	case p.accept(tokenOpenList):
		closing = tokenCloseList
	case p.token.kind == tokenEnd:
		return nil, malformed("Missing right-hand side expression of infix operator")
	default:
		return nil, p.unexpected()
	}
	values, err := p.list(closing)
	if err != nil {
		return nil, err
	}
	return p.operator(opIn, append([]*node{left}, values...)...), nil
}

// typeNames maps the type names of IS to DynamoDB's types.
var typeNames = map[string][]string{
	"MISSING": nil, "NULL": {"NULL"},
	"BOOL": {"BOOL"}, "BOOLEAN": {"BOOL"},
	"STRING": {"S"}, "CHAR": {"S"}, "VARCHAR": {"S"}, "CHARACTER": {"S"}, "SYMBOL": {"S"},
	"INT": {"N"}, "INTEGER": {"N"}, "SMALLINT": {"N"}, "DECIMAL": {"N"}, "NUMERIC": {"N"}, "FLOAT": {"N"}, "REAL": {"N"}, "NUMBER": {"N"},
	"BLOB": {"B"}, "BINARY": {"B"},
	"LIST": {"L"}, "STRUCT": {"M"}, "TUPLE": {"M"}, "MAP": {"M"},
	"BAG": {"SS", "NS", "BS"},
}

// isType parses the rest of IS.
func (p *parser) isType(left *node) (*node, error) {
	negated := p.acceptWord("NOT")
	name := strings.ToUpper(p.word())
	if _, ok := typeNames[name]; !ok || p.token.kind != tokenWord {
		return nil, malformed("Expected type name")
	}
	p.advance()
	n := p.operator(opIs, left)
	n.text = name
	if negated {
		n = p.operator(opNot, n)
	}
	return n, nil
}

// prefix parses an operand: a value, a path, a function call, a condition with NOT or
// anything in parentheses.
func (p *parser) prefix() (*node, error) {
	start := p.token.start
	switch p.token.kind {
	case tokenWord:
		return p.wordPrefix()
	case tokenQuoted:
		return p.path()
	case tokenString:
		return p.leaf(opString, unquote(p.word())), nil
	case tokenNumber:
		return p.leaf(opNumber, p.word()), nil
	case tokenParameter:
		n := p.leaf(opParameter, "")
		n.index = p.tree.questions
		p.tree.questions++
		return n, nil
	case tokenPlus, tokenMinus:
		return p.signed()
	case tokenOpen:
		p.advance()
		n, err := p.expression(lowest)
		if err != nil {
			return nil, err
		}
		return n, p.expect(tokenClose)
	case tokenOpenList:
		p.advance()
		return p.container(opList, tokenCloseList, start)
	case tokenOpenSet:
		p.advance()
		return p.container(opSet, tokenCloseSet, start)
	case tokenOpenMap:
		p.advance()
		return p.mapRest(start)
	default:
		return nil, p.unexpected()
	}
}

// leaf returns a node of one token.
func (p *parser) leaf(o op, text string) *node {
	n := &node{op: o, text: text, start: p.token.start, end: p.token.end}
	p.advance()
	return n
}

// signed parses a number with a sign.
func (p *parser) signed() (*node, error) {
	sign, start := p.word(), p.token.start
	p.advance()
	if p.token.kind != tokenNumber {
		return nil, malformed("Unexpected operator")
	}
	if sign == "+" {
		sign = ""
	}
	n := p.leaf(opNumber, sign+p.word())
	n.start = start
	return n, nil
}

// wordPrefix parses an operand that starts with a word.
func (p *parser) wordPrefix() (*node, error) {
	word := p.word()
	call := lex(p.text, p.token.end).kind == tokenOpen
	switch strings.ToUpper(word) {
	case "TRUE":
		return p.leaf(opTrue, ""), nil
	case "FALSE":
		return p.leaf(opFalse, ""), nil
	case "NULL":
		return p.leaf(opNull, ""), nil
	case "MISSING":
		return p.leaf(opMissing, ""), nil
	case "NOT":
		start := p.token.start
		p.advance()
		operand, err := p.expression(notPrecedence - 1)
		if err != nil {
			return nil, err
		}
		n := p.operator(opNot, operand)
		n.start = start
		return n, nil
	}
	switch {
	case isKeyword(word):
		return nil, malformed("Unexpected keyword")
	case call:
		return p.call()
	default:
		return p.path()
	}
}

// call parses a function call. Its name is looked up later.
func (p *parser) call() (*node, error) {
	p.operators++
	n := p.leaf(opCall, p.word())
	p.advance()
	var err error
	n.operands, err = p.list(tokenClose)
	return n, err
}

// list parses expressions separated by commas, possibly none, and the closing token.
func (p *parser) list(closing tokenKind) (nodes []*node, err error) {
	if p.accept(closing) {
		return nil, nil
	}
	for {
		n, err := p.expression(lowest)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
		if !p.accept(tokenComma) {
			return nodes, p.expect(closing)
		}
	}
}

// container parses the rest of a list or set.
func (p *parser) container(o op, closing tokenKind, start int) (*node, error) {
	elements, err := p.list(closing)
	if err != nil {
		return nil, err
	}
	return &node{op: o, operands: elements, start: start, end: start + 1}, nil
}

// mapRest parses the rest of a map.
func (p *parser) mapRest(start int) (*node, error) {
	n := &node{op: opMap, start: start, end: start + 1}
	if p.accept(tokenCloseMap) {
		return n, nil
	}
	for {
		key, err := p.expression(lowest)
		if err != nil {
			return nil, err
		}
		if err := p.expect(tokenColon); err != nil {
			return nil, err
		}
		value, err := p.expression(lowest)
		if err != nil {
			return nil, err
		}
		n.operands = append(n.operands, key, value)
		if !p.accept(tokenComma) {
			return n, p.expect(tokenCloseMap)
		}
	}
}

// path parses a document path. The token is an identifier.
func (p *parser) path() (*node, error) {
	n := &node{op: opPath, start: p.token.start, end: p.token.end}
	n.path = append(n.path, step{name: p.identifier()})
	for {
		switch {
		case p.accept(tokenDot):
			if !p.isIdentifier() {
				return nil, malformed("Invalid path dot component")
			}
			n.end = p.token.end
			n.path = append(n.path, step{name: p.identifier()})
		case p.accept(tokenOpenList):
			position, err := p.position()
			if err != nil {
				return nil, err
			}
			n.end = p.token.end
			n.path = append(n.path, step{position: position, inList: true})
			if err := p.expect(tokenCloseList); err != nil {
				return nil, err
			}
		default:
			return n, nil
		}
	}
}

// position parses a position in a list.
func (p *parser) position() (int, error) {
	digits := p.word()
	if err := p.expect(tokenNumber); err != nil {
		return 0, err
	}
	position, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0, dynamo.Invalid("List index is not within the allowable range; index: [%s]", digits)
	}
	return int(position), nil
}
