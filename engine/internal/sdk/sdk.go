// Package sdk is the in-process door for Go code on the AWS SDK: the engine's
// operations in the types of aws-sdk-go-v2. Each operation of service/dynamodb
// has a function that takes the SDK's input, writes it in the engine's
// vocabulary, runs it on a [dynamo.API] and answers with the SDK's output or the
// SDK's own error types, as a client on the network would see them. [NewClient]
// puts these functions under a real *dynamodb.Client. The operations on streams
// are those of service/dynamodbstreams, and are reached by the client of
// [NewStreamsClient] alone.
//
// The package judges nothing: what is wrong with an input is noted and passed
// on, and the request check words it. It knows no table, no HTTP and no JSON.
// Package engine is its only caller.
package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"sortkey.dev/engine/internal/dynamo"
)

// An operation runs one operation and returns the engine's own errors.
type operation[In, Out any] func(context.Context, dynamo.API, *In) (*Out, error)

// call runs an operation for a caller outside the SDK's stack, which would
// otherwise name the operation in the error.
func call[In, Out any](ctx context.Context, api dynamo.API, name string, in *In, run operation[In, Out]) (*Out, error) {
	out, err := answer(ctx, api, in, run)
	if err != nil {
		return nil, operationError(name, dynamoDB.sdkError(err))
	}
	return out, nil
}

// answer runs an operation unless its context has ended. A nil input is an input
// with nothing set, as it is for the SDK's client.
func answer[In, Out any](ctx context.Context, api dynamo.API, in *In, run operation[In, Out]) (*Out, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if in == nil {
		in = new(In)
	}
	return run(ctx, api, in)
}

func operationError(name string, err error) error {
	return &smithy.OperationError{ServiceID: dynamodb.ServiceID, OperationName: name, Err: err}
}
