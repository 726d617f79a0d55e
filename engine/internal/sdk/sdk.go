// Package sdk is the in-process door for Go code that uses the AWS SDK: the engine's
// operations in the types of aws-sdk-go-v2. Each operation of service/dynamodb
// has a function that takes the SDK's input, converts it to the engine's
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

// answer runs an operation unless its context has ended. A nil input counts as an empty
// input, as for the SDK's client.
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
