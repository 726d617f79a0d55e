package expression

// condition parses and checks a condition, filter or key condition.
func (s *Scope) condition(text string, l language) (*expr, error) {
	p, err := newParser(text, l)
	if err != nil {
		return nil, err
	}
	root, err := p.disjunction(false)
	if err == nil {
		err = p.finish()
	}
	if err == nil {
		err = p.checkUse(root, asCondition)
	}
	if err == nil {
		err = s.resolve(root, l)
	}
	return root, err
}

// disjunction parses conditions separated by OR. Directly inside
// parentheses it may also find just an operand: only the token after the
// parentheses distinguishes (a) = :v from (a = :v).
func (p *parser) disjunction(inParens bool) (*expr, error) {
	left, err := p.conjunction(inParens)
	for err == nil && p.accept(tokenOr) {
		if left.next, err = p.conjunction(false); err == nil {
			left = p.newExpr(opOr, left)
		}
	}
	return left, err
}

func (p *parser) conjunction(inParens bool) (*expr, error) {
	left, err := p.negation(inParens)
	for err == nil && p.accept(tokenAnd) {
		if left.next, err = p.negation(false); err == nil {
			left = p.newExpr(opAnd, left)
		}
	}
	return left, err
}

func (p *parser) negation(inParens bool) (*expr, error) {
	if !p.accept(tokenNot) {
		return p.comparison(inParens)
	}
	operand, err := p.negation(false)
	if err != nil {
		return nil, err
	}
	return p.newExpr(opNot, operand), nil
}

// comparison parses a comparison, a function call or a condition in parentheses.
func (p *parser) comparison(inParens bool) (*expr, error) {
	left, err := p.leftOperand()
	if err != nil {
		return nil, err
	}
	if !left.canCompare() {
		return left, nil
	}
	switch kind := p.token.kind; {
	case kind >= tokenEqual && kind <= tokenGreaterOrEqual:
		p.advance()
		left.next, err = p.operand()
		return p.newExpr(opEqual+op(kind-tokenEqual), left), err
	case kind == tokenBetween:
		p.advance()
		return p.between(left)
	case kind == tokenIn:
		p.advance()
		if err := p.expect(tokenOpen); err != nil {
			return nil, err
		}
		left.next, err = p.operandList()
		return p.newExpr(opIn, left), err
	case left.op == opCall || inParens && kind == tokenClose:
		return left, nil
	default:
		return nil, p.syntaxError()
	}
}

// leftOperand parses the start of a comparison, which may turn out to be a whole
// condition in parentheses.
func (p *parser) leftOperand() (*expr, error) {
	if p.token.kind != tokenOpen {
		return p.bareOperand()
	}
	p.advance()
	e, err := p.disjunction(true)
	if err != nil {
		return nil, err
	}
	return p.closeParens(e)
}

func (p *parser) between(value *expr) (*expr, error) {
	low, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tokenAnd); err != nil {
		return nil, err
	}
	high, err := p.operand()
	if err != nil {
		return nil, err
	}
	value.next, low.next = low, high
	return p.newExpr(opBetween, value), nil
}
