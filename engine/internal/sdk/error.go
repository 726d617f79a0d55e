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

// requestID stands in the errors where the service puts the id of the request.
// There is no request; it tells a reader of a log where the error comes from.
const requestID = "IN-PROCESS"

// A service is one of the two whose clients this package serves. Each has error
// types of its own, also where their names are the same.
type service struct {
	namespace string // of the names in types
	types     *smithy.TypeRegistry
}

var (
	dynamoDB        = &service{"com.amazonaws.dynamodb#", dynamodb.TypeRegistry}
	dynamoDBStreams = &service{"com.amazonaws.dynamodbstreams#", dynamodbstreams.TypeRegistry}
)

// Unsupported is the error of an operation of the SDK's client that the engine
// does not have.
func Unsupported(operation string) error {
	return operationError(operation, dynamoDB.sdkError(dynamo.Refusal(operation)))
}

// sdkError turns an error of the engine into what the service's client returns
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

// apiError makes the service's type for the code, or the SDK's generic error for
// the codes that have none, of which ValidationException is the usual one.
func (s *service) apiError(e *dynamo.Error) error {
	message := e.Message
	known, ok := s.types.DeserializableError(s.namespace + string(e.Code))
	if !ok {
		// The client leaves the fault of the generic error unknown, and calls an
		// empty message so.
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

// responseError wraps err as an answer over HTTP would be, for callers that look
// at the status code.
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

// An engineFailure is an error the engine did not mean to answer with. To callers
// it is an InternalServerError; as they share the process with the engine, they
// may also see the cause.
type engineFailure struct {
	shown error
	cause error
}

func (e *engineFailure) Error() string { return e.shown.Error() }

// Unwrap offers both faces of the failure to errors.Is and errors.As.
func (e *engineFailure) Unwrap() []error { return []error{e.shown, e.cause} }
