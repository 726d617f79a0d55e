package expression

import "sortkey.dev/engine/internal/dynamo"

// resolvePath looks up the placeholders of a path.
func (s *Scope) resolvePath(elements path, l language) error {
	for i := range elements {
		e := &elements[i]
		if e.kind != placeholder {
			continue
		}
		name, ok := s.name(e.name)
		if !ok {
			return l.errorf("An expression attribute name used in the document path is not defined; attribute name: %s", e.name)
		}
		e.kind, e.name = attribute, name
	}
	if len(elements) > dynamo.MaxNesting {
		return l.errorf("The document path has too many nesting levels; nesting levels: %d", len(elements))
	}
	return nil
}

// resolveValue looks up the placeholder of a value.
func (s *Scope) resolveValue(e *expr, l language) error {
	v, ok := s.value(e.word)
	if !ok {
		return l.errorf("An expression attribute value used in expression is not defined; attribute value: %s", e.word)
	}
	e.value = v
	return nil
}

// resolve looks up the placeholders of a condition and checks the operands of
// its comparisons, one comparison after the other.
func (s *Scope) resolve(e *expr, l language) error {
	switch e.op {
	case opPath:
		return s.resolvePath(e.path, l)
	case opValue:
		return s.resolveValue(e, l)
	}
	for o := e.operands; o != nil; o = o.next {
		if err := s.resolve(o, l); err != nil {
			return err
		}
	}
	return checkOperands(e, l)
}
