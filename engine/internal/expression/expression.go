// Package expression implements the six expression languages of DynamoDB: condition,
// filter, key condition, search condition, projection and update. It parses their text, checks
// everything that can be checked without a table, and evaluates the result over
// encoded items.
//
// A [Scope] holds the placeholders of one request and parses its expressions.
// Parsed expressions are immutable and safe for concurrent use; evaluating one decodes
// nothing and, for conditions, allocates nothing.
//
// An expression is checked in the order of DynamoDB, so that the same one of several
// errors is reported:
//
//  1. size and emptiness
//  2. syntax and redundant parentheses, from the left to the right
//  3. the number of operators
//  4. function names, the places of functions, and reserved words, from the
//     left to the right
//  5. placeholders, numbers of operands and types of constants: in conditions
//     comparison by comparison, in updates and projections class by class
//
// The package knows no table: it reports the attributes of an expression (see
// TopLevelNames and Bind), and callers know which of them are keys. Package request parses
// with it, package table evaluates.
package expression

import "sortkey.dev/engine/internal/dynamo"

// A language is one of the six expression languages.
type language int

const (
	conditionLanguage language = iota
	filterLanguage
	keyConditionLanguage
	searchConditionLanguage
	projectionLanguage
	updateLanguage
	statementLanguage // the parts that PartiQL shares with the others
)

var languageNames = [...]string{
	conditionLanguage:       "ConditionExpression",
	filterLanguage:          "FilterExpression",
	keyConditionLanguage:    "KeyConditionExpression",
	searchConditionLanguage: "SearchConditionExpression",
	projectionLanguage:      "ProjectionExpression",
	updateLanguage:          "UpdateExpression",
}

// errorf returns the error for a mistake in an expression of this language.
func (l language) errorf(format string, args ...any) error {
	if l == statementLanguage {
		return dynamo.Invalid(format, args...)
	}
	return dynamo.Invalid("Invalid "+languageNames[l]+": "+format, args...)
}
