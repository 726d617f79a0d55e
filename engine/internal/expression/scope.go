package expression

import (
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// A Scope holds the placeholders that all expressions of one request share and
// records which of them are used. It is not safe for concurrent use.
type Scope struct {
	names  map[string]string
	values map[string]dynamo.Value
	used   map[string]struct{} // of both kinds: a name starts with #, a value with :
}

// NewScope returns the scope of one request. A nil map means that the request
// did not send it. The maps are kept, not copied.
func NewScope(names map[string]string, values map[string]dynamo.Value) *Scope {
	return &Scope{names: names, values: values}
}

// ParseCondition parses a ConditionExpression. Its errors, like those of the
// other Parse methods, are *dynamo.Error.
func (s *Scope) ParseCondition(text string) (*Condition, error) {
	return s.parseCondition(text, conditionLanguage)
}

// ParseFilter parses a FilterExpression.
func (s *Scope) ParseFilter(text string) (*Condition, error) {
	return s.parseCondition(text, filterLanguage)
}

func (s *Scope) parseCondition(text string, l language) (*Condition, error) {
	root, err := s.condition(text, l)
	if err != nil {
		return nil, err
	}
	return &Condition{root: root}, nil
}

// CheckUnused reports the placeholders that no expression has used, names before
// values. It is called after all expressions of the request were parsed.
func (s *Scope) CheckUnused() error {
	if len(s.used) == len(s.names)+len(s.values) {
		return nil
	}
	if keys := unused(s.names, s.used); len(keys) > 0 {
		return dynamo.Invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {%s}", strings.Join(keys, ", "))
	}
	if keys := unused(s.values, s.used); len(keys) > 0 {
		return dynamo.Invalid("Value provided in ExpressionAttributeValues unused in expressions: keys: {%s}", strings.Join(keys, ", "))
	}
	return nil
}

// unused lists the unused placeholders, sorted. DynamoDB lists
// them in the order of a hash table, which clients cannot rely on.
func unused[V any](sent map[string]V, used map[string]struct{}) (keys []string) {
	for key := range sent {
		if _, ok := used[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (s *Scope) use(placeholder string) {
	if s.used == nil {
		s.used = make(map[string]struct{}, len(s.names)+len(s.values))
	}
	s.used[placeholder] = struct{}{}
}

// name returns the attribute of a #placeholder.
func (s *Scope) name(placeholder string) (name string, ok bool) {
	if name, ok = s.names[placeholder]; ok {
		s.use(placeholder)
	}
	return name, ok
}

// value returns the value of a :placeholder.
func (s *Scope) value(placeholder string) (v dynamo.Value, ok bool) {
	if v, ok = s.values[placeholder]; ok {
		s.use(placeholder)
	}
	return v, ok
}
