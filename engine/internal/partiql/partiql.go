// Package partiql implements DynamoDB's PartiQL: it parses the statements of
// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction and plans them as
// the equivalent operations.
//
// There are two steps, because some errors are found before the table is looked up
// and others only with its key:
//
//  1. [Parse] parses the text and the parameters and checks everything that can be
//     checked without a table: syntax, aliases, literals, parameters, functions and
//     the types of operands, in DynamoDB's order.
//  2. [Statement.Select], [Statement.Get] and [Statement.Write] bind the statement to
//     a [Table] and return checked requests: queries, a scan, a read of one item, or
//     one write. Conditions become trees of package expression.
//
// The package reads no table and writes nothing. Package table calls it, looks up tables
// in between and runs the requests.
package partiql

import (
	"sortkey.dev/engine/internal/dynamo"
)

// malformed returns the error for a text that is not a statement.
func malformed(sentence string) error {
	return dynamo.Invalid("Statement wasn't well formed, can't be processed: %s", sentence)
}

// maxDepth limits the nesting of parentheses and values. Values that are too deep for an
// item have their own message.
const maxDepth = 100
