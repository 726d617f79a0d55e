package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

const conditionalOr = "OR"

var conditionalOperators = plain("conditionalOperator", conditionalOr, "AND")

// joinedBy joins the conditions of Expected or of a filter. The default ConditionalOperator
// is AND.
func joinedBy(conditionalOperator string, terms []expression.Term) expression.Term {
	if conditionalOperator == conditionalOr {
		return joined(terms, expression.Or)
	}
	return joined(terms, expression.And)
}

// conditions checks the operators of KeyConditions, QueryFilter or ScanFilter, which
// are required.
func (v *violations) conditions(path string, conditions []dynamo.RawCondition) {
	for i := range conditions {
		comparisons.require(operatorPath(path, conditions[i].Name), conditions[i].Operator, v)
	}
}

// expected checks the operators of Expected, which are optional.
func (v *violations) expected(expected []dynamo.RawExpectation) {
	for i := range expected {
		comparisons.checkAt(operatorPath("expected", expected[i].Name), expected[i].Operator, v)
	}
}

func operatorPath(parameter, name string) string {
	return parameter + "." + name + ".member.comparisonOperator"
}

// checkNamed checks the name of an attribute, and reports the fault that a door found.
func (l layer) checkNamed(name string, fault error) error {
	if err := checkAttributeName(name); err != nil {
		return err
	}
	return l.complaint(fault)
}

// checkConditions checks the names and values of conditions with valid operators.
func (l layer) checkConditions(conditions []dynamo.RawCondition) error {
	for i := range conditions {
		if err := l.checkNamed(conditions[i].Name, conditions[i].Fault); err != nil {
			return err
		}
	}
	for i := range conditions {
		if err := comparisons.value(conditions[i].Operator).check(conditions[i].Operator, conditions[i].Values); err != nil {
			return err
		}
	}
	return nil
}

// term returns a checked condition on one attribute.
func term(c *dynamo.RawCondition) expression.Term {
	return comparisons.value(c.Operator).holds(expression.Attribute(c.Name), c.Values)
}

// filter translates QueryFilter or ScanFilter; nil when there are no conditions.
func (l layer) filter(parameter string, conditions []dynamo.RawCondition, conditionalOperator string) (*expression.Condition, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	if err := l.checkConditions(conditions); err != nil {
		return nil, err
	}
	terms := make([]expression.Term, len(conditions))
	for i := range conditions {
		terms[i] = term(&conditions[i])
	}
	return expression.NewFilter(parameter, joinedBy(conditionalOperator, terms)), nil
}

// expected translates Expected; nil when it has no conditions.
func (l layer) expected(expected []dynamo.RawExpectation, conditionalOperator string) (*expression.Condition, error) {
	if len(expected) == 0 {
		return nil, nil
	}
	for i := range expected {
		if err := l.checkNamed(expected[i].Name, expected[i].Fault); err != nil {
			return nil, err
		}
	}
	terms := make([]expression.Term, len(expected))
	for i := range expected {
		c, err := conditionOf(&expected[i])
		if err != nil {
			return nil, err
		}
		terms[i] = term(&c)
	}
	return expression.NewCondition(joinedBy(conditionalOperator, terms)), nil
}

// conditionOf returns an expectation, in either of its forms, as a checked condition.
func conditionOf(x *dynamo.RawExpectation) (dynamo.RawCondition, error) {
	c := x.RawCondition
	exists := x.Exists == nil || *x.Exists
	complaint := ""
	switch {
	case x.Value != nil && c.Values != nil:
		complaint = "Value and AttributeValueList cannot be used together"
	case x.Exists != nil && c.Operator != "":
		complaint = "Exists and ComparisonOperator cannot be used together"
	case c.Operator != "" && x.Value == nil && c.Values == nil && comparisons.value(c.Operator).least > 0:
		complaint = "Value or AttributeValueList must be used with ComparisonOperator: " + c.Operator
	case c.Operator != "":
		if x.Value != nil {
			c.Values = []dynamo.Value{x.Value}
		}
		return c, comparisons.value(c.Operator).check(c.Operator, c.Values)
	case c.Values != nil:
		complaint = "AttributeValueList can only be used with a ComparisonOperator"
	case exists && x.Value == nil && x.Exists == nil:
		complaint = "Value must be provided when Exists is null"
	case exists && x.Value == nil:
		complaint = "Value must be provided when Exists is true"
	case !exists && x.Value != nil:
		complaint = "Value cannot be used when Exists is false"
	case exists:
		c.Operator, c.Values = "EQ", []dynamo.Value{x.Value}
	default:
		c.Operator = "NULL"
	}
	if complaint != "" {
		return c, invalid(invalidParameter + complaint + " for Attribute: " + c.Name)
	}
	return c, nil
}
