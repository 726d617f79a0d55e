package expression

// An Update is a parsed update expression.
type Update struct {
	actions []action
	tree    pathTree // of the paths of the actions
}

// An actionKind is a section of an update expression.
type actionKind int

const (
	actionSet actionKind = iota
	actionRemove
	actionAdd
	actionDelete
)

var actionNames = [...]string{actionSet: "SET", actionRemove: "REMOVE", actionAdd: "ADD", actionDelete: "DELETE"}

// An action changes the value at one path of an item.
type action struct {
	kind  actionKind
	path  path
	value *expr // nil for REMOVE; for ADD and DELETE a value

	// mismatch is the message of ADD and DELETE for an old value of another kind than
	// theirs; empty: the message of update expressions.
	mismatch string
}

// ParseUpdate parses an UpdateExpression.
func (s *Scope) ParseUpdate(text string) (*Update, error) {
	p, err := newParser(text, updateLanguage)
	if err != nil {
		return nil, err
	}
	u := &Update{}
	repeated, err := p.sections(u)
	if err == nil {
		err = p.finish()
	}
	if err == nil {
		err = u.checkUse(p)
	}
	if err == nil && repeated != "" {
		err = p.language.errorf(`The "%s" section can only be used once in an update expression;`, repeated)
	}
	if err == nil {
		err = u.resolve(s)
	}
	if err == nil {
		err = u.checkOperands()
	}
	if err != nil {
		return nil, err
	}
	return u, nil
}

// sections parses the whole expression. It returns the name of the first
// section that is repeated.
func (p *parser) sections(u *Update) (repeated string, err error) {
	seen := [len(actionNames)]bool{}
	for first := true; first || p.token.kind != tokenEnd; first = false {
		if p.token.kind < tokenSet {
			return "", p.syntaxError()
		}
		kind := actionKind(p.token.kind - tokenSet)
		if seen[kind] && repeated == "" {
			repeated = actionNames[kind]
		}
		seen[kind] = true
		p.advance()
		if err := p.section(kind, u); err != nil {
			return "", err
		}
	}
	return repeated, nil
}

// section parses the actions of one section.
func (p *parser) section(kind actionKind, u *Update) error {
	for {
		a := action{kind: kind}
		var err error
		if a.path, err = p.path(); err != nil {
			return err
		}
		switch kind {
		case actionSet:
			if err := p.expect(tokenEqual); err != nil {
				return err
			}
			a.value, err = p.setValue()
		case actionAdd, actionDelete:
			if p.token.kind != tokenValue {
				return p.syntaxError()
			}
			a.value, err = p.bareOperand()
		}
		if err != nil {
			return err
		}
		u.actions = append(u.actions, a)
		if !p.accept(tokenComma) {
			return nil
		}
	}
}

// setValue parses the right side of SET: an operand, or two with + or - between
// them, optionally in parentheses.
func (p *parser) setValue() (*expr, error) {
	left, err := p.setOperand()
	if err != nil || left.op == opPlus || left.op == opMinus {
		return left, err
	}
	o := opPlus
	switch p.token.kind {
	case tokenPlus:
	case tokenMinus:
		o = opMinus
	default:
		return left, nil
	}
	p.advance()
	if left.next, err = p.operand(); err != nil {
		return nil, err
	}
	return p.newExpr(o, left), nil
}

// setOperand parses the first operand of a right side. In parentheses it may be
// the whole right side.
func (p *parser) setOperand() (*expr, error) {
	if p.token.kind != tokenOpen {
		return p.bareOperand()
	}
	p.advance()
	e, err := p.setValue()
	if err != nil {
		return nil, err
	}
	return p.closeParens(e)
}

// TopLevelNames lists the attributes the update changes, in the order of the text.
func (u *Update) TopLevelNames() []string { return heads(u.targets, everyPath) }

// NestedNames lists the attributes the update changes or reads a part of.
func (u *Update) NestedNames() []string {
	return heads(func(yield func(path)) {
		for _, a := range u.actions {
			yield(a.path)
			if a.value != nil {
				a.value.paths(yield)
			}
		}
	}, nestedPath)
}

// Copies reports whether the update sets an attribute to a value of an item, so
// that its kind is not known from the expression alone.
func (u *Update) Copies(name string) bool {
	for _, a := range u.actions {
		if a.kind == actionSet && len(a.path) == 1 && a.path[0].name == name {
			return a.value.op == opPath || a.value.op == opIfNotExists
		}
	}
	return false
}

// OnlyRemoves reports whether all actions remove something: REMOVE an attribute,
// or DELETE members of a set. Such an update does nothing if there is no item.
func (u *Update) OnlyRemoves() bool {
	if u == nil || len(u.actions) == 0 {
		return false
	}
	for _, a := range u.actions {
		if a.kind != actionRemove && a.kind != actionDelete {
			return false
		}
	}
	return true
}

// targets calls yield for the paths of the actions.
func (u *Update) targets(yield func(path)) {
	for _, a := range u.actions {
		yield(a.path)
	}
}
