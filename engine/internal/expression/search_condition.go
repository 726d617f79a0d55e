package expression

import "sortkey.dev/engine/internal/dynamo"

// A SearchCondition is a parsed search condition expression: values that
// attributes of a vector index must have.
type SearchCondition struct{ clauses []SearchClause }

// A SearchClause requires one value of an attribute.
type SearchClause struct {
	Name  string
	Value dynamo.Value
}

// Clauses lists the clauses of the condition, in the order of the text.
func (c *SearchCondition) Clauses() []SearchClause { return c.clauses }

// ParseSearchCondition parses a SearchConditionExpression. It is like other conditions, but
// may only test for equality and only use AND.
func (s *Scope) ParseSearchCondition(text string) (*SearchCondition, error) {
	root, err := s.condition(text, searchConditionLanguage)
	if err != nil {
		return nil, err
	}
	c := &SearchCondition{}
	if err := c.add(root); err != nil {
		return nil, err
	}
	return c, nil
}

// add adds the conditions below e.
func (c *SearchCondition) add(e *expr) error {
	const l = searchConditionLanguage
	switch e.op {
	case opAnd:
		if err := c.add(e.operands); err != nil {
			return err
		}
		return c.add(e.second())
	case opEqual:
	default:
		return l.errorf("Invalid comparator used in SearchConditionExpression")
	}
	name, value := e.operands, e.second()
	if name.op != opPath {
		name, value = value, name
	}
	if name.op != opPath || value.op != opValue {
		return l.errorf("A condition must compare an attribute with a value")
	}
	if len(name.path) > 1 {
		return l.errorf("A condition cannot be on a nested attribute; document path: %s", name.path)
	}
	for _, other := range c.clauses {
		if other.Name == name.path[0].name {
			return l.errorf("There can only be one condition on an attribute; attribute: %s", other.Name)
		}
	}
	c.clauses = append(c.clauses, SearchClause{Name: name.path[0].name, Value: value.value})
	return nil
}
