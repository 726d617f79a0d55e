package wire

import (
	"cmp"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// The parameters of the API before expressions are maps from attributes to
// structures. They become lists by name; the last of repeated names
// counts.

var (
	conditionsType       = mapType(model + "Condition")
	conditionType        = elementType("Condition")
	expectedType         = mapType(model + "ExpectedAttributeValue")
	expectationType      = elementType("ExpectedAttributeValue")
	attributeUpdatesType = mapType(model + "AttributeValueUpdate")
	attributeUpdateType  = elementType("AttributeValueUpdate")
)

// conditions decodes KeyConditions, QueryFilter or ScanFilter; nil for null.
func (s *scanner) conditions() []dynamo.RawCondition {
	return readByName(s, conditionsType, func(name string) dynamo.RawCondition {
		c := dynamo.RawCondition{Name: name}
		for member, more := s.entryMember(conditionType); more; member, more = s.nextMember() {
			s.conditionMember(member, &c)
		}
		return c
	})
}

// expected decodes Expected; nil for null.
func (s *scanner) expected() []dynamo.RawExpectation {
	return readByName(s, expectedType, func(name string) dynamo.RawExpectation {
		x := dynamo.RawExpectation{RawCondition: dynamo.RawCondition{Name: name}}
		for member, more := s.entryMember(expectationType); more; member, more = s.nextMember() {
			switch string(member) {
			case "Exists":
				x.Exists = s.flag()
			case "Value":
				x.Value = s.optionalValue(&x.Fault)
			default:
				s.conditionMember(member, &x.RawCondition)
			}
		}
		return x
	})
}

// attributeUpdates decodes AttributeUpdates; nil for null.
func (s *scanner) attributeUpdates() []dynamo.RawAttributeUpdate {
	return readByName(s, attributeUpdatesType, func(name string) dynamo.RawAttributeUpdate {
		u := dynamo.RawAttributeUpdate{Name: name}
		for member, more := s.entryMember(attributeUpdateType); more; member, more = s.nextMember() {
			switch string(member) {
			case "Action":
				u.Action = s.choice()
			case "Value":
				u.Value = s.optionalValue(&u.Fault)
			default:
				s.skip()
			}
		}
		return u
	})
}

// entryMember is firstMember for a structure that may be null, which then has no
// members.
func (s *scanner) entryMember(t *javaType) (member []byte, more bool) {
	if s.null() {
		return nil, false
	}
	return s.firstMember(t)
}

// conditionMember decodes a member of a condition.
func (s *scanner) conditionMember(member []byte, c *dynamo.RawCondition) {
	switch string(member) {
	case "AttributeValueList":
		c.Values = s.valueList(&c.Fault)
	case "ComparisonOperator":
		c.Operator = s.choice()
	default:
		s.skip()
	}
}

// valueList decodes a list of values; nil for null. It sets fault to the first fault of a value,
// unless it is already set.
func (s *scanner) valueList(fault *error) []dynamo.Value {
	if s.null() {
		return nil
	}
	values := []dynamo.Value{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		values = append(values, s.legacyValue(fault))
	}
	return values
}

// optionalValue decodes a value like valueList; nil for null.
func (s *scanner) optionalValue(fault *error) dynamo.Value {
	if s.null() {
		return nil
	}
	return s.legacyValue(fault)
}

func (s *scanner) legacyValue(fault *error) dynamo.Value {
	s.fault, s.repeated = nil, false
	value := s.freeValue(1)
	if *fault == nil {
		*fault = s.fault
	}
	return value
}

// readByName decodes a map whose values are decoded by read; nil for null.
func readByName[T any](s *scanner, t *javaType, read func(name string) T) []T {
	if s.null() {
		return nil
	}
	type entry struct {
		name  string
		value T
	}
	entries := []entry{}
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		name := string(name)
		entries = append(entries, entry{name, read(name)})
	}
	s.encoder.Reset()
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	list := make([]T, 0, len(entries))
	for i, e := range entries {
		if i+1 == len(entries) || entries[i+1].name != e.name { // the last of its name
			list = append(list, e.value)
		}
	}
	return list
}
