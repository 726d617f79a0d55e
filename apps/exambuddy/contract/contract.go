// Package contract declares the API of ExamBuddy: the types of its requests and responses, and its
// operations as values, once for the server, the OpenAPI document and the Go client. Package operation
// says how to declare an operation.
//
// The types of an open question have no field for a key: only the response to the final answer of a
// practice question, reviews and what admins read hold one. The package holds no rules and converts
// nothing: package api serves the operations with the domain, package client calls them.
package contract

import "sortkey.dev/apps/internal/operation"

// None is the type of missing arguments and of empty responses.
type None = operation.None

// A List is a page of a list.
type List[T any] = operation.List[T]
