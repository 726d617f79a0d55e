// Package dynamo defines the types of the engine: attribute values, items, the
// inputs and outputs of the operations, errors and limits, in the terms of
// DynamoDB itself.
//
// A [Value] and an [Item] are byte encodings, not trees. Every door (JSON over
// HTTP, the SDK's types) writes this encoding once, the store keeps it as it
// is, expressions are evaluated over it and responses are written from it. The
// encoding is canonical: two values are equal exactly when their bytes are.
//
// The package knows no table, no disk and no protocol. Every other package of the
// engine imports it; it imports only the number package.
package dynamo
