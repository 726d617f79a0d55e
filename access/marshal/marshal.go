// Package marshal turns the values of Go programs into the values and keys that DynamoDB
// stores, and back.
//
// Generated code calls this package; programs call package access and their generated
// package. An [Encoder] makes the values of an item, a [KeyText] its keys, and a [Decoder]
// reads a stored item. The functions named after a type, such as [S] and [N], make single
// values of requests. The errors come from package access.
package marshal
