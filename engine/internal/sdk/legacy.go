package sdk

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

// conditions writes KeyConditions, QueryFilter or ScanFilter. A nil map was not sent.
func (e *encoder) conditions(m map[string]types.Condition) []dynamo.RawCondition {
	return byName(m, func(name string, c types.Condition) dynamo.RawCondition {
		return e.condition(name, c.ComparisonOperator, c.AttributeValueList)
	})
}

// expected writes Expected. A nil map was not sent.
func (e *encoder) expected(m map[string]types.ExpectedAttributeValue) []dynamo.RawExpectation {
	return byName(m, func(name string, x types.ExpectedAttributeValue) dynamo.RawExpectation {
		raw := dynamo.RawExpectation{RawCondition: e.condition(name, x.ComparisonOperator, x.AttributeValueList), Exists: x.Exists}
		raw.Value = e.optionalValue(x.Value, &raw.Fault)
		return raw
	})
}

// attributeUpdates writes AttributeUpdates. A nil map was not sent.
func (e *encoder) attributeUpdates(m map[string]types.AttributeValueUpdate) []dynamo.RawAttributeUpdate {
	return byName(m, func(name string, u types.AttributeValueUpdate) dynamo.RawAttributeUpdate {
		raw := dynamo.RawAttributeUpdate{Name: name, Action: string(u.Action)}
		raw.Value = e.optionalValue(u.Value, &raw.Fault)
		return raw
	})
}

func (e *encoder) condition(name string, operator types.ComparisonOperator, list []types.AttributeValue) dynamo.RawCondition {
	raw := dynamo.RawCondition{Name: name, Operator: string(operator)}
	if list != nil {
		raw.Values = make([]dynamo.Value, len(list))
	}
	for i, v := range list {
		raw.Values[i] = e.freeValue(v, &raw.Fault)
	}
	return raw
}

// optionalValue writes a value. A nil value was not sent.
func (e *encoder) optionalValue(v types.AttributeValue, fault *error) dynamo.Value {
	if v == nil {
		return nil
	}
	return e.freeValue(v, fault)
}

// freeValue writes a value that is not part of an item. It sets fault, unless it is already
// set.
func (e *encoder) freeValue(v types.AttributeValue, fault *error) dynamo.Value {
	e.out.Reset()
	e.value(v, 1)
	if found := e.takeFault(); *fault == nil {
		*fault = found
	}
	return e.out.Value(0)
}

// byName lists the entries of a map by ascending name.
func byName[V, T any](m map[string]V, write func(string, V) T) []T {
	if m == nil {
		return nil
	}
	list := make([]T, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, write(validText(name), m[name]))
	}
	return list
}
