package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A comparison is a ComparisonOperator of the API before expressions. Some of them
// differ from the operator or function of the same name in an expression.
type comparison struct {
	least, most int // the number of values it takes; most may be anyNumber
	takes       func(dynamo.Kind) bool

	// holds returns the condition on an attribute, given checked values.
	holds func(attribute expression.Path, values []dynamo.Value) expression.Term

	// clause returns the condition on a key attribute; nil if a key cannot have one.
	clause func(name string, values []dynamo.Value) expression.KeyClause
}

const anyNumber = -1

// comparisons lists the operators in the order of DynamoDB's messages.
var comparisons = &enumeration[*comparison]{
	"comparisonOperator",
	[]string{
		"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT",
		"NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS",
	},
	[]*comparison{
		{least: 1, most: anyNumber, takes: dynamo.Kind.IsScalarKey, holds: isIn},
		{holds: func(a expression.Path, _ []dynamo.Value) expression.Term { return expression.AttributeNotExists(a) }},
		{least: 2, most: 2, takes: dynamo.Kind.IsScalarKey, holds: isBetween, clause: within(expression.Between)},
		ordered(expression.IsLess, expression.Less),
		{least: 1, most: 1, takes: dynamo.Kind.IsScalarKey, holds: containsNot},
		{least: 1, most: 1, takes: anyKind, holds: compare(expression.IsEqual), clause: equals},
		ordered(expression.IsGreater, expression.Greater),
		{holds: func(a expression.Path, _ []dynamo.Value) expression.Term { return expression.AttributeExists(a) }},
		{least: 1, most: 1, takes: anyKind, holds: compare(expression.IsNotEqual)},
		ordered(expression.IsLessOrEqual, expression.LessOrEqual),
		{least: 1, most: 1, takes: isText, holds: beginsWith, clause: within(expression.BeginsWith)},
		ordered(expression.IsGreaterOrEqual, expression.GreaterOrEqual),
		{least: 1, most: 1, takes: dynamo.Kind.IsScalarKey, holds: contains},
	},
}

func anyKind(dynamo.Kind) bool { return true }

func isText(k dynamo.Kind) bool { return k == dynamo.KindString || k == dynamo.KindBinary }

// ordered returns LT, LE, GT or GE.
func ordered(c expression.Comparison, o expression.KeyOp) *comparison {
	return &comparison{least: 1, most: 1, takes: dynamo.Kind.IsScalarKey, holds: compare(c), clause: within(o)}
}

func compare(c expression.Comparison) func(expression.Path, []dynamo.Value) expression.Term {
	return func(a expression.Path, values []dynamo.Value) expression.Term {
		return expression.Compare(c, a.Term(), expression.Constant(values[0]))
	}
}

func isIn(a expression.Path, values []dynamo.Value) expression.Term {
	terms := make([]expression.Term, len(values))
	for i, v := range values {
		terms[i] = expression.Constant(v)
	}
	return expression.IsIn(a.Term(), terms...)
}

func isBetween(a expression.Path, values []dynamo.Value) expression.Term {
	return expression.IsBetween(a.Term(), expression.Constant(values[0]), expression.Constant(values[1]))
}

func beginsWith(a expression.Path, values []dynamo.Value) expression.Term {
	return expression.HasPrefix(a.Term(), expression.Constant(values[0]))
}

func contains(a expression.Path, values []dynamo.Value) expression.Term {
	return expression.Contains(a.Term(), expression.Constant(values[0]))
}

// containers lists the types for which NOT_CONTAINS can be true.
var containers = func() (types []expression.Term) {
	for _, k := range []dynamo.Kind{
		dynamo.KindString, dynamo.KindBinary, dynamo.KindList,
		dynamo.KindStringSet, dynamo.KindNumberSet, dynamo.KindBinarySet,
	} {
		var e dynamo.Encoder
		e.String(k.String())
		types = append(types, expression.Constant(e.Value(0)))
	}
	return types
}()

// containsNot returns NOT_CONTAINS. Unlike NOT contains(...) it is false where the attribute
// is missing or has a type that cannot contain anything.
func containsNot(a expression.Path, values []dynamo.Value) expression.Term {
	could := make([]expression.Term, len(containers))
	for i, c := range containers {
		could[i] = expression.AttributeType(a.Term(), c)
	}
	return expression.And(joined(could, expression.Or), expression.Not(contains(a, values)))
}

func equals(name string, values []dynamo.Value) expression.KeyClause {
	return expression.KeyEqual(name, values[0])
}

func within(o expression.KeyOp) func(string, []dynamo.Value) expression.KeyClause {
	return func(name string, values []dynamo.Value) expression.KeyClause {
		if o == expression.Between {
			return expression.KeyWithin(name, o, values[0], values[1])
		}
		return expression.KeyWithin(name, o, values[0], nil)
	}
}

// joined joins one or more terms in a balanced tree.
func joined(terms []expression.Term, join func(a, b expression.Term) expression.Term) expression.Term {
	if len(terms) == 1 {
		return terms[0]
	}
	half := len(terms) / 2
	return join(joined(terms[:half], join), joined(terms[half:], join))
}

// check checks the values of a comparison: their number, that they have the same
// type, and that the operator takes this type.
func (c *comparison) check(operator string, values []dynamo.Value) error {
	if len(values) < c.least || c.most != anyNumber && len(values) > c.most {
		return invalid(invalidParameter + "Invalid number of argument(s) for the " + operator + " ComparisonOperator")
	}
	for i, v := range values {
		if v.Kind().String() != values[0].Kind().String() {
			return invalid(invalidParameter + "AttributeValues inside AttributeValueList must be of same type")
		}
		if i == len(values)-1 && !c.takes(v.Kind()) {
			return invalid(invalidParameter + "ComparisonOperator " + operator + " is not valid for " + v.Kind().String() + " AttributeValue type")
		}
	}
	if c.least == 2 && expression.CompareScalars(values[0], values[1]) > 0 {
		return invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
	}
	return nil
}
