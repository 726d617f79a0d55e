package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// usualKeyAttributes is the maximum number of attributes of a key, except for
// global indexes with several partition or sort attributes.
const usualKeyAttributes = 2

// keyConditions translates KeyConditions that were sent. Too many conditions for the key
// of an index are reported once the index is known.
func (l layer) keyConditions(conditions []dynamo.RawCondition, ofIndex bool) (*expression.KeyCondition, error) {
	if err := l.checkConditions(conditions); err != nil {
		return nil, err
	}
	if n := len(conditions); n == 0 || n > usualKeyAttributes && !ofIndex {
		return nil, errKeyConditions()
	}
	clauses := make([]expression.KeyClause, len(conditions))
	for i := range conditions {
		c := &conditions[i]
		clause := comparisons.value(c.Operator).clause
		if clause == nil {
			return nil, invalid("Attempted conditional constraint is not an indexable operation")
		}
		clauses[i] = clause(c.Name, c.Values)
	}
	return expression.NewKeyCondition(clauses...).Excess(excessKeyConditions), nil
}

func errKeyConditions() error { return invalid("Conditions can be of length 1 or 2 only") }

// excessKeyConditions returns the error for more conditions than the key has attributes.
func excessKeyConditions(conditions, keys int) error {
	switch {
	case keys > usualKeyAttributes:
		return expression.ExcessClauses(conditions, keys)
	case conditions > usualKeyAttributes:
		return errKeyConditions()
	default: // one of them is on an attribute that is not a key
		return invalid("Query key condition not supported")
	}
}
