package sdk

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/engine/internal/dynamo"
)

// ClientOptions holds the settings of [NewClient] and [NewStreamsClient].
type ClientOptions struct {
	// Region is the client's region. Nothing depends on it.
	Region string
}

// NewClient returns a client whose calls run on api and never leave the process.
//
// A call goes through the Initialize step of the SDK's stack, with the
// middleware and the interceptors the caller put there, and ends where
// it would be serialised. Nothing is signed, sent or retried, and no
// credentials, settings or files are read. Middleware of the later steps
// does not run. The client's own check for missing parameters is left out: the
// engine makes it, with the service's messages.
func NewClient(api dynamo.API, o ClientOptions) *dynamodb.Client {
	d := &door{api: api, service: dynamoDB}
	return dynamodb.New(dynamodb.Options{
		Region:            o.Region,
		APIOptions:        []func(*middleware.Stack) error{d.install},
		Retryer:           aws.NopRetryer{}, // the default one reads the environment
		HTTPClient:        noNetwork{},
		EndpointDiscovery: dynamodb.EndpointDiscoveryOptions{EnableEndpointDiscovery: aws.EndpointDiscoveryDisabled},
	})
}

// A door is the middleware that runs a call on the engine instead of passing it on.
type door struct {
	api     dynamo.API
	service *service
}

// install puts the door at the start of the step after Initialize. At the start
// of Initialize itself it would skip the middleware that callers add to the end of that
// step, such as tracing libraries.
func (d *door) install(stack *middleware.Stack) error {
	if _, ok := stack.Initialize.Get(noCheck{}.ID()); ok {
		if _, err := stack.Initialize.Swap(noCheck{}.ID(), noCheck{}); err != nil {
			return err
		}
	}
	return stack.Serialize.Add(d, middleware.Before)
}

// ID returns the name of the middleware in the stack.
func (d *door) ID() string { return "sortkey" }

// HandleSerialize runs the operation and ends the call.
func (d *door) HandleSerialize(ctx context.Context, in middleware.SerializeInput, _ middleware.SerializeHandler) (
	out middleware.SerializeOutput, metadata middleware.Metadata, err error,
) {
	out.Result, err = run(ctx, d.api, in.Parameters)
	if err != nil {
		err = d.service.sdkError(err)
	}
	return out, metadata, err
}

// run runs an operation of the client's service.
func run(ctx context.Context, api dynamo.API, in any) (any, error) {
	operation := byInput[reflect.TypeOf(in)]
	if operation == nil {
		return nil, dynamo.Refusal(middleware.GetOperationName(ctx))
	}
	return operation(ctx, api, in)
}

// noCheck replaces the client's check for missing parameters.
type noCheck struct{}

// ID returns the name of the replaced middleware, for middleware that is placed relative to it.
func (noCheck) ID() string { return "OperationInputValidation" }

// HandleInitialize calls next.
func (noCheck) HandleInitialize(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error,
) {
	return next.HandleInitialize(ctx, in)
}

// noNetwork is the client's transport. It is reached only by a call whose options removed
// the middleware.
type noNetwork struct{}

// Do always fails: nothing is sent.
func (noNetwork) Do(*http.Request) (*http.Response, error) {
	return nil, errors.New("this client runs on an engine in the process and sends nothing")
}
