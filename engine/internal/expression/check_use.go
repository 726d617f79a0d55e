package expression

// A place is the position of an expr, which decides which functions it may call.
type place int

const (
	asCondition  place = iota // a whole condition
	asOperand                 // of a comparison or a function of a condition
	asSetValue                // the whole right side of SET
	asSetOperand              // a part of it
)

// checkUse checks, from left to right, that all functions exist and are allowed in their
// place, and that no name is reserved.
func (p *parser) checkUse(e *expr, where place) error {
	if e.op == opCall {
		if err := p.checkFunction(e, where); err != nil {
			return err
		}
	}
	if e.op == opPath {
		return p.checkPath(e.path)
	}
	inner := where
	switch {
	case where == asSetValue:
		inner = asSetOperand
	case where == asCondition && e.op != opOr && e.op != opAnd && e.op != opNot:
		inner = asOperand
	}
	for o := e.operands; o != nil; o = o.next {
		if err := p.checkUse(o, inner); err != nil {
			return err
		}
	}
	return nil
}

// checkFunction looks up the function e calls.
func (p *parser) checkFunction(e *expr, where place) error {
	o, ok := functionNamed(e.word)
	inUpdate := where >= asSetValue
	switch {
	case !ok:
		return p.language.errorf("Invalid function name; function: %s", e.word)
	case inUpdate && !o.isUpdateFunction():
		return p.language.errorf("The function is not allowed in an update expression; function: %s", e.word)
	case !inUpdate && o.isUpdateFunction():
		return p.language.errorf("The function is not allowed in a condition expression; function: %s", e.word)
	case where == asCondition && o == opSize, where == asOperand && o != opSize, where == asSetOperand && o == opListAppend:
		return p.language.errorf("The function is not allowed to be used this way in an expression; function: %s", e.word)
	}
	e.op = o
	return nil
}

// checkPath checks the literal parts of a path: positions and names.
func (p *parser) checkPath(elements path) error {
	for _, e := range elements {
		switch {
		case e.kind == position && e.index < 0:
			return p.language.errorf("List index is not within the allowable range; index: [%s]", e.name)
		case e.kind == attribute && isReserved(e.name):
			return p.language.errorf("Attribute name is a reserved keyword; reserved keyword: %s", e.name)
		}
	}
	return nil
}
