package expression

import "sortkey.dev/engine/internal/dynamo"

// checkUse checks functions and reserved words in the order of the text.
func (u *Update) checkUse(p *parser) error {
	for _, a := range u.actions {
		if err := p.checkPath(a.path); err != nil {
			return err
		}
		if a.value == nil {
			continue
		}
		if err := p.checkUse(a.value, asSetValue); err != nil {
			return err
		}
	}
	return nil
}

// resolve looks up all placeholders. A name that is not defined is reported
// before any value that is not.
func (u *Update) resolve(s *Scope) error {
	var undefined error
	for _, a := range u.actions {
		if err := s.resolvePath(a.path, updateLanguage); err != nil {
			return err
		}
		if a.value == nil {
			continue
		}
		if err := s.resolveOperand(a.value, &undefined); err != nil {
			return err
		}
	}
	return undefined
}

// resolveOperand looks up the placeholders below e. It records the first undefined value
// and continues.
func (s *Scope) resolveOperand(e *expr, undefined *error) error {
	switch e.op {
	case opPath:
		return s.resolvePath(e.path, updateLanguage)
	case opValue:
		if err := s.resolveValue(e, updateLanguage); err != nil && *undefined == nil {
			*undefined = err
		}
		return nil
	}
	for o := e.operands; o != nil; o = o.next {
		if err := s.resolveOperand(o, undefined); err != nil {
			return err
		}
	}
	return nil
}

// checkOperands checks that the paths of the actions do not overlap, then the values of ADD
// and DELETE, then the right sides of SET.
func (u *Update) checkOperands() error {
	paths := make([]path, len(u.actions))
	for i, a := range u.actions {
		paths[i] = a.path
	}
	var err error
	if u.tree, err = newPathTree(paths, updateLanguage); err != nil {
		return err
	}
	for _, a := range u.actions {
		if err := a.checkChange(); err != nil {
			return err
		}
	}
	for _, a := range u.actions {
		if a.kind != actionSet {
			continue
		}
		if err := checkSetValue(a.value, updateLanguage); err != nil {
			return err
		}
	}
	return nil
}

// kindWords maps kinds to their names in the message about ADD and DELETE.
var kindWords = map[dynamo.Kind]string{
	dynamo.KindString: "STRING", dynamo.KindNumber: "NUMBER", dynamo.KindBinary: "BINARY", dynamo.KindNull: "NULL",
	dynamo.KindTrue: "BOOL", dynamo.KindFalse: "BOOL", dynamo.KindList: "LIST", dynamo.KindMap: "MAP",
}

// checkChange checks the value of ADD, a number or a set, or DELETE, a set.
// DynamoDB names the values allowed for ADD in both cases.
func (a *action) checkChange() error {
	if a.kind != actionAdd && a.kind != actionDelete {
		return nil
	}
	k := a.value.value.Kind()
	if k.IsSet() || k == dynamo.KindNumber && a.kind == actionAdd {
		return nil
	}
	return updateLanguage.errorf("Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: ALLOWED_FOR_ADD_OPERAND",
		actionNames[a.kind], kindWords[k])
}

// checkSetValue checks the operands on the right side of SET.
func checkSetValue(e *expr, l language) error {
	for o := e.operands; o != nil; o = o.next {
		if err := checkSetValue(o, l); err != nil {
			return err
		}
	}
	if e.op.isFunction() {
		if err := checkCount(e, l); err != nil {
			return err
		}
	}
	switch e.op {
	case opIfNotExists:
		return checkIsPath(e, l)
	case opListAppend:
		return checkTypes(e, l, func(t string) bool { return t == "L" })
	case opPlus, opMinus:
		return checkTypes(e, l, func(t string) bool { return t == "N" })
	default:
		return nil
	}
}
