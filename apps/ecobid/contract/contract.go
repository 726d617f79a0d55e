// Package contract declares the API of EcoBid: the types of its requests and responses, and its
// operations as values, once for the server, the OpenAPI document and the Go client. Package operation
// says how to declare an operation.
//
// Amounts are in minor units. Locations are public points; only a Place is exact. The package holds no
// rules and converts nothing: package api serves the operations with the domain, package client calls
// them.
package contract

import "sortkey.dev/apps/internal/operation"

// None is the type of missing arguments and of empty responses.
type None = operation.None

// A List is a page of a list.
type List[T any] = operation.List[T]

// Tokens is a pair of tokens.
type Tokens = operation.Tokens

// Once holds the arguments of operations about one thing that act once for each idempotency key.
type Once[T any] struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body T
}
