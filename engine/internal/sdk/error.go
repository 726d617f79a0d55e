package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sortkey.dev/engine/internal/dynamo"
)

// requestID takes the place of the service's request id in errors. It tells the reader of a
// log that the error comes from this process.
const requestID = "IN-PROCESS"

// A service is one of the two whose clients this package serves. Each has its own error
// types, even for the same names.
type service struct {
	namespace string // of the names in types
	types     *smithy.TypeRegistry
}

var (
	dynamoDB        = &service{"com.amazonaws.dynamodb#", dynamodb.TypeRegistry}
	dynamoDBStreams = &service{"com.amazonaws.dynamodbstreams#", dynamodbstreams.TypeRegistry}
)

// Unsupported returns the error of an operation of the SDK's client that the engine
// does not support.
func Unsupported(operation string) error {
	return operationError(operation, dynamoDB.sdkError(dynamo.Refusal(operation)))
}

// sdkError converts an error of the engine to the error that the service's client returns
// inside its OperationError.
func (s *service) sdkError(err error) error {
	var e *dynamo.Error
	switch {
	case errors.As(err, &e):
		return responseError(statusOf(e.Code), s.apiError(e))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &smithy.CanceledError{Err: err}
	default:
		shown := s.apiError(dynamo.Errorf(dynamo.InternalServerError, "%v", err))
		return responseError(http.StatusInternalServerError, &engineFailure{shown: shown, cause: err})
	}
}

// apiError returns the service's error type for the code, or the SDK's generic error for
// codes without a type, such as ValidationException.
func (s *service) apiError(e *dynamo.Error) error {
	message := e.Message
	known, ok := s.types.DeserializableError(s.namespace + string(e.Code))
	if !ok {
		// The client leaves the fault of the generic error unknown, and replaces an
		// empty message with UnknownError.
		return &smithy.GenericAPIError{Code: string(e.Code), Message: cmp.Or(message, "UnknownError")}
	}
	switch known := known.(type) {
	case *types.ConditionalCheckFailedException:
		known.Message, known.Item = &message, attributes(e.Item)
	case *types.TransactionCanceledException:
		known.Message, known.CancellationReasons = &message, cancellationReasons(e.Reasons)
	default:
		if field := reflect.ValueOf(known).Elem().FieldByName("Message"); field.IsValid() {
			field.Set(reflect.ValueOf(&message))
		}
	}
	return known
}

func cancellationReasons(list []dynamo.CancellationReason) []types.CancellationReason {
	if list == nil {
		return nil
	}
	out := make([]types.CancellationReason, len(list))
	for i, reason := range list {
		code, message := reason.Code, reason.Message
		out[i] = types.CancellationReason{Code: &code, Item: attributes(reason.Item)}
		if message != "" { // an action that did not fail has none
			out[i].Message = &message
		}
	}
	return out
}

func statusOf(code dynamo.Code) int {
	switch code {
	case dynamo.InternalServerError:
		return http.StatusInternalServerError
	case dynamo.InvalidEndpoint:
		return http.StatusMisdirectedRequest
	default:
		return http.StatusBadRequest
	}
}

// responseError wraps err in an HTTP response error, for callers that check the status
// code.
func responseError(status int, err error) error {
	e := &struct { // one allocation for the four
		outer    awshttp.ResponseError
		inner    smithyhttp.ResponseError
		response smithyhttp.Response
		http     http.Response
	}{}
	e.http = http.Response{
		Status:     fmt.Sprint(status, " ", http.StatusText(status)),
		StatusCode: status,
		Header:     http.Header{},
		Body:       http.NoBody,
	}
	e.response.Response = &e.http
	e.inner = smithyhttp.ResponseError{Response: &e.response, Err: err}
	e.outer = awshttp.ResponseError{ResponseError: &e.inner, RequestID: requestID}
	return &e.outer
}

// An engineFailure is an unexpected error of the engine. To callers
// it is an InternalServerError; as they share the process with the engine, they
// can also see the cause.
type engineFailure struct {
	shown error
	cause error
}

func (e *engineFailure) Error() string { return e.shown.Error() }

// Unwrap returns both errors for errors.Is and errors.As.
func (e *engineFailure) Unwrap() []error { return []error{e.shown, e.cause} }
