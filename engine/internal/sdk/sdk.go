// Package sdk is the in-process door for Go code that uses the AWS SDK: the engine's
// operations in the types of aws-sdk-go-v2. Each operation
// is a function that takes the SDK's input, converts it to the engine's
// types, runs it on a [dynamo.API] and returns the SDK's output or the
// SDK's own error types, as a client on the network would see them. [NewClient]
// puts these functions under a real *dynamodb.Client. The operations on streams
// belong to service/dynamodbstreams, and are available through the client of
// [NewStreamsClient] only.
//
// The package validates nothing: it passes on the faults of an input, and the request check
// reports them. It knows no table, no HTTP and no JSON.
// Only package engine calls it.
package sdk
