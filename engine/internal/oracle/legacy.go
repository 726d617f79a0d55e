package oracle

import (
	"cmp"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Steps with Older set use the parameters before
// expressions. Their conditions are single comparisons of top-level attributes
// with values, or several of these joined by AND or OR, each on another attribute.

// older maps operators and functions to a ComparisonOperator. It has one that expressions do
// not have, not_contains.
var older = map[string]types.ComparisonOperator{
	"=": "EQ", "<>": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "BETWEEN": "BETWEEN", "IN": "IN",
	"attribute_exists": "NOT_NULL", "attribute_not_exists": "NULL", "begins_with": "BEGINS_WITH", "contains": "CONTAINS", "not_contains": "NOT_CONTAINS",
}

// parts returns the comparisons of a condition, by name of attribute.
func (c *Condition) parts() []Condition {
	switch {
	case c == nil:
		return nil
	case c.Op == "AND" || c.Op == "OR":
		return slices.SortedFunc(slices.Values(c.Of), func(a, b Condition) int { return cmp.Compare(a.attribute(), b.attribute()) })
	}
	return []Condition{*c}
}

func (c *Condition) attribute() string { return c.Operands[0].Path.head() }

func (c *Condition) values() (list []types.AttributeValue) {
	for _, o := range c.Operands[1:] {
		list = append(list, o.Value)
	}
	return list
}

// operator returns the ConditionalOperator, which is only allowed with several conditions.
func (c *Condition) operator() types.ConditionalOperator {
	if len(c.parts()) < 2 {
		return ""
	}
	return types.ConditionalOperator(c.Op)
}

// older returns a condition as QueryFilter or ScanFilter.
func (c *Condition) older() map[string]types.Condition {
	if c == nil {
		return nil
	}
	all := map[string]types.Condition{}
	for _, part := range c.parts() {
		all[part.attribute()] = types.Condition{ComparisonOperator: older[part.Op], AttributeValueList: part.values()}
	}
	return all
}

// expected returns a condition as Expected, in each of its forms: which one depends on
// the name of the attribute.
func (c *Condition) expected() map[string]types.ExpectedAttributeValue {
	if c == nil {
		return nil
	}
	all := map[string]types.ExpectedAttributeValue{}
	for _, part := range c.parts() {
		values := part.values()
		x := types.ExpectedAttributeValue{ComparisonOperator: older[part.Op], AttributeValueList: values}
		switch form := part.attribute()[0] % 4; {
		case part.Op == "attribute_not_exists" && form < 2:
			x = types.ExpectedAttributeValue{Exists: new(bool)}
		case part.Op == "=" && form == 0:
			x = types.ExpectedAttributeValue{Value: values[0]}
		case part.Op == "=" && form == 1:
			x = types.ExpectedAttributeValue{Value: values[0], Exists: optional(true)}
		case len(values) == 1 && form == 2:
			x = types.ExpectedAttributeValue{ComparisonOperator: older[part.Op], Value: values[0]}
		}
		all[part.attribute()] = x
	}
	return all
}

// olderComplaint returns the error for the values of a condition, empty if there is none.
func (c *Condition) olderComplaint() string {
	for _, part := range c.parts() {
		if complaint := valuesComplaint(older[part.Op], part.values()); complaint != "" {
			return complaint
		}
	}
	return ""
}

// valuesComplaint returns the error for the values of an operator.
func valuesComplaint(op types.ComparisonOperator, values []types.AttributeValue) string {
	takes := []string{"S", "N", "B"}
	switch op {
	case "EQ", "NE", "NULL", "NOT_NULL":
		takes = nil // all
	case "BEGINS_WITH":
		takes = []string{"S", "B"}
	}
	for _, v := range values {
		if kind(v) != kind(values[0]) {
			return invalid + "AttributeValues inside AttributeValueList must be of same type"
		}
	}
	for _, v := range values {
		if takes != nil && !slices.Contains(takes, kind(v)) {
			return invalid + "ComparisonOperator " + string(op) + " is not valid for " + kind(v) + " AttributeValue type"
		}
	}
	if op == "BETWEEN" {
		if c, _ := order(values[0], values[1]); c > 0 {
			return "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
		}
	}
	return ""
}

// older returns an update as AttributeUpdates.
func (u Update) older() map[string]types.AttributeValueUpdate {
	if u == nil {
		return nil
	}
	all := map[string]types.AttributeValueUpdate{}
	for _, a := range u {
		action := types.AttributeAction(a.Do)
		switch a.Do {
		case "SET":
			action = "PUT"
			if a.Path.head() < "n" { // the default
				action = ""
			}
		case "REMOVE":
			action = "DELETE"
		}
		all[a.Path.head()] = types.AttributeValueUpdate{Action: action, Value: a.To.Value}
	}
	return all
}

// olderComplaint returns the error for the values of AttributeUpdates.
func (u Update) olderComplaint() string {
	for _, a := range slices.SortedFunc(slices.Values(u), func(a, b Action) int { return cmp.Compare(a.Path.head(), b.Path.head()) }) {
		switch k := kind(a.To.Value); {
		case a.Do == "ADD" && !slices.Contains([]string{"N", "L", "SS", "NS", "BS"}, k):
			return invalid + "ADD action is not supported for the type " + k
		case a.Do == "DELETE" && !slices.Contains([]string{"SS", "NS", "BS"}, k):
			return invalid + "DELETE action with value is not supported for the type " + k
		}
	}
	return ""
}

// heads returns paths as AttributesToGet; nil without paths.
func heads(paths []Path) (names []string) {
	for _, p := range paths {
		names = append(names, p.head())
	}
	return names
}

// keyConditions returns conditions as KeyConditions.
func keyConditions(where []KeyCondition) map[string]types.Condition {
	all := map[string]types.Condition{}
	for _, c := range where {
		all[c.Name] = types.Condition{ComparisonOperator: older[c.Op], AttributeValueList: c.Values}
	}
	return all
}
